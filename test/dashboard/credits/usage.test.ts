import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../db/accounts/keys.ts';
import { createUsageWriter } from '../../../db/requests/usage.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { observedItem } from '../tracking/observed.ts';

const page = '/dashboard/usage';

let setup: DashboardSetup;
let ann: Member;
const bodyOf = async (answer: Promise<Response>) => (await answer).text();
const plain = (body: string) => body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const at = (day: string) => new Date(`${day}T12:00:00.000Z`);

beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member({ tier: 'pro' });
  const { sql } = setup.db;
  const key = await createKey(sql, ann.workspace_id, { kind: 'live', name: '<i>sheet</i>' });
  const count = async (day: string, route: string, outcome: string, credits: number, times: number) => {
    const writer = createUsageWriter(sql, { now: () => at(day), on_error: (error) => expect.fail(String(error)) });
    const { workspace_id } = ann;
    for (let n = 0; n < times; n += 1) writer.count({ workspace_id, key_id: key.key_id, route, outcome, credits });
    await writer.close();
  };
  await count('2026-11-03', '/v1/photo/profile', 'OK', 1, 3);
  await count('2026-11-03', '/v1/photo/profile', 'HIT', 0, 2);
  await count('2026-11-05', '/v1/longvideo/channel', 'OK', 2, 4);
  await count('2026-11-05', '/v1/longvideo/channel', 'SOURCE_TIMEOUT', 0, 1);
  await count('2026-11-05', '/v1/longvideo/channel', 'SANDBOX', 0, 5);
  await count('2026-10-31', '/v1/photo/profile', 'OK', 1, 7);
  const item = { platform: 'photo', kind: 'profile', url: 'https://www.instagram.com/a/', identifier: 'a' };
  await observedItem(sql, ann.workspace_id, { ...item, since: at('2026-10-01') }, [
    { at: at('2026-10-31'), followers: 1 },
    { at: at('2026-11-01'), followers: 1 },
    { at: at('2026-11-02'), outcome: 'SOURCE_TIMEOUT' },
    { at: at('2026-11-03'), outcome: 'SKIPPED_NO_CREDITS' },
    { at: at('2026-11-04'), followers: 1 },
  ]);
});
afterAll(() => setup.close());

describe('the usage page', () => {
  test('the usage page adds up requests by route, result and API key, and shows tracking separately', async () => {
    const text = plain(await bodyOf(ann.get(page)));
    expect(text).toContain(
      'Requests 15 Credits for requests 11 Credits for tracking 2 Credits for bulk analyses and sheet imports 0',
    );
    expect(text).toContain('YouTube channel /v1/longvideo/channel 10 8 Instagram profile /v1/photo/profile 5 3');
    expect(text).toContain('OK new data, charged 7 11');
    expect(text).toContain('HIT cached, free 2 0');
    expect(text).toContain('SANDBOX sandbox, free 5 0');
    expect(text).toContain('SOURCE_TIMEOUT error, free 1 0');
    expect(text).toMatch(/&lt;i&gt;sheet&lt;\/i&gt; \(…\w{4}\) 15 11/);
    expect(text).toContain('Checks of tracked items 3 2');
  });

  test('the usage chart has a bar for each day with requests, and 0 for the other days', async () => {
    const body = await bodyOf(ann.get(page));
    const bars = /id="chart-requests[^"]*".*?<path class="bars" d="([^"]*)"/s.exec(body)?.[1] ?? '';
    expect(bars.split('M').length - 1).toBe(2);
    expect(plain(body)).toContain('5 Nov 2026 10 4 Nov 2026 0 3 Nov 2026 5');
  });

  test('the usage page can show an earlier month and a single route', async () => {
    const earlier = plain(await bodyOf(ann.get(`${page}?period=2026-10`)));
    expect(earlier).toContain('Requests 7 Credits for requests 7 Credits for tracking 1 ');
    const route = plain(await bodyOf(ann.get(`${page}?period=2026-11&route=/v1/photo/profile`)));
    expect(route).toContain('Requests 5 Credits for requests 3');
    expect(route).not.toContain('Credits for tracking');
  });

  test('the usage page can show the last 30, 90 and 365 days, across months and years', async () => {
    const days = plain(await bodyOf(ann.get(`${page}?period=30d`)));
    expect(days).toContain('Requests 22 Credits for requests 18 Credits for tracking 3 ');
    expect(days).toContain('31 Oct 2026 7');
    expect(days).not.toMatch(/21 Oct 2026|21 Nov 2026/);
    const year = await bodyOf(ann.get(`${page}?period=365d`));
    expect(year).toContain('<option value="365d" selected>Last 365 days</option>');
    expect(plain(year)).toContain('21 Nov 2025 0');
    const csv = await ann.get(`${page}/usage.csv?period=90d`);
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(7);
  });

  test.each(['30', '2026-12', '2026-13', 'x', '1999-01', "2026-11' or true"])(
    'the usage of the period %j is not found',
    async (month) => {
      expect((await ann.get(`${page}?period=${encodeURIComponent(month)}`)).status).toBe(404);
    },
  );

  test('the usage CSV has the stored counters', async () => {
    const answer = await ann.get(`${page}/usage.csv?period=2026-11`);
    expect(answer.headers.get('content-disposition')).toContain('usage-2026-11.csv');
    const rows = (await answer.text())
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(
      rows.map(([day, route, , , outcome, requests, credits]) => [day, route, outcome, requests, credits]),
    ).toEqual([
      ['day', 'route', 'outcome', 'requests', 'credits'],
      ['2026-11-03', '/v1/photo/profile', 'HIT', '2', '0'],
      ['2026-11-03', '/v1/photo/profile', 'OK', '3', '3'],
      ['2026-11-05', '/v1/longvideo/channel', 'OK', '4', '8'],
      ['2026-11-05', '/v1/longvideo/channel', 'SANDBOX', '5', '0'],
      ['2026-11-05', '/v1/longvideo/channel', 'SOURCE_TIMEOUT', '1', '0'],
    ]);
  });

  test('the usage of another workspace is not shown', async () => {
    const bob = await setup.member({ name: 'Bob' });
    expect(plain(await bodyOf(bob.get(page)))).toContain('No requests in this period.');
    expect((await bodyOf(bob.get(`${page}/usage.csv`))).trim().split('\r\n')).toHaveLength(1);
  });
});
