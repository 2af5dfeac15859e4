import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../../db/deliveries/sheet-import-runs.ts';
import { pauseImport } from '../../../db/deliveries/sheet-imports.ts';
import type { ImportInput } from '../../../pipeline/sheets/import-settings.ts';
import { writeLimits } from '../../../pipeline/sheets/import-writing.ts';
import { openImportSetup } from './import-setup.ts';
import type { GridCell } from './sheets-grid.ts';
import { errorBody } from './sheets-server.ts';

const setup = await openImportSetup();
// Reduces the service's limits to a hundredth, so that a few rows already need several requests and parts.
beforeEach(() => {
  setup.limits = { rows: 10, ranges: 5, requests: 10 };
});

const handles = (count: number) => Array.from({ length: count }, (_, n) => `@many${n}`).join('\n');
const link = (n: number | string) => `https://www.instagram.com/many${n}/`;

/** Creates an import of `count` typed handles, which writes to the first columns of its own tab. */
async function createLarge(workspaceId: string, count: number, more: Partial<ImportInput> = {}): Promise<string> {
  const own = {
    source_range: '',
    source_list: handles(count),
    platform: 'photo',
    fields: 'followers,account_id,retrieved_at',
  };
  return setup.create(workspaceId, { ...own, target_sheet: 'Large', target_cell: 'A1', ...more });
}

/** Starts a run and stores a result for each of its lines, as if they had been fetched. */
async function startFetched(workspaceId: string, importId: string, followers: number): Promise<RunId> {
  const { sql } = setup.db;
  const run = await setup.start(workspaceId, importId);
  await setup.advance(run);
  // Citus refuses an UPDATE that calls jsonb_build_object with columns.
  const cells = JSON.stringify({ url: link('NUMBER'), status: 'OK', followers, account_id: 'idNUMBER' });
  await sql`
    update batch_rows set status = 'OK', cells = replace(${cells}, 'NUMBER', (row_no - 1)::text)
    where batch_id = ${run.run_id}`;
  await sql`update batches set status = 'finished', finished_at = ${setup.clock.now} where batch_id = ${run.run_id}`;
  setup.google().requests.length = 0;
  return run;
}

const writes = () => setup.google().requests.filter((request) => /^POST .*(batchUpdate|batchClear)$/.test(request));
const rows = () => [...setup.sheet('Large').cells].filter(([key]) => key.endsWith(',1')).length - 1;
/** Returns the followers in the sheet by profile link. */
function followersByLink(): Map<unknown, unknown> {
  const { cells: grid } = setup.sheet('Large');
  const lines = Array.from({ length: rows() }, (_, n) => [1, 2].map((column) => grid.get(`${n + 2},${column}`)?.value));
  return new Map(lines as [unknown, unknown][]);
}

