import { html } from 'hono/html';
import { dayOf } from '../../../db/calendar.ts';
import { type BatchRow, listRows } from '../../../db/deliveries/batch-rows.ts';
import { type Batch, listBatches } from '../../../db/deliveries/batches.ts';
import { isId, newId } from '../../../db/ids.ts';
import { readWorkSettings } from '../../../db/tracking/work-settings.ts';
import {
  BatchError,
  batchResults,
  cancelBatch,
  createBatch,
  deleteBatch,
  ownCells,
  readBatch,
  resumeBatch,
} from '../../../pipeline/batches/batches.ts';
import { hasTooManyLines } from '../../../pipeline/batches/lines.ts';
import { noLinkFailures, resolveAll } from '../../../pipeline/collect/short-links.ts';
import { type TableFormat, tableResponse } from '../../http/attachment.ts';
import type { BatchesDeps } from '../deps.ts';
import { card, count, notice, type Piece, success, table, tag, time, titleColumn } from '../ui/components.ts';
import { linksOf } from '../ui/forms/followed-links.ts';
import { listWithForm } from '../ui/parts/blocks.ts';
import { whoCan } from '../ui/rules.ts';
import { type FormVisit, type Page, PageNotFound, redirect, type Section, text, type Visit } from '../ui/section.ts';
import { batchContent, failedRows } from './detail.ts';
import { batchName, stateLabels } from './labels.ts';
import { type BatchInput, newBatchForm, ownColumnsIn, previewContent, readBatchInput, refusedList } from './new.ts';
import { resultFilterIn } from './results.ts';
import { trackingListChoices, trackRows } from './track.ts';

const area = '/dashboard/batches';
const batchesPerPage = 25;

/**
 * Creates the pages of bulk analysis: preview a list of profiles, start it, follow its progress, and download the
 * results.
 */
export function batchesSection(deps: BatchesDeps): Section {
  return {
    menu: { path: area, label: 'Bulk analysis' },
    pages: {
      [area]: (visit) => listPage(visit, deps),
      [`${area}/preview`]: async () => redirect(area),
      [`${area}/:batch_id`]: (visit) => batchPage(visit, deps, null),
      [`${area}/:batch_id/results.csv`]: (visit) => results(visit, deps, 'csv'),
      [`${area}/:batch_id/results.xlsx`]: (visit) => results(visit, deps, 'xlsx'),
    },
    forms: {
      [`${area}/preview`]: (visit) => preview(visit, deps),
      [area]: (visit) => start(visit, deps),
      [`${area}/:batch_id/cancel`]: (visit) => change(visit, deps, cancelBatch),
      [`${area}/:batch_id/resume`]: (visit) => change(visit, deps, resumeBatch),
      [`${area}/:batch_id/rerun`]: (visit) => rerun(visit, deps),
      [`${area}/:batch_id/track`]: (visit) => track(visit, deps),
      [`${area}/:batch_id/delete`]: (visit) =>
        change(visit, deps, deleteBatch, () => redirect(area, 'analysis-deleted')),
    },
    // The preview gets the file, and its start button sends the whole list again.
    uploads: [`${area}/preview`, area],
    audits: {
      [`${area}/:batch_id/delete`]: {
        action: 'deleted a bulk analysis',
        subject: async (visit) => batchName((await findOwn(visit, deps)).batch),
      },
    },
    notices: { 'analysis-deleted': 'Bulk analysis deleted.' },
  };
}

async function listPage({ url, visitor }: Visit, { db }: BatchesDeps): Promise<Page> {
  const start = whoCan(visitor, area, 'Paste a list of profiles below to start one.', 'start one');
  const before = url.searchParams.get('before');
  if (before !== null && !isId(before)) throw new PageNotFound();
  const found = await listBatches(db.sql, visitor.workspace_id, { before, limit: batchesPerPage + 1 });
  const shown = found.slice(0, batchesPerPage);
  const older = found.length > shown.length ? shown.at(-1) : null;
  const list = html`${shown.length === 0 ? html`<p>${before ? 'No older analyses.' : `No bulk analyses yet. ${start}`}</p>` : batchTable(shown)}
${older ? html`<p><a href="${area}?before=${older.batch_id}">Older analyses</a></p>` : null}`;
  const newest = before === null ? null : html`<p><a href="${area}">Newest analyses</a></p>`;
  const add = {
    label: 'New bulk analysis',
    form: newest ? null : newBatchForm(visitor),
    entries: shown.length,
    is_open: false,
  };
  const content = html`${newest}${listWithForm(card('Your bulk analyses', list), add)}`;
  return { title: 'Bulk analysis', content };
}

function batchTable(batches: readonly Batch[]): Piece {
  const number = (heading: string) => ({ heading, number: true });
  const columns = [
    titleColumn('Name'),
    'Status',
    number('Lines'),
    number('Succeeded'),
    number('Failed'),
    number('Credits'),
    { heading: 'Created', time: true },
  ];
  const rows = batches.map((batch) => {
    const [label, tone] = stateLabels[batch.status];
    return [
      html`<a href="${area}/${batch.batch_id}">${batchName(batch)}</a>`,
      tag(label, tone),
      count(batch.total),
      count(batch.ok),
      count(batch.failed),
      count(batch.credits),
      time(batch.created_at),
    ];
  });
  return table('Bulk analyses of this workspace, newest first', columns, rows, { as_cards: true });
}

