import { afterAll, beforeEach, expect } from 'vitest';
import { findRun, listRuns, type RunId } from '../../../db/deliveries/sheet-import-runs.ts';
import { addImport, findImport } from '../../../db/deliveries/sheet-imports.ts';
import { checkLedger } from '../../../db/money/ledger.ts';
import { analyseBatch } from '../../../pipeline/jobs/analyse-batch.ts';
import { createRunImports } from '../../../pipeline/jobs/run-imports.ts';
import type { Mail } from '../../../pipeline/notify/mail.ts';
import { cancelRun, importItem, runImportNow } from '../../../pipeline/sheets/import-runs.ts';
import { type ImportInput, readImportSettings } from '../../../pipeline/sheets/import-settings.ts';
import { type WriteLimits, writeLimits } from '../../../pipeline/sheets/import-writing.ts';
import { address, createBatchSetup } from '../batches/batch-workspace.ts';
import { type Tab, tableOf, writeValues } from './sheets-grid.ts';
import { type SheetsServer, startSheetsServer } from './sheets-server.ts';

export const spreadsheet = 'invented-spreadsheet-0001';

export const input: ImportInput = {
  label: 'Rivals',
  spreadsheet,
  source_range: 'Sheet1!A2:A',
  source_list: '',
  include_hidden: false,
  kind: 'profiles',
  platform: '',
  posts_each: '',
  fields: 'followers,account_id,bio,retrieved_at,status',
  target_sheet: 'Sheet1',
  target_cell: 'C1',
  mode: 'replace',
  max_age: 'new',
  schedule: 'daily',
  next_run: '2026-11-20T10:00',
  monthly_cap: '',
};

export const columns = ['URL', 'Followers', 'Account ID', 'Bio', 'Retrieved at (UTC)', 'Status'];

/**
 * Creates a database, a queue and a fake Google Sheets API whose spreadsheet has one tab. `restart` replaces the API
 * with an empty one.
 */
export async function createImportSetup() {
  const mails: Mail[] = [];
  const mail = async (one: Mail) => {
    if (one.to.startsWith('refused')) throw new Error('550 no such user');
    mails.push(one);
  };
  const setup = await createBatchSetup([createRunImports({ client: null, mail, limits: writeLimits })]);
  const { sql } = setup.db;
  let server: SheetsServer = await startSheetsServer();
  let tabs: Tab[] = [];
  const job = () => createRunImports({ client: server.client, mail, limits: self.limits });
  const advance = (run: RunId) => job().run([importItem(run)], setup.context);
  const sheet = (title = 'Sheet1') => tabs.find((tab) => tab.title === title) ?? expect.fail(`no tab ${title}`);

  const self = {
    ...setup,
    mails,
    /** The write limits of imports. A test can set smaller limits. */
    limits: writeLimits as WriteLimits,
    google: () => server,
    sheet,
    tabs: () => tabs,
    async restart() {
      setup.reset();
      mails.length = 0;
      self.limits = writeLimits;
      await server.close();
      server = await startSheetsServer();
      tabs = server.share(spreadsheet);
    },
    /** Writes values into the tab as a person does, from this row and column on. */
    type(row: number, column: number, values: unknown[][]) {
      writeValues(sheet(), { row, column }, values, 'RAW');
    },
    /** Writes the profile links of these handles into column A, below the heading. */
    list(...handles: string[]) {
      self.type(1, 1, [['People'], ...handles.map((handle) => [handle === '' ? '' : address(handle)])]);
    },
    async create(workspaceId: string, more: Partial<ImportInput> = {}): Promise<string> {
      server.allow(spreadsheet, workspaceId);
      const settings = readImportSettings({ ...input, ...more }, setup.clock.now);
      return (await addImport(sql, workspaceId, settings, setup.clock.now)) ?? expect.fail('too many imports');
    },
    find: async (workspaceId: string, importId: string) =>
      (await findImport(sql, workspaceId, importId, setup.clock.now)) ?? expect.fail('no import'),
    async start(workspaceId: string, importId: string): Promise<RunId> {
      expect(await runImportNow(setup.context, await self.find(workspaceId, importId))).toBe(true);
      return self.active(workspaceId, importId);
    },
    async active(workspaceId: string, importId: string): Promise<RunId> {
      const run = (await listRuns(sql, workspaceId, importId)).find(({ finished_at }) => finished_at === null);
      return run ?? expect.fail('no run');
    },
    advance,
    fetch: ({ workspace_id, run_id }: RunId) => setup.run({ workspace_id, batch_id: run_id }),
    /** Runs the jobs of an import run as the queue does, until nothing is left to do for now. */
    async finish(run: RunId) {
      await advance(run);
      await self.fetch(run);
      await advance(run);
      return self.run_(run);
    },
    run_: async (run: RunId) => (await findRun(sql, run)) ?? expect.fail('no run'),
    /** Starts an import run as a user does, and finishes the run. */
    go: async (workspaceId: string, importId: string) => self.finish(await self.start(workspaceId, importId)),
    tickImports: () => job().run([{ key: 'run-imports', data: {} }], setup.context),
    cancel: (run: RunId) => cancelRun(setup.context, run),
    runs: (workspaceId: string, importId: string) => listRuns(sql, workspaceId, importId),
    /** Returns the cells of the tab from column C on, row by row. */
    table: (title = 'Sheet1') => tableOf(sheet(title)).map((row) => row.slice(2)),
    async close() {
      await server.close();
      await setup.close();
    },
    analyseBatch,
  };
  return self;
}

export type ImportSetup = Awaited<ReturnType<typeof createImportSetup>>;

/** Creates a user with this email address, who is a member of the workspace. */
export async function keepMember(
  { db: { sql }, clock }: ImportSetup,
  workspaceId: string,
  email: string,
): Promise<void> {
  const user = { id: `user-${email}`, name: 'Ann', email, created_at: clock.now, updated_at: clock.now };
  await sql`insert into auth_users ${sql(user)}`;
  await sql`insert into members ${sql({ workspace_id: workspaceId, user_id: user.id })}`;
}

/**
 * Creates the import setup for a test file. Empties the fake Google Sheets API before each test. After the last test,
 * checks the ledger and closes the setup.
 */
export async function openImportSetup(): Promise<ImportSetup> {
  const setup = await createImportSetup();
  beforeEach(() => setup.restart());
  afterAll(async () => {
    expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
    await setup.close();
  });
  return setup;
}
