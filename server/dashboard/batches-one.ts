import { html } from 'hono/html';
import type { BatchRow } from '../../db/batch-rows.ts';
import type { Batch, WaitingFor } from '../../db/batches.ts';
import type { ProfileRow } from '../../pipeline/profile-row.ts';
import { stateWords, wordOf } from './batches-words.ts';
import { card, count, form, type Piece, table, tag, time } from './ui.ts';

const live = ['queued', 'running', 'paused'];
/** A paused batch is looked at less often: it moves after a top-up. */
const paused_every_ms = 10_000;

/** The rows that may come out otherwise another time: failed, or never asked because the batch was cancelled. */
export function failedRows({ status }: Pick<Batch, 'status'>, rows: readonly BatchRow[]): BatchRow[] {
  if (live.includes(status)) return [];
  return rows.filter((row) => row.status !== 'OK' && row.status !== 'INVALID_INPUT');
}

/** A batch with its progress and rows; the parts that change carry ids, so that the page's script fetches them again. */
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
  const every = status === 'paused' ? html` data-every="${paused_every_ms}"` : null;
  const follow = moving ? html` data-live="${path}" data-also="batch-actions batch-rows balance"${every}` : null;
  const [word, tone] = stateWords[status];
  const figures: [string, string][] = [
    ['Read', count(ok)],
    ['Failed', count(failed)],
    ...(moving || answered < total
      ? [[moving ? 'Waiting' : 'Not asked', count(total - answered)] as [string, string]]
      : []),
    [moving ? 'Credits so far' : 'Credits', count(credits)],
  ];
  return html`<section id="batch-progress" class="card"${follow} aria-labelledby="batch-state">
<h2 id="batch-state">${count(answered)} of ${count(total)} lines answered ${tag(word, tone)}</h2>
<progress max="${total}" value="${answered}" aria-label="Lines answered">${answered} of ${total}</progress>
<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${outcomes(rows)}${batch.waiting_for ? waiting(batch.waiting_for, total - answered) : null}
<p class="hint">Started ${time(batch.created_at)} UTC${batch.finished_at ? html`, over ${time(batch.finished_at)} UTC` : null}.${moving ? html` <a href="${path}">Refresh</a>` : null}</p></section>`;
}

/** How the answered rows came out, by cause. */
function outcomes(rows: readonly BatchRow[]): Piece {
  const free = rows.filter(({ status, credits }) => status === 'OK' && credits === 0).length;
  const failures = Map.groupBy(
    rows.filter(({ status }) => status !== null && status !== 'OK'),
    ({ status }) => wordOf(String(status)),
  );
  const parts = [
    ...(free > 0 ? [`${count(free)} free of charge`] : []),
    ...[...failures].map(([word, { length }]) => `${count(length)} ${word}`),
  ];
  return parts.length > 0 ? html`<p>${parts.join(', ')}.</p>` : null;
}

const reasons: Record<WaitingFor, readonly [string, string, string]> = {
  INSUFFICIENT_CREDITS: ['The balance is used up', 'after a top-up', 'credits'],
  CAP_REACHED: [
    'The monthly cap of tracking and bulk analysis is reached',
    'on the 1st (UTC), or when you raise the cap',
    'settings',
  ],
  PAUSED: ['All scheduled work of this workspace is paused', 'when you switch it on again', 'settings'],
};

function waiting(reason: WaitingFor, lines: number): Piece {
  const [why, when, where] = reasons[reason];
  return html`<p class="notice warn">${why}: ${count(lines)} ${lines === 1 ? 'line waits' : 'lines wait'}, and nothing is lost or charged. The batch goes on by itself within a minute ${when}. <a href="/dashboard/${where}">${where === 'credits' ? 'Add credits' : 'Settings'}</a></p>`;
}

function actions(batch: Batch, rows: readonly BatchRow[], path: string): Piece {
  const again = failedRows(batch, rows).length;
  return html`${batch.status === 'paused' ? form(`${path}/resume`, null, 'Resume now') : null}
${
  live.includes(batch.status)
    ? html`<form method="post" action="${path}/cancel" data-confirm="Cancel this batch? Lines that are not asked yet stay empty."><button class="danger">Cancel</button></form>`
    : null
}
${again > 0 ? form(`${path}/rerun`, null, `Try ${count(again)} again as a new batch`, 'quiet') : null}
<a class="button quiet" href="${path}/results.csv" download>Download CSV</a>`;
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
    'Remark',
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
  return table('Results, one row a line as it was sent', columns, cells, 'batch-rows');
}

const counted = (value: unknown) => count(typeof value === 'number' ? value : null);

/** Only addresses that we made ourselves are links. */
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
  if (status === null) return tag(live.includes(batch.status) ? 'waiting' : 'not asked');
  if (status !== 'OK') return tag(wordOf(status), 'bad');
  return tag(known?.cached ? 'read before' : 'read', 'good');
}

function quality(known: ProfileRow | null): Piece {
  const state = known?.followers_quality;
  if (state === null || state === undefined || state === 'exact') return null;
  return html` <small>${String(state).replace('_', ' ')}</small>`;
}

function remark({ status, duplicate_of }: BatchRow, known: ProfileRow | null): Piece {
  const message = String(known?.message ?? '');
  if (duplicate_of === null)
    return status === 'OK' && known?.cached ? `${message} Not older than a day: free.`.trim() : message;
  return `Same account as line ${duplicate_of}: free.`;
}
