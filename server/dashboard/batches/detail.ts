import { html } from 'hono/html';
import type { BatchRow } from '../../../db/deliveries/batch-rows.ts';
import type { Batch, BatchStatus, WaitingFor } from '../../../db/deliveries/batches.ts';
import { count, form, type Piece, tag, time } from '../ui/components.ts';
import { tiles } from '../ui/parts/blocks.ts';
import { liveAttributes } from '../ui/parts/live.ts';
import { type OwnerStep, ownerStep } from '../ui/parts/owner-step.ts';
import type { Visitor } from '../ui/visitor.ts';
import { failureLabel, isLive, stateLabels } from './labels.ts';
import { queryOf, type ResultFilter, resultsCard } from './results.ts';

/**
 * Number of milliseconds between refreshes of the page of a paused batch. The page of a running batch is refreshed more
 * often.
 */
const pausedEveryMs = 10_000;

/**
 * Returns the rows of a batch that can be fetched again: rows that failed, and rows that had not started when the batch
 * was cancelled.
 */
export function failedRows(batch: Pick<Batch, 'status'>, rows: readonly BatchRow[]): BatchRow[] {
  if (isLive(batch)) return [];
  return rows.filter((row) => row.status !== 'OK' && row.status !== 'INVALID_INPUT');
}

/** Everything that the page of a batch shows. */
interface BatchView {
  batch: Batch;
  rows: readonly BatchRow[];
  filter: ResultFilter;
  /** Options of a select field: the tracking lists to which the profiles of the batch can be added. */
  lists: readonly [string, string][];
  visitor: Visitor;
}

/** Returns the page of a batch. While the batch runs, the elements that have an id are refreshed. */
export function batchContent(view: BatchView): Piece {
  const { batch, rows, filter, ...workspace } = view;
  const path = `/dashboard/batches/${batch.batch_id}`;
  return html`${progress(view, `${path}${queryOf(filter)}`)}
<div id="batch-actions" class="row actions">${actions(batch, rows, path)}</div>
${resultsCard(batch, rows, filter, workspace)}
<p><a href="/dashboard/batches">All bulk analyses</a></p>`;
}

function progress({ batch, rows, visitor }: BatchView, path: string): Piece {
  const { status, total, answered, ok, failed, credits } = batch;
  const moving = isLive(batch);
  const also = ['batch-actions', 'batch-rows-facts', 'batch-rows', 'balance'];
  const every = status === 'paused' ? { every_ms: pausedEveryMs } : {};
  const follow = moving ? liveAttributes({ id: 'batch-progress', path, also, ...every }) : null;
  const [label, tone] = stateLabels[status];
  const figures: [string, string][] = [
    ['Succeeded', count(ok)],
    ['Failed', count(failed)],
    ...(moving || answered < total
      ? [[moving ? 'Waiting' : 'Not started', count(total - answered)] as [string, string]]
      : []),
    [moving ? 'Credits so far' : 'Credits', count(credits)],
  ];
  return html`<section id="batch-progress" class="card"${follow} aria-labelledby="batch-state">
<h2 id="batch-state">${count(answered)} of ${count(total)} lines done ${tag(label, tone)}</h2>
<progress max="${total}" value="${answered}" aria-label="Lines done">${answered} of ${total}</progress>
${tiles(figures.map(([label, value]) => ({ label, value })))}
<p role="status">${stateSentences[status]}</p>${outcomes(rows)}${batch.waiting_for ? waiting(batch.waiting_for, total - answered, visitor) : null}
<p class="hint">Created ${time(batch.created_at)} UTC${batch.finished_at ? html`; finished ${time(batch.finished_at)} UTC` : null}.${moving ? html` <a href="${path}">Refresh</a>` : null}</p></section>`;
}

