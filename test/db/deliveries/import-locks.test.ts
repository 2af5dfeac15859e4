import { beforeEach, describe, expect, test } from 'vitest';
import { removeRuns, startRun } from '../../../db/deliveries/sheet-import-runs.ts';
import { addImport, findImport, type ImportSettings, removeImport } from '../../../db/deliveries/sheet-imports.ts';
import { noLinkFailures } from '../../../pipeline/collect/short-links.ts';
import { cancelRun, storeLines } from '../../../pipeline/sheets/import-runs.ts';
import { collide } from '../../setup/lock-waits.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { db, sql, now } = setup;
let workspaceId: string;
beforeEach(async () => {
  workspaceId = await setup.workspace();
});

const settings: ImportSettings = {
  ...{ label: 'import', spreadsheet_id: 's', source_range: null, source_list: 'https://www.instagram.com/a/' },
  ...{ include_hidden: false, kind: 'profiles', platform: null, posts_each: null, fields: ['url'], target_sheet: 't' },
  ...{ target_cell: 'A1', mode: 'replace', max_age_seconds: 0, every_seconds: null, next_run_at: null },
  monthly_cap: null,
};

async function runningImport() {
  const importId = (await addImport(sql, workspaceId, settings, now)) ?? '';
  const run = await startRun(sql, workspaceId, importId, now);
  if (!run) throw new Error('The run did not start.');
  const plan = { kind: 'profiles', posts_each: null, max_age_seconds: 0, import_id: importId } as const;
  await setup.batch({ workspace_id: workspaceId, batch_id: run.run_id }, 'OK', plan);
  return { importId, run };
}

const queue = { send: async () => undefined };

describe('the removal of a sheet import', () => {
  test('the removal of a sheet import does not deadlock with the cancellation of a run', async () => {
    const { importId, run } = await runningImport();
    const [removed] = await collide(
      sql,
      (tx) => tx`select from batches where workspace_id = ${workspaceId} and batch_id = ${run.run_id} for update`,
      () => removeImport(sql, workspaceId, importId),
      () => cancelRun({ db, queue, now: () => now }, run),
    );
    expect(removed).toBe(true);
  });

  test('the removal of a sheet import does not deadlock with the deletion of its old runs', async () => {
    const { importId, run } = await runningImport();
    await sql`update sheet_import_runs set stage = 'ended', finished_at = ${new Date(0)} where run_id = ${run.run_id}`;
    const [removed] = await collide(
      sql,
      (tx) => tx`select from batches where workspace_id = ${workspaceId} and batch_id = ${run.run_id} for update`,
      () => removeImport(sql, workspaceId, importId),
      () => removeRuns(sql, now),
    );
    expect(removed).toBe(true);
  });

  test('the removal of a sheet import also deletes the batch that a run stores at the same moment', async () => {
    const importId = (await addImport(sql, workspaceId, settings, now)) ?? '';
    const run = await startRun(sql, workspaceId, importId, now);
    const found = await findImport(sql, workspaceId, importId, now);
    if (!run || !found) throw new Error('The run did not start.');
    const lines = [{ row_no: 1, cells: ['https://www.instagram.com/invented/'] }];
    const [, removed] = await collide(
      sql,
      (tx) => tx`select from workspaces where workspace_id = ${workspaceId} for update`,
      () => storeLines({ db, queue, now: () => now }, run, found, { lines, failures: noLinkFailures }),
      () => removeImport(sql, workspaceId, importId),
    );
    expect(removed).toBe(true);
    expect(await sql`select from batches where workspace_id = ${workspaceId}`).toHaveLength(0);
  });
});
