import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { latencyBoundsMs } from '../../../db/requests/health.ts';
import { readBadHours, readDays } from '../../../db/requests/health-history.ts';
import { catalog } from '../../../server/data/catalog.ts';
import { statusPage } from '../../../server/docs/status.ts';
import { createHealth } from '../../../server/status/health.ts';
import { daysShown, incidentsOf } from '../../../server/status/incidents.ts';
import { statusOf } from '../../../server/status/status.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';

const profile = '/v1/photo/profile';
const posts = '/v2/photo/user/posts';
const now = new Date('2026-11-20T10:30:00Z');
const hourMs = 3_600_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => db.sql.unsafe('truncate route_health'));
afterAll(() => db?.close());

/** Stores the results of one hour of a route, as the server does. */
async function keep(hour: string, route: string, answered: number, failed: number): Promise<void> {
  const row = {
    hour: new Date(hour),
    route,
    answered,
    failed,
    last_success_at: null,
    latency: latencyBoundsMs.map(() => 0),
  };
  await db.sql`insert into route_health ${db.sql(row)}`;
}

/** Returns the status page of a server that has just started and reads its history from the database. */
async function pageAt(at = now): Promise<string> {
  const health = createHealth(db.sql, { now: () => at, on_error: () => undefined });
  const status = statusOf(await health.read(), [], at);
  const page = String(await statusPage(status, await health.history()));
  await health.close();
  return page;
}

/**
 * Returns the color class and the text of each bar of a route, oldest first. The page contains a text for each day, but
 * draws consecutive days of the same color as one area.
 */
function barsOf(page: string, name: string): { tone: string; text: string }[] {
  const [, first = '', texts = '', areas = ''] =
    new RegExp(`<svg[^>]*aria-label="${name}, [^>]* data-first="([^"]*)" data-days="([^"]*)">(.*?)</svg>`, 's').exec(
      page,
    ) ?? [];
  const tones: string[] = [];
  for (const [, tone = '', shape = ''] of areas.matchAll(/<path class="(\w+)" d="([^"]*)"/g)) {
    for (const [, x, width] of shape.matchAll(/M(\d+) 0h(\d+)/g)) {
      const start = Number(x) / 10;
      for (let day = start; day < start + Number(width) / 10; day += 1) {
        expect(tones[day], `two colors on day ${day}`).toBeUndefined();
        tones[day] = tone;
      }
    }
  }
  return texts.split('|').map((text, index) => {
    const day = new Date(Date.parse(first) + index * 24 * hourMs).toISOString().slice(0, 10);
    return { tone: tones[index] ?? 'no color', text: `${day}: ${text}` };
  });
}
const plain = (page: string) => page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('the bars of the status page', () => {
  test('the status page has one bar for each UTC day and route, colored by the share of answered requests', async () => {
    await keep('2026-11-17T23:00:00Z', profile, 99, 1);
    await keep('2026-11-18T00:00:00Z', profile, 97, 1);
    await keep('2026-11-18T23:00:00Z', profile, 1, 1);
    await keep('2026-11-19T12:00:00Z', profile, 4, 6);
    await keep('2026-11-19T12:00:00Z', posts, 7, 0);
    const page = await pageAt();
    const bars = barsOf(page, 'profile');
    expect(bars).toHaveLength(daysShown);
    expect(bars.slice(-4)).toEqual([
      { tone: 'good', text: '2026-11-17: 99 of 100 requests answered' },
      { tone: 'partly', text: '2026-11-18: 98 of 100 requests answered' },
      { tone: 'bad', text: '2026-11-19: 4 of 10 requests answered' },
      { tone: 'none', text: '2026-11-20: no requests so far' },
    ]);
    expect(barsOf(page, 'user posts \\(v2\\)').at(-2)).toEqual({
      tone: 'good',
      text: '2026-11-19: 7 of 7 requests answered',
    });
    expect(page).toContain(`aria-label="profile, ${daysShown} days: 95.71% of 210 requests answered"`);
    expect(page).toContain(`aria-label="user posts (v2), ${daysShown} days: 100.00% of 7 requests answered, preview"`);
  });

  test('the bars of the status page count today only so far, and begin with a whole day', async () => {
    await keep('2026-08-22T23:00:00Z', profile, 500, 0);
    await keep('2026-08-23T00:00:00Z', profile, 3, 0);
    await keep('2026-11-20T10:00:00Z', profile, 2, 2);
    const bars = barsOf(await pageAt(), 'profile');
    expect([bars[0], bars.at(-1)]).toEqual([
      { tone: 'good', text: '2026-08-23: 3 of 3 requests answered' },
      { tone: 'partly', text: '2026-11-20: 2 of 4 requests answered so far' },
    ]);
    const late = barsOf(await pageAt(new Date('2026-11-20T23:59:59.999Z')), 'profile');
    expect(late[0]?.text).toBe('2026-08-23: 3 of 3 requests answered');
  });

  test('the status page has bars for each route with requests, and names the other routes that are not only planned', async () => {
    await keep('2026-11-19T12:00:00Z', profile, 7, 0);
    const page = await pageAt();
    expect(page.match(/<svg[^>]*role="img" aria-label="[^"]* days: /g)).toHaveLength(1);
    const named = [...plain(page).matchAll(/(?:No requests in 90 days|Not available on this server): ([^.]*)\./g)];
    const names = named.flatMap(([, list = '']) => list.split(', '));
    expect(names).toHaveLength(catalog.filter(({ availability }) => availability !== 'planned').length - 1);
    expect(names).toContain('user posts (v2)');
  });

  test('the status page has few elements, even when every route has requests of every color on 90 days', async () => {
    const counts = [
      [100, 0],
      [9, 1],
      [1, 9],
    ] as const;
    const days = Array.from({ length: daysShown }, (_, index) => now.getTime() - index * 24 * hourMs);
    const rows = catalog.flatMap(({ path }) =>
      days.map((at, index) => {
        const [answered, failed] = counts[index % counts.length] ?? [0, 0];
        const latency = latencyBoundsMs.map(() => 0);
        return { hour: new Date(at), route: path, answered, failed, last_success_at: null, latency };
      }),
    );
    for (let start = 0; start < rows.length; start += 1_000)
      await db.sql`insert into route_health ${db.sql(rows.slice(start, start + 1_000))}`;
    const page = await pageAt();
    expect(
      barsOf(page, 'profile')
        .slice(-4)
        .map(({ tone }) => tone),
    ).toEqual(['good', 'bad', 'partly', 'good']);
    expect(page.match(/<[a-z]/g)?.length).toBeLessThan(1_500);
  });

  test('without any request, the status page says so and has no bars and no numbers', async () => {
    const page = await pageAt();
    expect(page).not.toContain('role="img"');
    expect(plain(page)).toContain('No problem is known. Nothing was requested in the last 24 hours.');
    expect(plain(page)).toContain('No requests in 90 days: profile, posts,');
    expect(plain(page)).toContain('No route has numbers yet.');
    expect(plain(page)).toContain('No incidents are on record.');
    expect(page).not.toContain('NaN');
  });
});

