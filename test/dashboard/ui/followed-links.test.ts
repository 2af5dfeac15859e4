import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { throttle } from '../../../db/accounts/throttle.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';

let setup: DashboardSetup;
let links = 0;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
beforeEach(() => {
  setup.upstream.asked.length = 0;
});
afterAll(() => setup.close());

const forms: [string, (link: string) => Record<string, string>][] = [
  ['/dashboard/tracking', (link) => ({ addresses: link })],
  ['/dashboard/batches/preview', (link) => ({ lines: link })],
  ['/dashboard/batches', (link) => ({ lines: link })],
  ['/dashboard/links', (link) => ({ label: 'Link', kind: 'profiles', urls: link })],
];

test.each(forms)('the form %s follows short links of a user, but at most 2,000 in 10 minutes', async (path, fields) => {
  const ann = await setup.member({ tier: 'ultra' });
  const send = () => {
    links += 1;
    return ann.post(path, fields(`https://www.instagram.com/share/BAcounted${links}/`));
  };
  const allowance = { limit: 2_000, window_seconds: 600 };
  await throttle(setup.db.sql, `short links by ${ann.user_id}`, allowance, setup.clock.now, 1_999);
  await send();
  expect(setup.upstream.asked).toHaveLength(1);
  const refused = await (await send()).text();
  expect(setup.upstream.asked).toHaveLength(1);
  if (path !== '/dashboard/batches') expect(refused).toContain('at most 2000 short links of a person in 10 minutes');
});
