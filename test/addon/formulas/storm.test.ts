import { expect, test } from 'vitest';
import { type ParallelCell, runTogether } from '../harness/parallel.ts';
import { goodKey, setUpWorkbench } from '../spreadsheet-setup.ts';

const bench = setUpWorkbench();

const formulaLimitMs = 30_000;
/** Thirty threads start slowly on a busy machine. */
const stormTimeoutMs = 180_000;
const forGood = 1_000;
const attemptsMax = 4;

const urls = Array.from({ length: 15 }, (_, index) => `https://photo.example/p${index}`);
const refusedForGood: [string, unknown[]][] = [
  ['SOCIAL_PROFILE', ['https://photo.example/busy', 'followers']],
  ['SOCIAL_POSTS', ['https://photo.example/busy', 5, 'likes']],
  ['SOCIAL_POST', ['https://photo.example/busy', 'likes']],
  ['SOCIAL_TRACKED', ['busy', 'views']],
  ['SOCIAL_REPORT', ['Spring launch']],
];

function cellOf(name: string, args: unknown[]): ParallelCell {
  return { key: goodKey, name, args };
}

/** Thirty cells, as many as Sheets runs at once for one user. */
async function storm() {
  await bench.api.begin({
    keys: [goodKey],
    people: Object.fromEntries(urls.map((url, index) => [url, { followers: index }])),
    refusals: {
      ...Object.fromEntries(urls.map((url, index) => [url, index % 3])),
      ...{ 'https://photo.example/busy': forGood, busy: forGood },
      ...{ '/v1/workflows/campaigns': forGood, '/v1/credit/balance': forGood },
    },
  });
  const tables = [...refusedForGood, ...refusedForGood];
  const numbers = Array.from({ length: 5 }, () => cellOf('SOCIAL_CREDITS', []));
  const profiles = urls.map((url) => cellOf('SOCIAL_PROFILE', [url, 'followers']));
  const results = await runTogether(bench.dist, [
    ...profiles,
    ...tables.map(([name, args]) => cellOf(name, args)),
    ...numbers,
  ]);
  return { profiles: results.slice(0, 15), tables: results.slice(15, 25), numbers: results.slice(25), results };
}

test(
  'of thirty cells at once that get 429, those that may come back fill and are charged once, the others say RATE_LIMITED within thirty seconds',
  async () => {
    const { profiles, tables, numbers, results } = await storm();
    expect(profiles.map(({ value }) => value)).toEqual(urls.map((_, index) => [['OK', index]]));
    expect(tables.map(({ value }) => (value as unknown[][]).at(-1)?.[0])).toEqual(Array(10).fill('RATE_LIMITED'));
    expect(numbers.map(({ error }) => error)).toEqual(Array(5).fill(expect.stringContaining('(RATE_LIMITED)')));
    expect(Math.max(...results.map(({ took_ms }) => took_ms))).toBeLessThan(formulaLimitMs);
    const { requests, credits_charged } = await bench.api.log();
    expect(credits_charged).toBe(15);
    expect(requests).toHaveLength(5 * (1 + 2 + 3) + 15 * attemptsMax);
  },
  stormTimeoutMs,
);