describe('the incidents of the status page', () => {
  test('the incidents of the status page are written in words, newest first, with hours in a row as one incident', async () => {
    await keep('2026-11-18T22:00:00Z', profile, 0, 5);
    await keep('2026-11-18T23:00:00Z', profile, 1, 9);
    await keep('2026-11-19T00:00:00Z', profile, 4, 6);
    await keep('2026-11-19T02:00:00Z', profile, 0, 8);
    await keep('2026-11-19T05:00:00Z', posts, 2, 1_230);
    const incidents = plain((await pageAt()).split('<h2>Incidents</h2>')[1]?.split('<h2>')[0] ?? '');
    expect(
      incidents
        .split(/(?=Instagram)/)
        .map((line) => line.trim())
        .filter(Boolean),
    ).toEqual([
      'Instagram user posts (v2) failed for an hour from 19 Nov 2026, 05:00 UTC : 1,230 of 1,232 requests got no answer from the source.',
      'Instagram profile failed for an hour from 19 Nov 2026, 02:00 UTC : 8 of 8 requests got no answer from the source.',
      'Instagram profile failed for 3 hours from 18 Nov 2026, 22:00 UTC : 20 of 25 requests got no answer from the source.',
    ]);
  });

  test('an incident of the status page needs five failures and less than half of the answers in an hour', async () => {
    await keep('2026-11-19T01:00:00Z', profile, 0, 4);
    await keep('2026-11-19T02:00:00Z', profile, 5, 5);
    await keep('2026-11-19T03:00:00Z', profile, 1_000, 999);
    expect(await readBadHours(db.sql, new Date(0))).toEqual([]);
    await keep('2026-11-19T04:00:00Z', profile, 4, 5);
    expect(await readBadHours(db.sql, new Date(0))).toEqual([
      { hour: new Date('2026-11-19T04:00:00Z'), route: profile, answered: 4, failed: 5 },
    ]);
  });

  test('incidents of different routes at the same hours are not joined, and at most 20 are listed', () => {
    const hour = (route: string, at: number) => {
      return { route, hour: new Date(at * hourMs), answered: 0, failed: 5 };
    };
    const joined = incidentsOf([hour('/a', 1), hour('/a', 2), hour('/b', 2), hour('/b', 3)]);
    expect(joined.map(({ route, hours, failed }) => [route, hours, failed])).toEqual([
      ['/b', 2, 10],
      ['/a', 2, 10],
    ]);
    const many = incidentsOf(Array.from({ length: 30 }, (_, index) => hour('/a', index * 2)));
    expect(many).toHaveLength(20);
    expect(many[0]?.from).toEqual(new Date(58 * hourMs));
  });
});

test('the days in the history of the status are sums of hours as numbers, by day and route', async () => {
  await keep('2026-11-18T00:00:00Z', profile, 3_000_000_000, 1);
  await keep('2026-11-18T23:00:00Z', profile, 3_000_000_000, 2);
  await keep('2026-11-17T23:00:00Z', posts, 1, 0);
  expect(await readDays(db.sql, new Date('2026-11-17T00:00:00Z'))).toEqual([
    { day: '2026-11-17', route: posts, answered: 1, failed: 0 },
    { day: '2026-11-18', route: profile, answered: 6_000_000_000, failed: 3 },
  ]);
  expect(await readDays(db.sql, new Date('2026-11-18T01:00:00Z'))).toEqual([
    { day: '2026-11-18', route: profile, answered: 3_000_000_000, failed: 2 },
  ]);
});