const stateSentences: Record<BatchStatus, string> = {
  queued: 'Queued. You can leave this page; the analysis runs within a minute.',
  running: 'Running. You can leave this page; it continues in the background.',
  paused: 'Paused. No line is lost.',
  finished: 'Finished. Every line has a result below.',
  cancelled:
    'Cancelled. Profiles that were already being fetched are still finished and charged. All results are kept.',
};

/**
 * Returns a summary of the rows of a batch by outcome, such as "96 free · 10 not found". Charged rows are not listed.
 */
function outcomes(rows: readonly BatchRow[]): Piece {
  const free = rows.filter(({ status, credits }) => status === 'OK' && credits === 0).length;
  const failures = Map.groupBy(
    rows.filter(({ status }) => status !== null && status !== 'OK'),
    ({ status }) => failureLabel(String(status)),
  );
  const parts = [
    ...(free > 0 ? [`${count(free)} free`] : []),
    ...[...failures].map(([label, { length }]) => `${count(length)} ${label}`),
  ];
  return parts.length > 0 ? html`<p>${parts.join(' · ')}</p>` : null;
}

/** Texts for each reason why the rows of a batch wait: the reason, and when the rows continue. */
export const waitingReasons: Record<WaitingFor, readonly [string, string]> = {
  INSUFFICIENT_CREDITS: ['You do not have enough credits', 'within 1 minute after credits are added'],
  CAP_REACHED: ['Your monthly cap is reached', 'on the 1st (UTC), or within 1 minute after the cap is raised'],
  PAUSED: ['Checks, analyses and imports are paused', 'within 1 minute after they are resumed'],
  IMPORT_PAUSED: ['The import is paused', 'within 1 minute after it is resumed'],
  IMPORT_CAP_REACHED: [
    'The monthly cap of the import is reached',
    'on the 1st (UTC), or within 1 minute after the cap is raised',
  ],
};

/** The step that ends the wait of a bulk analysis. A batch that waits for its import has no page of its own. */
const waitingSteps: Partial<Record<WaitingFor, OwnerStep>> = {
  INSUFFICIENT_CREDITS: 'credits',
  CAP_REACHED: 'cap',
  PAUSED: 'pause',
};

function waiting(reason: WaitingFor, lines: number, visitor: Visitor): Piece {
  const [why, when] = waitingReasons[reason];
  const step = waitingSteps[reason];
  return html`<p class="notice warn">${why}. ${count(lines)} ${lines === 1 ? 'line is' : 'lines are'} waiting; nothing is lost or charged. The analysis continues ${when}. ${step ? ownerStep(visitor, step) : null}</p>`;
}

function againLabel({ status }: Batch, lines: number): string {
  if (status === 'cancelled') return `Analyze the ${lines === 1 ? 'line' : `${count(lines)} lines`} without a result`;
  return `Analyze the ${lines === 1 ? 'failed line' : `${count(lines)} failed lines`} again`;
}

function actions(batch: Batch, rows: readonly BatchRow[], path: string): Piece {
  const failed = failedRows(batch, rows).length;
  return html`${batch.status === 'paused' ? form(`${path}/resume`, null, 'Resume now') : null}
${
  isLive(batch)
    ? html`<form method="post" action="${path}/cancel" data-confirm="Cancel this analysis? Finished lines and their results stay. The other lines get no result and cost nothing."><button class="danger">Cancel analysis</button></form>`
    : null
}
${failed > 0 ? form(`${path}/rerun`, null, againLabel(batch, failed), 'quiet') : null}
<a class="button quiet" href="${path}/results.csv" download>Download CSV</a>
<a class="button quiet" href="${path}/results.xlsx" download>Download Excel</a>
<a class="button quiet" data-needs="/dashboard/links" href="/dashboard/links?show=batch:${batch.batch_id}">Create a data link…</a>
${
  isLive(batch)
    ? null
    : html`<form method="post" action="${path}/delete" data-confirm="Delete this analysis and its results? You cannot undo this. Data links to it stop working. Its charges stay in the ledger."><button class="danger">Delete analysis</button></form>`
}`;
}
