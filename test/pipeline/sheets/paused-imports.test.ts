import { expect, test } from 'vitest';
import { endRun } from '../../../db/deliveries/sheet-import-ends.ts';
import { pauseImport } from '../../../db/deliveries/sheet-imports.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { ImportInput } from '../../../pipeline/sheets/import-settings.ts';
import { untilLockWaits } from '../../setup/lock-waits.ts';
import { keepMember, openImportSetup } from './import-setup.ts';
import { protectedMessage } from './sheets-grid.ts';

const setup = await openImportSetup();

const dayMs = 24 * 3_600_000;
const notice =
  'Two runs in a row were charged but could not write their rows, so the import was paused. Solve the problem, then choose Resume: no run starts before that.';

/** Creates a daily import of one link whose rows cannot be written. */
async function createFailing(credits: number, more: Partial<ImportInput> = {}) {
  setup.list('anna');
  const workspaceId = await setup.workspace(credits);
  const importId = await setup.create(workspaceId, more);
  protect();
  const nextDay = () => {
    setup.clock.now = new Date(setup.clock.now.getTime() + dayMs);
  };
  return {
    workspaceId,
    importId,
    isPaused: async () => (await setup.find(workspaceId, importId)).paused,
    /** Moves the clock to the next day, and runs the import as the schedule does. */
    async scheduled() {
      nextDay();
      await setup.tickImports();
      return setup.finish(await setup.active(workspaceId, importId));
    },
    async manual() {
      nextDay();
      return setup.go(workspaceId, importId);
    },
  };
}

/** Protects the cells of the table, so that Google refuses to write to them. */
const protect = () => setup.sheet().protected_areas.push({ row: 1, column: 3, last_row: 9, last_column: 9 });
const unprotect = () => setup.sheet().protected_areas.splice(0);

test('a sheet import is paused after two scheduled runs that were charged and could not write, and says how to resume', async () => {
  const { workspaceId, importId, isPaused, scheduled } = await createFailing(10);
  await keepMember(setup, workspaceId, `ann@${workspaceId}.example`);
  expect(await scheduled()).toMatchObject({ outcome: 'REFUSED', message: expect.not.stringContaining('paused') });
  expect(await isPaused()).toBe(false);
  const second = await scheduled();
  expect(second).toMatchObject({ outcome: 'REFUSED', written_rows: null });
  expect(second.message).toContain(protectedMessage);
  expect(second.message).toMatch(new RegExp(`${notice}$`));
  expect(await isPaused()).toBe(true);
  expect(setup.mails.map(({ text }) => text.includes(notice))).toEqual([false, true]);
  expect(setup.mails[0]?.text).toContain(
    'You will not get another email until a run succeeds again or the import is paused.',
  );
  expect(setup.mails[1]?.text).toContain('No further run starts until you resume it.');
  setup.clock.now = new Date(setup.clock.now.getTime() + 7 * dayMs);
  await setup.tickImports();
  expect(await setup.runs(workspaceId, importId)).toHaveLength(2);
  expect(await setup.balance(workspaceId)).toBe(8);
});

test('a resumed sheet import is paused again after one more run that was charged and could not write, and runs on when it can write', async () => {
  const { workspaceId, importId, isPaused, scheduled } = await createFailing(10);
  await scheduled();
  await scheduled();
  await pauseImport(setup.db.sql, workspaceId, importId, false);
  await scheduled();
  expect(await isPaused()).toBe(true);
  expect(await setup.balance(workspaceId)).toBe(7);
  await pauseImport(setup.db.sql, workspaceId, importId, false);
  unprotect();
  expect(await scheduled()).toMatchObject({ outcome: 'OK' });
  protect();
  expect(await scheduled()).toMatchObject({ outcome: 'REFUSED' });
  expect(await isPaused()).toBe(false);
});

test('a run that fails before it is charged neither pauses a sheet import nor forgets a charged run before it', async () => {
  const { isPaused, scheduled } = await createFailing(10);
  await scheduled();
  setup.google().hidden.add('invented-spreadsheet-0001');
  expect(await scheduled()).toMatchObject({ outcome: 'NOT_SHARED' });
  expect(await scheduled()).toMatchObject({ outcome: 'NOT_SHARED' });
  expect(await isPaused()).toBe(false);
  setup.google().hidden.clear();
  await scheduled();
  expect(await isPaused()).toBe(true);
});

test('runs that people start do not pause a sheet import, but count as charged before a scheduled run', async () => {
  const { isPaused, scheduled, manual } = await createFailing(10);
  await manual();
  await manual();
  expect(await isPaused()).toBe(false);
  await scheduled();
  expect(await isPaused()).toBe(true);
});

test('a sheet import whose failed runs get cached rows for free is not paused', async () => {
  const { workspaceId, isPaused, scheduled } = await createFailing(10, { max_age: '30d' });
  setup.list('cleo');
  for (let run = 0; run < 3; run += 1) await scheduled();
  expect(await setup.balance(workspaceId)).toBe(9);
  expect(await isPaused()).toBe(false);
});

test('the end of a run and the deletion of its sheet import at the same moment cause no deadlock', async () => {
  const { workspaceId, importId } = await createFailing(10);
  const run = await setup.start(workspaceId, importId);
  const { sql } = setup.db;
  const work = await inTransaction(sql, async (tx) => {
    await tx`select from sheet_imports where workspace_id = ${workspaceId} and import_id = ${importId} for update`;
    const end = { outcome: 'REFUSED', message: 'Refused.', written_rows: null, now: setup.clock.now };
    const ended = endRun(sql, run, end);
    await untilLockWaits(sql, 1);
    await tx`delete from sheet_imports where workspace_id = ${workspaceId} and import_id = ${importId}`;
    return { ended };
  });
  expect(await work.ended).toBe(null);
});
