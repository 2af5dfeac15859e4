import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDashboardBench, type DashboardBench, type Member } from '../dashboard-server.ts';
import { withoutSessions } from '../defects/database-faults.ts';

let bench: DashboardBench;
let ann: Member;
beforeAll(async () => {
  bench = await createDashboardBench();
  ann = await bench.member({ tier: 'ultra' });
});
afterAll(() => bench.close());
afterEach(() => expect(bench.errors).toEqual([]));

test('a page and a form without typed text that are requested while the database is away are answered with 503', async () => {
  const answers = await withoutSessions(bench, () =>
    Promise.all([ann.post('/dashboard/settings/pause', { act: '' }), ann.get('/dashboard/campaigns')]),
  );
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.text()).toContain('The service cannot reach its database. Try again in a few seconds.');
  }
  expect(bench.logs.filter(({ error }) => error).map(({ code }) => code)).toEqual([
    ...['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
  ]);
  expect((await ann.get('/dashboard/campaigns')).status).toBe(200);
});
