import { afterAll, expect, onTestFinished, test } from 'vitest';
import { fileOf, openSession } from '../harness/file.ts';
import { type ParallelCell, type ParallelResult, runTogether } from '../harness/parallel/run-together.ts';
import { dragTogether, reopenTogether } from '../harness/parallel/sheet.ts';
import { openCellThreads } from '../harness/parallel/threads.ts';
import { goodKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const threads = openCellThreads(() => setup.dist);
afterAll(() => threads.close());

const formulaLimitMs = 30_000;
/** Time limit (ms) of these tests. The limit is long, because thirty threads start slowly on a busy machine. */
const stormTimeoutMs = 180_000;
const forGood = 1_000;
const maxAttempts = 4;
const hourMs = 3_600_000;
const draggedCells = 2_000;

const urls = Array.from({ length: 15 }, (_, index) => `https://photo.example/p${index}`);
const refusedForGood: [string, unknown[]][] = [
  ['SOCIAL_PROFILE', ['https://photo.example/busy', 'followers']],
  ['SOCIAL_POSTS', ['https://photo.example/busy', 5, 'likes']],
  ['SOCIAL_POST', ['https://photo.example/busy', 'likes']],
  ['SOCIAL_TRACKED', ['busy', 'views']],
  ['SOCIAL_REPORT', ['Spring launch']],
];

const cellOf = (name: string, args: unknown[]): ParallelCell => ({ a1: null, name, args });
const resultIn = ({ outcome }: ParallelResult): unknown => ('value' in outcome ? outcome.value : null);

async function openWithKey() {
  const session = await openSession(setup.dist);
  session.world.properties.document.api_key = goodKey;
  onTestFinished(() => session.http.close());
  return session;
}

/** Runs thirty cells at the same time, which is the most that Sheets runs for one user. */
async function storm() {
  await setup.api.begin({
    keys: [goodKey],
    people: Object.fromEntries(urls.map((url, index) => [url, { followers: index }])),
    refusals: {
      ...Object.fromEntries(urls.map((url, index) => [url, index % 3])),
      ...{ 'https://photo.example/busy': forGood, busy: forGood },
      ...{ '/v1/workflows/campaigns': forGood, '/v1/credit/balance': forGood },
    },
  });
  const tables = [...refusedForGood, ...refusedForGood].map(([name, args]) => cellOf(name, args));
  const numbers = Array.from({ length: 5 }, () => cellOf('SOCIAL_CREDITS', []));
  const profiles = urls.map((url) => cellOf('SOCIAL_PROFILE', [url, 'followers']));
  const results = await runTogether(threads, await openWithKey(), [...profiles, ...tables, ...numbers]);
  return { profiles: results.slice(0, 15), tables: results.slice(15, 25), numbers: results.slice(25), results };
}

test(
  'thirty formulas that get 429 at once fill after retries and are charged once, or say RATE_LIMITED within thirty seconds',
  async () => {
    const { profiles, tables, numbers, results } = await storm();
    expect(profiles.map(resultIn)).toEqual(urls.map((_, index) => [['OK', index]]));
    expect(tables.map((one) => (resultIn(one) as unknown[][]).at(-1)?.[0])).toEqual(Array(10).fill('RATE_LIMITED'));
    expect(numbers.map(({ outcome }) => outcome)).toEqual(
      Array(5).fill({ error: expect.stringContaining('(RATE_LIMITED)') }),
    );
    expect(Math.max(...results.map(({ took_ms }) => took_ms))).toBeLessThan(formulaLimitMs);
    const { requests, credits_charged } = await setup.api.log();
    expect(credits_charged).toBe(15);
    // Two formulas that need the same row share one request. The other functions share no rows.
    const [shared, own] = [2, 3 * 2 + 5];
    expect(requests).toHaveLength(5 * (1 + 2 + 3) + (shared + own) * maxAttempts);
  },
  stormTimeoutMs,
);

test(
  '2,000 dragged formulas show their values within thirty seconds each, and reopening the file within six hours sends no request',
  async () => {
    const profiles = Array.from({ length: draggedCells }, (_, index) => `https://photo.example/person.${index}`);
    await setup.api.begin({
      keys: [goodKey],
      people: Object.fromEntries(profiles.map((url, index) => [url, { followers: index }])),
    });
    const session = await openWithKey();
    const file = fileOf(session);
    file.resize(draggedCells + 10);
    file.type('A1', ...profiles);
    const formulas = profiles.map((_, index) => `=SOCIAL_FOLLOWERS(A${index + 1})`);
    const dragged = await dragTogether(threads, session, 'B1', formulas);
    expect([...new Set(dragged.flatMap(({ outcome }) => ('error' in outcome ? [outcome.error] : [])))]).toEqual([]);
    const right = profiles.map((_, index) => index);
    expect(file.values(`B1:B${draggedCells}`).flat()).toEqual(right);
    expect(Math.max(...dragged.map(({ took_ms }) => took_ms))).toBeLessThan(formulaLimitMs);
    const { requests } = await setup.api.log();
    expect(requests.length).toBeLessThanOrEqual(100);
    expect(requests.flatMap(({ parameters }) => parameters.url ?? []).toSorted()).toEqual(profiles.toSorted());
    expect(JSON.stringify(session.world.caches)).not.toContain(goodKey);
    file.pass(5 * hourMs);
    await reopenTogether(threads, session);
    expect(file.values(`B1:B${draggedCells}`).flat()).toEqual(right);
    expect((await setup.api.log()).requests).toHaveLength(requests.length);
  },
  stormTimeoutMs,
);
