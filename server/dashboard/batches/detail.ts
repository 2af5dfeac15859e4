import { html } from 'hono/html';
import type { BatchRow } from '../../../db/deliveries/batch-rows.ts';
import type { Batch, WaitingFor } from '../../../db/deliveries/batches.ts';
import type { ProfileRow } from '../../../pipeline/rows/profile-row.ts';
import { card, count, form, type Piece, table, tag, time } from '../ui/components.ts';
import { failureLabel, stateLabels } from './labels.ts';

const live = ['queued', 'running', 'paused'];
/** Number of milliseconds between refreshes of a paused batch. A running batch is refreshed more often. */
const pausedEveryMs = 10_000;

/** Returns the rows that can be fetched again: they failed, or the batch was cancelled before they started. */
export function failedRows({ status }: Pick<Batch, 'status'>, rows: readonly BatchRow[]): BatchRow[] {
  if (live.includes(status)) return [];
  return rows.filter((row) => row.status !== 'OK' && row.status !== 'INVALID_INPUT');
}

/** Returns the page of a batch. While the batch runs, a script in the page refreshes the elements that have an id. */
export function batchContent(batch: Batch, rows: readonly BatchRow[]): Piece {
  const path = `/dashboard/batches/${batch.batch_id}`;
  return html`${progress(batch, rows, path)}
<div id="batch-actions" class="row actions">${actions(batch, rows, path)}</div>
${card('Results', resultTable(batch, rows))}
<p><a href="/dashboard/batches">All batches</a></p>`;
}

function progress(batch: Batch, rows: readonly BatchRow[], path: string): Piece {
  const { status, total, answered, ok, failed, credits } = batch;
  const moving = live.includes(status);
  const every = status === 'paused' ? html` data-every="${pausedEveryMs}"` : null;
  const follow = moving ? html` data-live="${path}" data-also="batch-actions batch-rows balance"${every}` : null;
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
<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${outcomes(rows)}${batch.waiting_for ? waiting(batch.waiting_for, total - answered) : null}
<p class="hint">Started ${time(batch.created_at)} UTC${batch.finished_at ? html`; finished ${time(batch.finished_at)} UTC` : null}.${moving ? html` <a href="${path}">Refresh</a>` : null}</p></section>`;
}

/** Summarizes the rows by outcome, such as "96 free · 10 not found". Charged rows are not listed. */
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

/** Why rows wait, when they continue, and the page that changes it. */
export const waitingReasons: Record<WaitingFor, readonly [string, string, string]> = {
  INSUFFICIENT_CREDITS: ['You have no credits left', 'after you add credits', 'credits'],
  CAP_REACHED: ['Your monthly cap is reached', 'on the 1st (UTC), or after you raise the cap', 'settings'],
  PAUSED: ['Scheduled work of this workspace is paused', 'after you resume it', 'settings'],
  IMPORT_PAUSED: ['The import is paused', 'after you resume it', 'imports'],
  IMPORT_CAP_REACHED: [
    'The monthly limit of the import is reached',
    'on the 1st (UTC), or after you raise the limit',
    'imports',
  ],
};

function waiting(reason: WaitingFor, lines: number): Piece {
  const [why, when, where] = waitingReasons[reason];
  return html`<p class="notice warn">${why}. ${count(lines)} ${lines === 1 ? 'line is' : 'lines are'} waiting; nothing is lost or charged. The batch continues within 1 minute ${when}. <a href="/dashboard/${where}">${where === 'credits' ? 'Add credits' : 'Open settings'}</a></p>`;
}

function actions(batch: Batch, rows: readonly BatchRow[], path: string): Piece {
  const failed = failedRows(batch, rows).length;
  return html`${batch.status === 'paused' ? form(`${path}/resume`, null, 'Resume now') : null}
${
  live.includes(batch.status)
    ? html`<form method="post" action="${path}/cancel" data-confirm="Cancel this batch? Lines that have not started get no result."><button class="danger">Cancel batch</button></form>`
    : null
}
${failed > 0 ? form(`${path}/rerun`, null, `Retry ${count(failed)} as a new batch`, 'quiet') : null}
<a class="button quiet" href="${path}/results.csv" download>Download CSV</a>
<a class="button quiet" href="${path}/results.xlsx" download>Download Excel</a>
<a class="button quiet" href="/dashboard/links?show=batch:${batch.batch_id}">Data link</a>`;
}

function resultTable(batch: Batch, rows: readonly BatchRow[]): Piece {
  const number = (heading: string) => ({ heading, number: true });
  const columns = [
    number('Line'),
    'Profile',
    'Status',
    number('Followers'),
    number('Following'),
    number('Posts'),
    number('Credits'),
    'Note',
  ];
  const cells = rows.map((row) => {
    const known = row.cells === null ? null : (JSON.parse(row.cells) as ProfileRow);
    return [
      row.row_no,
      profile(row, known),
      state(row, known, batch),
      html`${counted(known?.followers)}${quality(known)}`,
      counted(known?.following),
      counted(known?.posts),
      row.status === null ? '–' : count(row.credits),
      html`<div class="remark">${remark(row, known)}</div>`,
    ];
  });
  return table('Results, one row for each line of the list', columns, cells, 'batch-rows');
}

const counted = (value: unknown) => count(typeof value === 'number' ? value : null);

/**
 * Returns the cell of a profile. It links only to a profile URL that this service built. A URL from the user's list may be unsafe, so it is
 * shown as text.
 */
function profile({ url }: BatchRow, known: ProfileRow | null): Piece {
  const name = known?.display_name ?? known?.username ?? null;
  const address = known?.status === 'OK' ? String(known.profile_url ?? '') : '';
  const label = name === null ? url : String(name);
  const line = address.startsWith('https://')
    ? html`<a href="${address}" rel="noopener noreferrer">${label}</a>`
    : html`<span>${label}</span>`;
  return html`<div class="address">${line}${name === null ? null : html`<small>${url}</small>`}</div>`;
}

function state({ status }: BatchRow, known: ProfileRow | null, batch: Batch): Piece {
  if (status === null) return tag(live.includes(batch.status) ? 'waiting' : 'not started');
  if (status !== 'OK') return tag(failureLabel(status), 'bad');
  return tag(known?.cached ? 'from cache' : 'done', 'good');
}

function quality(known: ProfileRow | null): Piece {
  const state = known?.followers_quality;
  if (state === null || state === undefined || state === 'exact') return null;
  return html` <small>${String(state).replace('_', ' ')}</small>`;
}

function remark({ status, duplicate_of }: BatchRow, known: ProfileRow | null): Piece {
  const message = String(known?.message ?? '');
  if (duplicate_of === null)
    return status === 'OK' && known?.cached ? `${message} From the last 24 hours: free.`.trim() : message;
  return `Same account as line ${duplicate_of}: free.`;
}
