import { type Batch, findBatch } from '../../db/deliveries/batches.ts';
import { type EndedRun, failureRecipients } from '../../db/deliveries/sheet-import-ends.ts';
import {
  coverCells,
  moveAppendRow,
  noteProblem,
  reserveAppendRow,
  storeMovedCells,
  storeWrittenRows,
} from '../../db/deliveries/sheet-import-progress.ts';
import {
  findRun,
  type ImportRun,
  type RunId,
  startDueRuns,
  startWriting,
  unfinishedRuns,
} from '../../db/deliveries/sheet-import-runs.ts';
import { findImport, type SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { dayMs } from '../../db/durations.ts';
import { createLinkResolver } from '../collect/short-links.ts';
import { mailAll, type SendMail } from '../notify/mail.ts';
import { serviceMail } from '../notify/service-mail.ts';
import { quantity } from '../quantity.ts';
import type { Job, JobContext, JobItem } from '../queue/job.ts';
import { waitForAll } from '../queue/wait-for-all.ts';
import { markCells } from '../sheets/cell-marks.ts';
import { PushError, requireClient, type SheetsClient } from '../sheets/client.ts';
import { checkTarget, widestFields } from '../sheets/import-header.ts';
import { finishRun, importItem, storeLines } from '../sheets/import-runs.ts';
import { followShortLinks, readSource } from '../sheets/import-source.ts';
import { readImportTable } from '../sheets/import-table.ts';
import { cornerOf, type WriteLimits } from '../sheets/import-writing.ts';
import { followMoves } from '../sheets/moved-cells.ts';
import { lostLinks } from '../sheets/moved-source.ts';
import { type ImportWrite, writeImport } from '../sheets/write-import.ts';

/**
 * Maximum milliseconds of one stage of a sheet import (reading the spreadsheet, or writing a part of the rows). A large
 * import writes one part per minute. The limit is shorter than `expireSeconds`, so that two processes never write into
 * the same table at the same time.
 */
const stageTimeoutMs = 120_000;
const expireSeconds = 180;
/**
 * Number of milliseconds without progress after which a temporary error is not retried and ends the sheet import as
 * failed. Pauses and the time of waiting for credits do not count.
 */
const giveUpMs = dayMs;

interface ImportJobSettings {
  client: SheetsClient | null;
  mail: SendMail;
  limits: WriteLimits;
}

/**
 * Creates the job that runs sheet imports. An import reads account links from a user's spreadsheet, queues the links
 * for the job `analyse-batch`, which fetches the data, and then writes the data into the spreadsheet. Every minute, the
 * job starts due imports and continues unfinished imports, including imports of a killed process. The queue retries
 * temporary errors. Any other error ends the import, and the members get an email.
 */
export function createRunImports(settings: ImportJobSettings): Job {
  return {
    name: 'run-imports',
    schedule: '* * * * *',
    items_per_run: 4,
    expire_seconds: expireSeconds,
    retries: 7,
    async run(items, context) {
      await waitForAll(
        items.map((item) => (item.data.run_id === undefined ? wake(context) : advance(item, context, settings))),
      );
    },
  };
}

async function wake({ db, now, queue }: JobContext): Promise<void> {
  await startDueRuns(db.sql, now());
  await queue.send('run-imports', (await unfinishedRuns(db.sql)).map(importItem));
}

/**
 * Continues a run of a sheet import with its next stage (reading, fetching or writing), if this is possible now. Throws
 * temporary and internal errors, so that the queue retries the run.
 */
async function advance({ data }: JobItem, context: JobContext, settings: ImportJobSettings): Promise<void> {
  const id: RunId = { workspace_id: String(data.workspace_id), run_id: String(data.run_id) };
  const { db, now, log } = context;
  const run = await findRun(db.sql, id);
  const current = run && (await findImport(db.sql, run.workspace_id, run.import_id, now()));
  if (!run || !current || current.paused || run.finished_at !== null) return;
  const importSettings: SheetImport = { ...current, ...run.settings };
  try {
    await advanceRun(run, importSettings, context, settings);
  } catch (error) {
    const isTemporary = !(error instanceof PushError) || error.problem === 'TRY_AGAIN';
    if (isTemporary) {
      const since = await noteProblem(db.sql, id, messageOf(error), now());
      if (now().getTime() - since.getTime() < giveUpMs) throw error;
    }
    const end = endOf(error);
    log.warn({ ...id, outcome: end.outcome, err: isTemporary ? error : undefined }, 'a run of a sheet import failed');
    const ended = await finishRun(context, run, importSettings, { ...end, written_rows: null });
    if (ended) await mailFailure(id, importSettings, ended, context, settings.mail);
  }
}

function messageOf(error: unknown): string {
  if (error instanceof PushError) return error.message;
  return 'The run failed on our side: the error is logged and the run is tried again.';
}

/** Returns the outcome and the message with which this error ends a run. */
function endOf(error: unknown): { outcome: string; message: string } {
  if (!(error instanceof PushError)) {
    const message = 'The run failed on our side for 24 hours, so it was ended. The error is logged: choose Run now.';
    return { outcome: 'INTERNAL', message };
  }
  if (error.problem !== 'TRY_AGAIN') return { outcome: error.problem, message: error.message };
  const message = 'Google was busy or did not answer for 24 hours, so the run was ended: choose Run now.';
  return { outcome: 'NO_ANSWER', message };
}

async function advanceRun(
  run: ImportRun,
  settings: SheetImport,
  context: JobContext,
  { client, limits }: ImportJobSettings,
): Promise<void> {
  const google = { client: requireClient(client), limits, signal: AbortSignal.timeout(stageTimeoutMs) };
  if (run.stage === 'reading') {
    const { settings: moved, lost_links } = await followUser(run, settings, context, google);
    if (lost_links) throw lostLinks(settings, lost_links);
    await checkTarget(google.client, moved, google.signal);
    const lines = await readSource(google.client, moved, google.signal);
    return storeLines(context, run, moved, await followShortLinks(lines, createLinkResolver(context.sources)));
  }
  const { db } = context;
  const batch = await findBatch(db.sql, { workspace_id: run.workspace_id, batch_id: run.run_id });
  if (batch?.status !== 'finished') return;
  if (batch.kind !== settings.kind) return endChanged(run, settings, context);
  if (run.stage === 'fetching' && !(await startWriting(db.sql, run))) return;
  await writeRows({ run, batch, settings }, context, google);
}

/**
 * Returns the settings of the run with the cells to which a user has moved the table and the links of the import.
 * Stores and marks these cells, unless the links were deleted, because new marks would hide this from the next run.
 */
async function followUser(
  run: RunId,
  settings: SheetImport,
  { db }: Pick<JobContext, 'db'>,
  { client, signal }: Pick<ImportWrite, 'client' | 'signal'>,
): Promise<Awaited<ReturnType<typeof followMoves>>> {
  const followed = await followMoves(client, settings, signal);
  const { settings: moved, lost_links } = followed;
  if (moved === settings || lost_links) return followed;
  await storeMovedCells(db.sql, run, settings, moved, cornerOf(moved).row - cornerOf(settings).row);
  if (moved.covered_fields === null) return followed;
  // Marks the cells at their new place now, so that the run also follows them when they are moved before it writes.
  await markCells(client, moved, signal);
  return { ...followed, is_marked: true };
}

/** A run of a sheet import whose data was fetched. `batch` contains the fetched rows. */
interface FetchedRun {
  run: ImportRun;
  batch: Batch;
  settings: SheetImport;
}

async function writeRows(
  fetched: FetchedRun,
  context: JobContext,
  google: Pick<ImportWrite, 'client' | 'limits' | 'signal'>,
): Promise<void> {
  const { run, batch } = fetched;
  const { db } = context;
  const { settings, is_marked, lost_links } = await followUser(run, fetched.settings, context, google);
  // After the links were deleted, the moved cells are not stored, so the import is stored with its former cells.
  const stored = lost_links ? fetched.settings : settings;
  const table = await readImportTable(db.sql, batch, settings);
  const state = {
    written: run.written_rows ?? 0,
    advance: (rows: number) => storeWrittenRows(db.sql, run, rows),
    cover: (covered: Parameters<typeof coverCells>[2]) => coverCells(db.sql, run, stored, covered),
    reserve: (row: number) => reserveAppendRow(db.sql, run, row),
    move: (row: number, rows: number) => moveAppendRow(db.sql, run, row, rows),
  };
  const written = await writeImport({ ...google, target: settings, table, state });
  // Later calls of the same run must not send more write requests to Google than their rows need.
  const replaces = settings.mode === 'replace';
  const covered = {
    covered_rows: replaces ? table.keys.length : 0,
    covered_fields: replaces ? settings.fields : widestFields(settings),
  };
  const isCurrent =
    is_marked &&
    settings.covered_rows === covered.covered_rows &&
    settings.covered_fields?.length === covered.covered_fields.length;
  if (!isCurrent && !lost_links && state.written === 0)
    await markCells(google.client, { ...settings, ...covered }, google.signal);
  if (written === null) return checkProgress(fetched, context);
  const message = `${quantity(written, 'row')} written.`;
  await finishRun(context, run, settings, { outcome: 'OK', message, written_rows: written });
}

/**
 * Throws PushError when a run has written no further row for 24 hours. Without this limit, a run whose rows someone
 * keeps deleting would never end. A run that has made progress since its last call continues, even after a pause or
 * outage of more than a day.
 */
async function checkProgress({ run, batch }: FetchedRun, { db, now }: JobContext): Promise<void> {
  const before = run.written_rows ?? 0;
  const after = (await findRun(db.sql, run))?.written_rows ?? 0;
  const since = batch.finished_at ?? run.started_at;
  if (after > before || now().getTime() - since.getTime() < giveUpMs) return;
  throw new PushError(
    'SHEET_CHANGED',
    'The table was changed while the run wrote its rows, which could not all be written within 24 hours: choose Run now.',
  );
}

/**
 * Ends a run whose import was changed after the start, because its rows lack the columns of the import. Only runs that
 * an earlier version started can get here, because those runs did not store their settings.
 */
async function endChanged(run: ImportRun, settings: SheetImport, context: JobContext): Promise<void> {
  const message = 'The import was changed during this run, so the run was ended: choose Run now.';
  await finishRun(context, run, settings, { outcome: 'CANCELLED', message, written_rows: null });
}

/**
 * Emails the members when a sheet import fails. Sends nothing when the previous run failed too, unless this failure
 * paused the import. Logs errors of the mail server instead of throwing them, because the dashboard shows the failed
 * import anyway.
 */
async function mailFailure(
  run: RunId,
  { label, import_id }: SheetImport,
  { message, paused }: EndedRun,
  { db, base_url, log }: JobContext,
  mail: SendMail,
): Promise<void> {
  const failure = {
    subject: `Sheet import failed: ${label}`,
    lines: [
      `The sheet import ${label} failed: ${message}`,
      paused
        ? 'No further run starts until you resume it.'
        : 'You will not get another email until a run succeeds again or the import is paused.',
    ],
    action: { label: 'See its runs or change it', url: `${base_url}/dashboard/imports/${import_id}` },
  };
  const addresses = await failureRecipients(db.sql, run, paused);
  const errors = await mailAll(
    addresses.map((to) => serviceMail(to, failure)),
    mail,
  );
  for (const err of errors) log.error({ err, ...run }, 'an email about a failed sheet import could not be sent');
}