describe('a large sheet import', () => {
  test('links times posts above 50,000 are refused before anything is fetched or charged', async () => {
    const workspaceId = await setup.workspace(10);
    const more = { kind: 'latest_posts', fields: 'id', posts_each: '20' };
    const run = await setup.go(workspaceId, await createLarge(workspaceId, 2_501, more));
    expect(run).toMatchObject({ outcome: 'TOO_MANY_ROWS', written_rows: null });
    expect(run.message).toBe(
      'The list has 2,501 links with 20 posts each: an import writes at most 50,000 rows. Use fewer links or posts, or several imports.',
    );
    expect(setup.upstream.asked).toEqual([]);
    expect(await setup.balance(workspaceId)).toBe(10);
    const allowed = await setup.start(workspaceId, await createLarge(workspaceId, 2_500, more));
    await setup.advance(allowed);
    expect(await setup.run_(allowed)).toMatchObject({ stage: 'fetching' });
  });

  test('the guide names the numbers of rows that a sheet import writes in a minute', async () => {
    const guide = await readFile(join(import.meta.dirname, '../../../docs/sheets-push.md'), 'utf8');
    const { rows: each, ranges, requests } = writeLimits;
    expect(guide).toContain(`A run writes up to ${(each * requests).toLocaleString('en')} rows per minute`);
    expect(guide).toContain(`that updates rows: up to ${(ranges * requests).toLocaleString('en')} rows per minute`);
  });

  test.each(['replace', 'append', 'update'])(
    'a sheet import in the mode %s is written in parts that leave requests to Google for others',
    async (mode) => {
      const workspaceId = await setup.workspace(0);
      const run = await startFetched(workspaceId, await createLarge(workspaceId, 35, { mode }), 1);
      // Gives each line three rows, so that 105 rows are written.
      await setup.db.sql`
        update batch_rows set cells = (select jsonb_agg(cells::jsonb || jsonb_build_object('account_id', row_no || '-' || n))
          from generate_series(1, 3) n)::text where batch_id = ${run.run_id}`;
      await setup.advance(run);
      expect(await setup.run_(run)).toMatchObject({ stage: 'writing', written_rows: 100 });
      expect(rows()).toBe(100);
      expect(writes().length).toBeLessThanOrEqual(14);
      setup.google().requests.length = 0;
      await setup.advance(run);
      expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 105 });
      expect(rows()).toBe(105);
      expect(writes().length).toBeLessThanOrEqual(2);
    },
  );

  test('a sheet import in update mode writes a limited number of ranges at once when the user has sorted its table', async () => {
    const workspaceId = await setup.workspace(0);
    const importId = await createLarge(workspaceId, 51, { mode: 'update' });
    await setup.advance(await startFetched(workspaceId, importId, 1));
    const order = Array.from({ length: 51 }, (_, n) => (n * 7) % 51).map((n) => [link(n), 1, `id${n}`]);
    for (const [n, line] of order.entries()) {
      for (const [column, value] of line.entries())
        setup.sheet('Large').cells.set(`${n + 2},${column + 1}`, { type: 'text', value: value as string });
    }
    const run = await startFetched(workspaceId, importId, 2);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ stage: 'writing', written_rows: 50 });
    expect(writes().length).toBeLessThanOrEqual(11);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 51 });
    expect(rows()).toBe(51);
    expect(new Set(followersByLink().values())).toEqual(new Set([2]));
  });

  test.each(['replace', 'append', 'update'])(
    'a sheet import in the mode %s continues behind the rows that Google took before it refused more requests',
    async (mode) => {
      const workspaceId = await setup.workspace(0);
      const importId = await createLarge(workspaceId, 50, { mode });
      const run = await startFetched(workspaceId, importId, 1);
      const quota = { path: /values:batchUpdate/, status: 429, body: errorBody(429, 'Quota exceeded') };
      // Google also carries out the last request of the second attempt, but its answer is lost, as when the process is
      // killed.
      for (const [skip, lost] of [
        [3, false],
        [2, true],
      ] as const) {
        setup.google().mishaps.push({ ...quota, skip, lost });
        await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
      }
      expect(await setup.run_(run)).toMatchObject({ stage: 'writing', written_rows: 40 });
      setup.google().requests.length = 0;
      await setup.advance(run);
      expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 50 });
      expect(writes().filter((request) => request.includes('values:batchUpdate'))).toHaveLength(1);
      expect(rows()).toBe(50);
      expect(new Set(followersByLink().keys()).size).toBe(50);
    },
  );

  test.each(['replace', 'append', 'update'])(
    'a sheet import in the mode %s writes its rows again when somebody deletes its tab between two parts',
    async (mode) => {
      const workspaceId = await setup.workspace(0);
      const run = await startFetched(workspaceId, await createLarge(workspaceId, 30, { mode }), 1);
      setup.google().mishaps.push({ path: /values:batchUpdate/, status: 429, skip: 2 });
      await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
      setup.tabs().splice(
        setup.tabs().findIndex(({ title }) => title === 'Large'),
        1,
      );
      await setup.advance(run);
      expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 30 });
      expect(rows()).toBe(30);
    },
  );

  test('a sheet import in append mode does not write over a row that somebody types below its rows between two parts', async () => {
    const workspaceId = await setup.workspace(0);
    const run = await startFetched(workspaceId, await createLarge(workspaceId, 30, { mode: 'append' }), 1);
    setup.google().mishaps.push({ path: /values:batchUpdate/, status: 429, skip: 2 });
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    expect(rows()).toBe(10);
    setup.sheet('Large').cells.set('12,1', { type: 'text', value: 'my sum' });
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ stage: 'ended', outcome: 'OTHER_TABLE', written_rows: 10 });
    expect(setup.sheet('Large').cells.get('12,1')?.value).toBe('my sum');
    expect(rows()).toBe(11);
  });

  test('a sheet import in append mode that an earlier version interrupted continues with its rows after the upgrade', async () => {
    const workspaceId = await setup.workspace(0);
    const run = await startFetched(workspaceId, await createLarge(workspaceId, 35, { mode: 'append' }), 1);
    setup.google().mishaps.push({ path: /values:batchUpdate/, status: 429, skip: 3, lost: true });
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    expect(rows()).toBe(30);
    // The earlier version did not store the number of rows.
    await setup.db.sql`update sheet_import_runs set written_rows = null where run_id = ${run.run_id}`;
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 35 });
    expect(rows()).toBe(35);
    expect(followersByLink().size).toBe(35);
  });

  /** Changes that a user makes in column A of the table while an import writes. All other rows stay unchanged. */
  const changes = {
    edits: (links: unknown[]) => links.with(4, 'edited'),
    sorts: (links: unknown[]) => links.toReversed(),
    'deletes a row of': (links: unknown[]) => links.toSpliced(4, 1),
    'deletes the last rows of': (links: unknown[]) => links.slice(0, -3),
    'inserts a row in': (links: unknown[]) => links.toSpliced(4, 0, 'inserted'),
    'inserts and edits rows in': (links: unknown[]) => links.toSpliced(-4, 0, 'inserted').with(-1, 'edited'),
  };
  const links = () => Array.from({ length: rows() }, (_, n) => setup.sheet('Large').cells.get(`${n + 2},1`)?.value);
  /** Replaces the rows below the headings with rows that have only these cells, in column A. */
  function setLinks(next: unknown[]) {
    const { cells } = setup.sheet('Large');
    for (const key of [...cells.keys()]) if (!key.startsWith('1,')) cells.delete(key);
    for (const [n, value] of next.entries()) cells.set(`${n + 2},1`, { type: 'text', value: String(value) });
  }
  const interrupted = { path: /values:batchUpdate/, status: 429, body: errorBody(429, 'Quota exceeded') };

  test.each(Object.entries(changes))(
    'a sheet import in append mode writes its remaining rows below its table when the user %s it between two parts',
    async (_, change) => {
      const workspaceId = await setup.workspace(0);
      const run = await startFetched(workspaceId, await createLarge(workspaceId, 35, { mode: 'append' }), 1);
      setup.google().mishaps.push({ ...interrupted, skip: 3 });
      await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
      const changed = change(links());
      setLinks(changed);
      // Google carries out the next request, but its answer is lost.
      setup.google().mishaps.push({ ...interrupted, skip: 0, lost: true });
      await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
      await setup.advance(run);
      expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 35 });
      expect(links()).toEqual([...changed, ...Array.from({ length: 15 }, (_, n) => link(n + 20))]);
    },
  );

  test.each(['deletes a row of', 'inserts a row in'] as const)(
    'a sheet import in append mode never writes a row twice when an answer of Google is lost and the user %s its table',
    async (name) => {
      const workspaceId = await setup.workspace(0);
      const importId = await createLarge(workspaceId, 25, { mode: 'append' });
      await setup.advance(await startFetched(workspaceId, importId, 1));
      const run = await startFetched(workspaceId, importId, 2);
      setup.google().mishaps.push({ ...interrupted, skip: 1, lost: true });
      await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
      expect(rows()).toBe(45);
      const changed = changes[name](links());
      setLinks(changed);
      await setup.advance(run);
      expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 25 });
      expect(links()).toEqual([...changed, ...Array.from({ length: 5 }, (_, n) => link(n + 20))]);
    },
  );

  test('a sheet import in append mode ends when the user has sorted its table so that its written rows are unknown', async () => {
    const workspaceId = await setup.workspace(0);
    const run = await startFetched(workspaceId, await createLarge(workspaceId, 35, { mode: 'append' }), 1);
    setup.google().mishaps.push({ ...interrupted, skip: 3, lost: true });
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    const sorted = links().toReversed();
    setLinks(sorted);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ stage: 'ended', outcome: 'SHEET_CHANGED', written_rows: 20 });
    expect((await setup.run_(run)).message).toContain('was changed while the run wrote its rows');
    expect(links()).toEqual(sorted);
  });

  test('a sheet import continues even when Google Sheets has changed the line breaks of a text that is not a link', async () => {
    const workspaceId = await setup.workspace(0);
    const run = await startFetched(workspaceId, await createLarge(workspaceId, 20), 1);
    const cells = JSON.stringify({ url: "'no\r\nlink" });
    await setup.db.sql`update batch_rows set cells = ${cells} where batch_id = ${run.run_id} and row_no = 1`;
    setup.google().mishaps.push({ path: /values:batchUpdate/, status: 429, skip: 2 });
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    setup.sheet('Large').cells.set('2,1', { type: 'text', value: 'no\nlink' });
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 20 });
    expect(setup.sheet('Large').cells.get('2,1')?.value).toBe('no\nlink');
  });

  test('a sheet import that is paused for more than a day between two parts is completed', async () => {
    const workspaceId = await setup.workspace(0);
    const importId = await createLarge(workspaceId, 70);
    const run = await startFetched(workspaceId, importId, 1);
    await setup.db.sql`
      update batch_rows set cells = '[' || cells || ',' || cells || ',' || cells || ']' where batch_id = ${run.run_id}`;
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ stage: 'writing', written_rows: 100 });
    await pauseImport(setup.db.sql, workspaceId, importId, true);
    setup.clock.now = new Date(setup.clock.now.getTime() + 90_000_000);
    await setup.advance(run);
    await pauseImport(setup.db.sql, workspaceId, importId, false);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ stage: 'writing', written_rows: 200 });
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 210 });
    expect(rows()).toBe(210);
  });

  test('a sheet import whose rows somebody deletes again and again fails after a day', async () => {
    const workspaceId = await setup.workspace(0);
    const run = await startFetched(workspaceId, await createLarge(workspaceId, 1), 1);
    await setup.db.sql`
      update batch_rows set cells = '[' || repeat(cells || ',', 100) || cells || ']'
      where batch_id = ${run.run_id}`;
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ stage: 'writing', written_rows: 100 });
    setup.sheet('Large').cells.clear();
    setup.clock.now = new Date(setup.clock.now.getTime() + 86_400_000);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ stage: 'ended', outcome: 'SHEET_CHANGED' });
    expect((await setup.run_(run)).message).toContain('could not all be written within 24 hours');
  });

  test('a temporary problem while writing is retried for a day, even when the rows waited longer for credits', async () => {
    const workspaceId = await setup.workspace(0);
    const run = await startFetched(workspaceId, await createLarge(workspaceId, 1), 1);
    const finished = new Date(setup.clock.now.getTime() + 3 * 86_400_000);
    await setup.db.sql`update batches set finished_at = ${finished} where batch_id = ${run.run_id}`;
    setup.clock.now = new Date(finished.getTime() + 90_000_000);
    const failed = setup.clock.now.getTime();
    const busy = { path: /spreadsheets/, status: 429, body: errorBody(429, 'Quota exceeded') };
    for (const later of [0, 86_399_000]) {
      setup.clock.now = new Date(failed + later);
      setup.google().mishaps.push(busy);
      await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    }
    setup.clock.now = new Date(failed + 86_400_000);
    setup.google().mishaps.push(busy);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ stage: 'ended', outcome: 'NO_ANSWER' });
    expect((await setup.run_(run)).message).not.toContain('again');
  });

  test('the day in which a temporary problem is retried begins again after a pause and after progress', async () => {
    const workspaceId = await setup.workspace(0);
    const importId = await createLarge(workspaceId, 30);
    const run = await startFetched(workspaceId, importId, 1);
    const fail = async (skip: number, hours: number) => {
      setup.clock.now = new Date(setup.clock.now.getTime() + hours * 3_600_000);
      setup.google().mishaps.push({ path: /values:batchUpdate/, status: 429, skip });
      await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    };
    await fail(0, 0);
    await pauseImport(setup.db.sql, workspaceId, importId, true);
    setup.clock.now = new Date(setup.clock.now.getTime() + 30 * 3_600_000);
    await pauseImport(setup.db.sql, workspaceId, importId, false);
    await fail(0, 0);
    // The run writes 10 rows before it fails.
    await fail(2, 23);
    await fail(0, 23);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 30 });
  });

  /** Starts a run that appends a row for each of these links. The column Account ID numbers the rows. */
  async function startLinks(workspaceId: string, importId: string, urls: readonly string[]): Promise<RunId> {
    const run = await startFetched(workspaceId, importId, 1);
    const cells = JSON.stringify(urls.map((url, n) => ({ url, account_id: `id${n}` })));
    await setup.db.sql`update batch_rows set cells = ${cells} where batch_id = ${run.run_id}`;
    return run;
  }
  const texts = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`);
  const ids = () => Array.from({ length: rows() }, (_, n) => setup.sheet('Large').cells.get(`${n + 2},3`)?.value);
  /** Changes the order and the number of the rows below the headings, as a person does. */
  function setRows(change: (lines: (GridCell | undefined)[][]) => (GridCell | undefined)[][]) {
    const { cells } = setup.sheet('Large');
    const lines = Array.from({ length: rows() }, (_, n) =>
      [1, 2, 3, 4].map((column) => cells.get(`${n + 2},${column}`)),
    );
    for (const key of [...cells.keys()]) if (!key.startsWith('1,')) cells.delete(key);
    for (const [n, line] of change(lines).entries()) {
      for (const [column, cell] of line.entries()) if (cell) cells.set(`${n + 2},${column + 1}`, cell);
    }
  }
  const typed: GridCell[] = [{ type: 'text', value: 'typed' }];

  test('a sheet import in append mode writes over none of its rows when links are repeated and the user deletes a row', async () => {
    const workspaceId = await setup.workspace(0);
    const importId = await createLarge(workspaceId, 1, { mode: 'append' });
    const run = await startLinks(workspaceId, importId, [...texts('link', 6), ...Array(8).fill('same')]);
    setup.google().mishaps.push({ ...interrupted, skip: 2 });
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    setRows((lines) => lines.toSpliced(3, 1));
    const before = ids();
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'SHEET_CHANGED' });
    expect(ids()).toEqual(before);
  });

  test('a sheet import in append mode writes over none of its rows when links are repeated and the user inserts rows', async () => {
    const workspaceId = await setup.workspace(0);
    const importId = await createLarge(workspaceId, 1, { mode: 'append' });
    const urls = [...texts('link', 8), ...Array(4).fill('same'), ...texts('more', 8)];
    const run = await startLinks(workspaceId, importId, urls);
    setup.google().mishaps.push({ ...interrupted, skip: 2 });
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    setRows((lines) => [typed, typed, ...lines]);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 20 });
    expect(ids()).toEqual([undefined, undefined, ...texts('id', 20)]);
  });

  test('a sheet import in append mode never writes a row twice when the user deletes as many rows as were written before an answer was lost', async () => {
    const workspaceId = await setup.workspace(0);
    const importId = await createLarge(workspaceId, 1, { mode: 'append' });
    const run = await startLinks(workspaceId, importId, texts('link', 15));
    setup.google().mishaps.push({ ...interrupted, skip: 2, lost: true });
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    expect(rows()).toBe(15);
    setRows((lines) => lines.slice(5));
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 15 });
    expect(ids()).toEqual(texts('id', 15).slice(5));
  });

  test('a sheet import in append mode never writes a row twice when an answer is lost and the user sorts the rows of two runs', async () => {
    const workspaceId = await setup.workspace(0);
    const importId = await createLarge(workspaceId, 1, { mode: 'append' });
    await setup.advance(await startLinks(workspaceId, importId, texts('link', 15)));
    const run = await startLinks(workspaceId, importId, texts('link', 15));
    setup.google().mishaps.push({ ...interrupted, skip: 1, lost: true });
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    expect(rows()).toBe(30);
    const number = ([link]: (GridCell | undefined)[]) => Number(String(link?.value).slice('link'.length));
    setRows((lines) => lines.toSorted((a, b) => number(b) - number(a)));
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'SHEET_CHANGED' });
    expect((await setup.run_(run)).message).toContain('delete the rows of this run');
    expect(rows()).toBe(30);
  });
});