async function preview(visit: FormVisit, deps: BatchesDeps): Promise<Page> {
  const input = await readBatchInput(visit, deps);
  if (!('problem' in input)) return previewPage(visit, deps, input);
  const { form, visitor } = visit;
  const typed = { name: text(form, 'name'), text: text(form, 'lines'), handles_on: text(form, 'handles_on') };
  const content = html`${notice(input.problem, 'bad')}${refusedList(visitor, typed)}`;
  return { title: 'New bulk analysis', content, status: 400 };
}

async function previewPage({ visitor }: Visit, deps: BatchesDeps, input: BatchInput): Promise<Page> {
  const settings = await readWorkSettings(deps.db.sql, visitor.workspace_id, deps.now());
  const once = newId(deps.now());
  const { content, status } = await previewContent(visitor, input, settings, { ...deps, once });
  return { title: 'New bulk analysis', content: html`${content}`, status };
}

async function start(visit: FormVisit, deps: BatchesDeps): Promise<Page | Response> {
  const { form, visitor } = visit;
  const field = form.get('lines');
  const sent = typeof field === 'string' ? field.split(/\r\n|[\r\n]/).map((line) => line.trim()) : [];
  const { texts: lines, failures } = hasTooManyLines(sent, visitor.tier)
    ? { texts: sent, failures: noLinkFailures }
    : await resolveAll(sent, linksOf(visitor, deps));
  const once = text(form, 'once');
  const name = text(form, 'name');
  try {
    const { workspace_id, tier } = visitor;
    const batch = await createBatch(deps, workspace_id, tier, lines, {
      name,
      once: isId(once) ? once : null,
      own: ownColumnsIn(form),
      failures,
    });
    return redirect(`${area}/${batch.batch_id}`);
  } catch (error) {
    const content = html`${notice(messageOf(error), 'bad')}${refusedList(visitor, { name, text: lines.join('\n') })}`;
    return { title: 'New bulk analysis', content, status: 400 };
  }
}

async function findOwn({ params, visitor }: Visit, { db }: BatchesDeps): Promise<{ batch: Batch; rows: BatchRow[] }> {
  try {
    const batch = await readBatch(db.sql, visitor.workspace_id, params.batch_id ?? '');
    // The rows of a sheet import are shown on the page of the import instead.
    if (batch.import_id !== null) throw new PageNotFound();
    return { batch, rows: await listRows(db.sql, batch) };
  } catch (error) {
    throw error instanceof BatchError ? new PageNotFound() : error;
  }
}

async function batchPage(visit: Visit, deps: BatchesDeps, problem: string | null, done?: string): Promise<Page> {
  const { batch, rows } = await findOwn(visit, deps);
  const lists = await trackingListChoices(batch, deps);
  const view = { batch, rows, filter: resultFilterIn(visit.url.searchParams), lists, visitor: visit.visitor };
  const content = html`${notice(problem, 'bad')}${success(done ?? null)}${batchContent(view)}`;
  return { title: batchName(batch), content, status: problem ? 400 : 200 };
}

async function track(visit: FormVisit, deps: BatchesDeps): Promise<Page> {
  const result = await trackRows(visit, await findOwn(visit, deps), deps);
  return 'problem' in result ? batchPage(visit, deps, result.problem) : batchPage(visit, deps, null, result.done);
}

async function results(visit: Visit, deps: BatchesDeps, format: TableFormat): Promise<Response> {
  const { batch } = await findOwn(visit, deps);
  const { columns, rows, own } = await batchResults(deps.db.sql, batch.workspace_id, batch.batch_id);
  return tableResponse(`batch-${dayOf(batch.created_at)}`, format, columns, rows, own);
}

/**
 * Changes a batch with `work`. Returns `next(path of the batch)`, which redirects to the page of the batch by default.
 */
async function change(
  visit: FormVisit,
  deps: BatchesDeps,
  work: (deps: BatchesDeps, workspaceId: string, batchId: string) => Promise<unknown>,
  next = (path: string) => redirect(path),
): Promise<Page | Response> {
  const { batch } = await findOwn(visit, deps);
  try {
    await work(deps, batch.workspace_id, batch.batch_id);
    return next(`${area}/${batch.batch_id}`);
  } catch (error) {
    return batchPage(visit, deps, messageOf(error));
  }
}

/** Returns the preview of a new batch that contains only the failed rows of an earlier batch. */
async function rerun(visit: FormVisit, deps: BatchesDeps): Promise<Page> {
  const { batch, rows } = await findOwn(visit, deps);
  const failed = failedRows(batch, rows);
  const sent = failed.map(({ url }) => url);
  const own = batch.own_headings && { headings: batch.own_headings, rows: failed.map(ownCells) };
  if (sent.length === 0) return batchPage(visit, deps, 'This analysis has no failed lines to fetch again.');
  const { texts: lines, failures } = await resolveAll(sent, linksOf(visit.visitor, deps));
  return previewPage(visit, deps, { lines, failures, name: batch.name ?? '', heading: null, heading_line: 0, own });
}

/** Returns the message for the user when a batch was refused. Rethrows any other error. */
function messageOf(error: unknown): string {
  if (error instanceof BatchError) return error.message;
  throw error;
}
