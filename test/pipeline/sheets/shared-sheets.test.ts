import { describe, expect, test } from 'vitest';
import { type RunId, startWriting, unfinishedRuns } from '../../../db/deliveries/sheet-import-runs.ts';
import { pauseImport, removeImport } from '../../../db/deliveries/sheet-imports.ts';
import type { ImportInput } from '../../../pipeline/sheets/import-settings.ts';
import { address } from '../batches/batch-workspace.ts';
import { openImportSetup } from './import-setup.ts';
import { newTab } from './sheets-grid.ts';
import { errorBody } from './sheets-server.ts';

const setup = await openImportSetup();

/** Starts a run of a new import that appends one typed link, and fetches the data for that link. */
async function startFetched(workspaceId: string, handle: string, more: Partial<ImportInput> = {}): Promise<RunId> {
  const own = { source_range: '', source_list: address(handle), fields: 'followers', max_age: '1d', mode: 'append' };
  const run = await setup.start(workspaceId, await setup.create(workspaceId, { ...own, ...more }));
  await setup.advance(run);
  await setup.fetch(run);
  return run;
}

const outcomes = (runs: readonly RunId[]) => Promise.all(runs.map(async (run) => (await setup.run_(run)).outcome));

describe('two sheet imports that write at the same cell', () => {
  test('two sheet imports that append to the same table at the same time write all rows of both', async () => {
    const workspaceId = await setup.workspace(100);
    for (let round = 0; round < 5; round += 1) {
      const runs = [await startFetched(workspaceId, `anna${round}`), await startFetched(workspaceId, `bert${round}`)];
      await Promise.all(runs.map(setup.advance));
      for (const run of runs) await setup.advance(run);
      expect(await outcomes(runs)).toEqual(['OK', 'OK']);
    }
    const handles = Array.from({ length: 5 }, (_, round) => [address(`anna${round}`), address(`bert${round}`)]).flat();
    const links = setup.table().map(([link]) => link);
    expect(links.toSorted()).toEqual(['URL', ...handles].toSorted());
  });

  test('a sheet import waits until another one has written its rows at the same cell, and says so', async () => {
    const workspaceId = await setup.workspace(100);
    const first = await startFetched(workspaceId, 'anna');
    const second = await startFetched(workspaceId, 'bert');
    const elsewhere = await startFetched(workspaceId, 'cleo', { target_cell: 'K1' });
    setup.google().mishaps.push({ path: /values:batchUpdate/, status: 429, body: errorBody(429, 'Quota exceeded') });
    await expect(setup.advance(first)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    setup.google().requests.length = 0;
    await setup.advance(second);
    expect(setup.google().requests).toEqual([]);
    expect(await setup.run_(second)).toMatchObject({
      stage: 'fetching',
      message: 'The run waits until another import has written its rows at the same cell.',
    });
    for (const run of [elsewhere, first, second]) await setup.advance(run);
    expect(await outcomes([elsewhere, first, second])).toEqual(['OK', 'OK', 'OK']);
    expect((await setup.run_(second)).message).toBe('1 row written.');
  });

  test('a sheet import that waits for a paused one names it, and continues when the paused one is deleted', async () => {
    const workspaceId = await setup.workspace(100);
    const first = await startFetched(workspaceId, 'anna', { label: 'Old list' });
    const second = await startFetched(workspaceId, 'bert');
    await startWriting(setup.db.sql, first);
    const { import_id } = await setup.run_(first);
    await pauseImport(setup.db.sql, workspaceId, import_id, true);
    await setup.advance(second);
    expect(await setup.run_(second)).toMatchObject({
      stage: 'fetching',
      message: expect.stringContaining('The import Old list is paused: resume or delete it.'),
    });
    await removeImport(setup.db.sql, workspaceId, import_id);
    await setup.advance(second);
    expect(await outcomes([second])).toEqual(['OK']);
  });

  test('of two sheet imports that begin to write at the same cell at the same moment only one does', async () => {
    const workspaceId = await setup.workspace(100);
    for (let round = 0; round < 10; round += 1) {
      const runs = [await startFetched(workspaceId, 'anna'), await startFetched(workspaceId, 'bert')];
      const started = await Promise.all(runs.map((run) => startWriting(setup.db.sql, run)));
      expect(started.toSorted()).toEqual([false, true]);
      for (const run of runs) await setup.cancel(run);
      await setup.db.sql`delete from sheet_imports where workspace_id = ${workspaceId}`;
    }
  });
});

describe('a tab that is changed while a sheet import writes into it', () => {
  test.each([
    ['added by another import', /:batchUpdate/, 'New', () => setup.tabs().push(newTab(77, 'New'))],
    ['renamed', /values:batchGet/, 'Sheet1', () => Object.assign(setup.sheet(), { title: 'Old' })],
    ['shortened', /values:batchGet/, 'Sheet1', () => Object.assign(setup.sheet(), { rows: 1 })],
    ['narrowed', /values:batchUpdate/, 'Sheet1', () => Object.assign(setup.sheet(), { columns: 3 })],
  ])('a sheet import whose tab is %s at the same moment tries again', async (_, path, target, meanwhile) => {
    const workspaceId = await setup.workspace(10);
    const run = await startFetched(workspaceId, 'anna', { target_sheet: target });
    setup.google().mishaps.push({ path, meanwhile });
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    expect((await setup.run_(run)).message).toBe(
      `The tab ${target} was changed while the run wrote into it: we try again later.`,
    );
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 1 });
    expect(setup.table(target).slice(0, 2)).toEqual([
      ['URL', 'Followers'],
      [address('anna'), 4321],
    ]);
  });

  test('a sheet import fails with the message of Google when the spreadsheet would get more than 10 million cells', async () => {
    const workspaceId = await setup.workspace(10);
    Object.assign(setup.sheet(), { rows: 384_000 });
    const run = await startFetched(workspaceId, 'anna', { target_sheet: 'New' });
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({
      outcome: 'REFUSED',
      message: expect.stringContaining('above the limit of 10000000 cells'),
    });
    expect(setup.tabs().map(({ title }) => title)).not.toContain('New');
  });

  test('a sheet import tries again when an answer of Google cannot be decompressed', async () => {
    const workspaceId = await setup.workspace(10);
    const run = await startFetched(workspaceId, 'anna');
    setup.google().mishaps.push({ path: /values:batchGet/, broken: true });
    await expect(setup.advance(run)).rejects.toMatchObject({
      problem: 'TRY_AGAIN',
      message: 'The answer of Google could not be read: we try again later.',
    });
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 1 });
  });

  test('a sheet import fails when the table below which it writes is too large to read', async () => {
    const workspaceId = await setup.workspace(10);
    const run = await startFetched(workspaceId, 'anna');
    const large = { values: [['x'.repeat(17 * 1024 * 1024)]] };
    setup.google().mishaps.push({ path: /values:batchGet/, status: 200, body: { valueRanges: [large] } });
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({
      outcome: 'TOO_MANY_ROWS',
      message: 'The cells to read are more than 16 MB: choose a smaller range, or another tab to write into.',
    });
  });
});

test('sheet imports that wait for credits do not keep others from the list of runs that can continue', async () => {
  const workspaceId = await setup.workspace(0);
  const run = await startFetched(workspaceId, 'anna', { max_age: 'new' });
  expect((await setup.runs(workspaceId, (await setup.run_(run)).import_id))[0]).toMatchObject({
    waiting_for: 'INSUFFICIENT_CREDITS',
  });
  const listed = async () => (await unfinishedRuns(setup.db.sql)).map(({ run_id }) => run_id);
  expect(await listed()).not.toContain(run.run_id);
  await setup.topUp(workspaceId, 5);
  await setup.tick();
  await setup.fetch(run);
  expect(await listed()).toContain(run.run_id);
});
