import { expect, test } from 'vitest';
import { profileColumns } from '../../../addon/formulas/fields.ts';
import { readFreshness } from '../../../addon/formulas/max-age.ts';
import { findRows } from '../../../addon/formulas/rows/local-rows.ts';
import { rowsOfUrls } from '../../../addon/formulas/rows/url-rows.ts';
import { fetchRows } from '../../../addon/formulas/tables.ts';
import type { CellServices, HttpAnswer, HttpRequest, Server } from '../../../addon/platform/client.ts';

const startMs = Date.UTC(2026, 10, 20, 10);
const urls = Array.from({ length: 150 }, (_, index) => `https://photo.example/p${index}`);

/**
 * Returns a fake spreadsheet in which the formulas of several cells run at the same time. `during` is called while the
 * first request to the server is in progress.
 */
function sharedFile(during: () => void = () => undefined, column: readonly string[] = urls) {
  const clock = { now: startMs };
  const texts: Record<string, string> = {};
  const sent: string[][] = [];
  const cells: CellServices = {
    read: (names) => Object.fromEntries(names.flatMap((name) => (texts[name] ? [[name, texts[name]]] : []))),
    write: (changed) => void Object.assign(texts, changed),
    hold: (work) => work(),
    neighbours: (_, own) => {
      const at = column.indexOf(own);
      return [...column.slice(at + 1, at + 300), ...column.slice(Math.max(0, at - 50), at)];
    },
  };
  const answer = ({ url }: HttpRequest): HttpAnswer => {
    const values = new URL(url).searchParams.getAll('url');
    sent.push(values);
    if (sent.length === 1) during();
    const rows = values.map((url) => ['OK', Number(/\d+$/.exec(url)?.[0])]);
    return { status: 200, headers: {}, text: JSON.stringify({ data: { columns: ['status', 'followers'], rows } }) };
  };
  const network: Server['network'] = {
    fetchAll: (requests) => requests.map(answer),
    sleep: (waitMs) => {
      clock.now += waitMs;
    },
    ...{ now: () => clock.now, random: () => 0.5, uuid: () => 'id', log: () => undefined },
  };
  const server: Server = { origin: 'https://social.example', key: 'key', network, cells };
  const run = (url: string) => {
    const columns = ['status', 'followers'];
    const query = { path: '/p', query: 'fields=x', name: 'url' as const, per_request_max: 50, columns };
    const freshness = readFreshness('1d', clock.now);
    const plan = { query, freshness, one_cell: 'SOCIAL_FOLLOWERS', load: fetchRows };
    return findRows(plan, [url], server).get(url);
  };
  return { run, sent, clock, server };
}

test('a formula requests its row together with the rows of at most 99 waiting cells, which then need no request', () => {
  const { run, sent } = sharedFile();
  expect(run(urls[0] ?? '')).toMatchObject({ status: 'OK', followers: expect.any(Number) });
  expect(sent.flat()).toEqual(urls.slice(0, 100));
  const requests = sent.length;
  for (const url of urls.slice(1, 100)) expect(run(url)).toMatchObject({ followers: expect.any(Number), cached: true });
  expect(sent).toHaveLength(requests);
});

test('a formula that runs at the same time as another requests only rows that the other does not request', () => {
  const file = sharedFile(() => file.run(urls[120] ?? ''));
  file.run(urls[0] ?? '');
  expect(file.sent.flat()).toHaveLength(urls.length);
  expect(new Set(file.sent.flat()).size).toBe(urls.length);
});

test('a formula waits for another formula that requests its row, and requests the row itself when the other one takes too long', () => {
  const file = sharedFile(() => {
    expect(file.run(urls[1] ?? '')).toMatchObject({ status: 'OK', followers: expect.any(Number) });
    expect(file.clock.now - startMs).toBeGreaterThan(10_000);
    expect(file.clock.now - startMs).toBeLessThan(20_000);
    expect(file.sent.at(-1)).toEqual([urls[1]]);
  });
  expect(file.run(urls[0] ?? '')).toMatchObject({ status: 'OK', followers: expect.any(Number) });
});

test('2,000 formulas send at most 100 requests, and none when the file is opened again within six hours', () => {
  const column = Array.from({ length: 2_000 }, (_, index) => `https://photo.example/p${index}`);
  const { run, sent, clock } = sharedFile(undefined, column);
  const right = column.map((_, index) => index);
  expect(column.map((url) => run(url)?.followers)).toEqual(right);
  expect(sent.length).toBeLessThanOrEqual(100);
  expect(sent.flat()).toHaveLength(2_000);
  const requests = sent.length;
  clock.now += 5.9 * 3_600_000;
  expect(column.map((url) => run(url)?.followers)).toEqual(right);
  expect(sent).toHaveLength(requests);
});

test('a formula with a handle requests only handles in neighboring cells, because URLs are requested without a platform', () => {
  const file = sharedFile(undefined, ['@a.1', urls[2] ?? '', '@a.3', urls[4] ?? '']);
  file.run('@a.1');
  file.run(urls[2] ?? '');
  expect(file.sent).toEqual([
    ['@a.1', '@a.3'],
    [urls[2], urls[4]],
  ]);
});

test('the requests for URLs and for handles of one formula share its 26 seconds', () => {
  const file = sharedFile();
  const route = { formula: 'SOCIAL_PROFILE', path: '/p', columns: profileColumns, what: 'profiles', example: 'A2' };
  const timeouts: number[] = [];
  const fetchAll = (requests: HttpRequest[]): HttpAnswer[] => {
    timeouts.push(...requests.map(({ timeout_ms }) => timeout_ms));
    file.clock.now += 20_000;
    return requests.map(() => ({ status: 500, headers: {}, text: '' }));
  };
  const server: Server = { ...file.server, network: { ...file.server.network, fetchAll } };
  const args = { urls: [[urls[0]], ['@nasa']], fields: 'followers', max_age: '1d', platform: 'instagram' };
  rowsOfUrls(args, { ...route, handle_example: '=SOCIAL_PROFILE("@nasa")' }, server);
  expect(timeouts).toEqual([26_000, 6_000]);
});
