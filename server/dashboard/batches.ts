import { html } from 'hono/html';
import { type BatchRow, listRows } from '../../db/batch-rows.ts';
import { type Batch, listBatches } from '../../db/batches.ts';
import { newId } from '../../db/ids.ts';
import { readWorkSettings } from '../../db/work-settings.ts';
import { BatchError, batchCsv, cancelBatch, createBatch, readBatch, resumeBatch } from '../../pipeline/batches.ts';
import { isId } from '../../pipeline/campaigns.ts';
import { attachmentResponse } from '../attachment.ts';
import { newBatchForm, previewContent, readWish } from './batches-new.ts';
import { batchContent, failedRows } from './batches-one.ts';
import { stateWords } from './batches-words.ts';
import type { BatchesDeps } from './deps.ts';
import { type FormVisit, type Page, PageNotFound, redirect, type Section, text, type Visit } from './section.ts';
import { card, count, notice, type Piece, table, tag, time } from './ui.ts';

const area = '/dashboard/batches';
const batches_per_page = 25;

/** Bulk analysis: a list of profile addresses is previewed, started, followed, and taken away as CSV. */
export function batchesSection(deps: BatchesDeps): Section {
  return {
    menu: { path: area, label: 'Bulk analysis' },
    pages: {
      [area]: (visit) => listPage(visit, deps),
      [`${area}/preview`]: async () => redirect(area),
      [`${area}/:batch_id`]: (visit) => batchPage(visit, deps, null),
      [`${area}/:batch_id/results.csv`]: (visit) => results(visit, deps),
    },
    forms: {
      [`${area}/preview`]: (visit) => preview(visit, deps),
      [area]: (visit) => start(visit, deps),
      [`${area}/:batch_id/cancel`]: (visit) => change(visit, deps, cancelBatch, 'batch-cancelled'),
      [`${area}/:batch_id/resume`]: (visit) => change(visit, deps, resumeBatch, 'batch-resumed'),
      [`${area}/:batch_id/rerun`]: (visit) => rerun(visit, deps),
    },
    notices: {
      'batch-started': 'The batch is started. You may leave this page: it goes on by itself.',
      'batch-cancelled': 'The batch is cancelled. Rows that were under way are still answered; what is answered stays.',
      'batch-resumed': 'The batch waits for its turn again.',
    },
  };
}

async function listPage({ url, visitor }: Visit, { db }: BatchesDeps): Promise<Page> {
  const before = url.searchParams.get('before');
  if (before !== null && !isId(before)) throw new PageNotFound();
  const found = await listBatches(db.sql, visitor.workspace_id, { before, limit: batches_per_page + 1 });
  const shown = found.slice(0, batches_per_page);
  const older = found.length > shown.length ? shown.at(-1) : null;
  const list = html`${shown.length === 0 ? html`<p>${before ? 'There is no older batch.' : 'There is no batch yet.'}</p>` : batchTable(shown)}
${older ? html`<p><a href="${area}?before=${older.batch_id}">Older</a></p>` : null}`;
  const content = html`${before === null ? card('New batch', newBatchForm(visitor)) : html`<p><a href="${area}">Newest</a></p>`}
${card('Batches', list)}`;
  return { title: 'Bulk analysis', content };
}

function batchTable(batches: readonly Batch[]): Piece {
  const number = (heading: string) => ({ heading, number: true });
  const columns = ['Batch', 'State', number('Lines'), number('Read'), number('Failed'), number('Credits'), 'Started'];
  const rows = batches.map((batch) => {
    const [word, tone] = stateWords[batch.status];
    return [
      html`<a href="${area}/${batch.batch_id}">${batch.name ?? `Batch of ${batch.created_at.toISOString().slice(0, 10)}`}</a>`,
      tag(word, tone),
      count(batch.total),
      count(batch.ok),
      count(batch.failed),
      count(batch.credits),
      time(batch.created_at),
    ];
  });
  return table('Batches of this workspace, newest first; times in UTC', columns, rows);
}

async function preview(visit: FormVisit, deps: BatchesDeps): Promise<Page> {
  const wish = await readWish(visit);
  if (!('problem' in wish)) return previewPage(visit, deps, wish);
  const content = html`${notice(wish.problem, 'bad')}${newBatchForm(visit.visitor)}`;
  return { title: 'New batch', content, status: 400 };
}

async function previewPage(
  { visitor }: Visit,
  deps: BatchesDeps,
  wish: Parameters<typeof previewContent>[1],
): Promise<Page> {
  const settings = await readWorkSettings(deps.db.sql, visitor.workspace_id, deps.now());
  const once = newId(deps.now());
  const { content, status } = await previewContent(visitor, wish, settings, { ...deps, once });
  return { title: 'New batch', content: html`${content}`, status };
}

async function start(visit: FormVisit, deps: BatchesDeps): Promise<Page | Response> {
  const { form, visitor } = visit;
  const sent = form.get('lines');
  const lines = typeof sent === 'string' ? sent.split(/\r\n|[\r\n]/) : [];
  const once = text(form, 'once');
  const name = text(form, 'name');
  try {
    const { workspace_id, tier } = visitor;
    const batch = await createBatch(deps, workspace_id, tier, lines, name, isId(once) ? once : null);
    return redirect(`${area}/${batch.batch_id}`, 'batch-started');
  } catch (error) {
    const content = html`${notice(sentenceOf(error), 'bad')}${newBatchForm(visitor, { name, text: lines.join('\n') })}`;
    return { title: 'New batch', content, status: 400 };
  }
}

async function findOwn({ params, visitor }: Visit, { db }: BatchesDeps): Promise<{ batch: Batch; rows: BatchRow[] }> {
  try {
    const batch = await readBatch(db.sql, visitor.workspace_id, params.batch_id ?? '');
    return { batch, rows: await listRows(db.sql, batch) };
  } catch (error) {
    throw error instanceof BatchError ? new PageNotFound() : error;
  }
}

async function batchPage(visit: Visit, deps: BatchesDeps, problem: string | null): Promise<Page> {
  const { batch, rows } = await findOwn(visit, deps);
  const content = html`${notice(problem, 'bad')}${batchContent(batch, rows)}`;
  return { title: batch.name ?? 'Batch', content, status: problem ? 400 : 200 };
}

async function results(visit: Visit, deps: BatchesDeps): Promise<Response> {
  const { batch } = await findOwn(visit, deps);
  const csv = await batchCsv(deps.db.sql, batch.workspace_id, batch.batch_id);
  return attachmentResponse(`batch-${batch.created_at.toISOString().slice(0, 10)}`, 'csv', csv);
}

async function change(
  visit: FormVisit,
  deps: BatchesDeps,
  wish: typeof cancelBatch,
  done: string,
): Promise<Page | Response> {
  const { batch } = await findOwn(visit, deps);
  try {
    await wish(deps, batch.workspace_id, batch.batch_id);
    return redirect(`${area}/${batch.batch_id}`, done);
  } catch (error) {
    return batchPage(visit, deps, sentenceOf(error));
  }
}

/** Shows what the failed rows would cost as a batch of their own. */
async function rerun(visit: FormVisit, deps: BatchesDeps): Promise<Page> {
  const { batch, rows } = await findOwn(visit, deps);
  const lines = failedRows(batch, rows).map(({ url }) => url);
  if (lines.length === 0) return batchPage(visit, deps, 'No row of this batch can be tried again.');
  return previewPage(visit, deps, { lines, name: batch.name ?? '', heading: null });
}

/** What is wrong with the wish; other failures are ours. */
function sentenceOf(error: unknown): string {
  if (error instanceof BatchError) return error.message;
  throw error;
}
