import { html } from 'hono/html';
import type { WorkSettings } from '../../db/work-settings.ts';
import { type BatchPreview, previewBatch } from '../../pipeline/batch-preview.ts';
import { BatchError, max_batch_name_length } from '../../pipeline/batches.ts';
import { tiers } from '../../pipeline/tiers.ts';
import type { Visitor } from './accounts.ts';
import { readList, type SentList, textOf } from './batches-lines.ts';
import type { BatchesDeps } from './deps.ts';
import { type FormVisit, text } from './section.ts';
import { card, count, field, notice, type Piece, table, textarea } from './ui.ts';

/** What a new batch is made of, as a form carries it. */
export interface BatchWish extends SentList {
  name: string;
}

/** Reads what was pasted or uploaded, or one sentence why it cannot be used. */
export async function readWish({ form }: FormVisit): Promise<BatchWish | { problem: string }> {
  const name = text(form, 'name');
  const pasted = form.get('lines');
  const typed = typeof pasted === 'string' ? pasted : '';
  const file = form.get('file');
  const bytes = file instanceof File ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array();
  if (bytes.length === 0) return { name, ...readList(typed, false) };
  if (typed.trim() !== '') return { problem: 'Paste the addresses or upload a file, not both at once.' };
  const uploaded = textOf(bytes);
  if (uploaded === null) return { problem: 'This file is no text: save the sheet as CSV and upload that.' };
  return { name, ...readList(uploaded, true) };
}

/** The form that a batch begins with. */
export function newBatchForm({ tier }: Visitor, wish: { name: string; text: string } = { name: '', text: '' }): Piece {
  return html`<form method="post" action="/dashboard/batches/preview" enctype="multipart/form-data">
${textarea('Profile addresses', 'lines', {
  value: wish.text,
  rows: 8,
  hint: `One a line, at most ${tiers[tier].batch_urls} at once. Photo profiles, short-video profiles and long-video channels, mixed as you like.`,
})}
<div class="columns">${field('Or a file', 'file', {
    type: 'file',
    hint: 'Text or CSV. Of a table, the first cell of each line that holds a profile address is taken.',
  })}
${field('Name', 'name', { value: wish.name, maxlength: max_batch_name_length, hint: 'Optional; to find it again.' })}</div>
<button>Preview</button> <span class="hint">Nothing is started or charged yet.</span></form>`;
}

/** What a batch would do, and the button that starts it; or why it cannot be made, with the form. */
export async function previewContent(
  visitor: Visitor,
  wish: BatchWish,
  settings: WorkSettings | null,
  deps: BatchesDeps & { once: string },
): Promise<{ content: Piece; status: number }> {
  const again = { name: wish.name, text: wish.lines.join('\n') };
  try {
    const preview = await previewBatch(deps, visitor.tier, wish.lines);
    const content = html`${card('What will be done', whatWillBeDone(preview, wish, visitor, settings))}
${startForm(wish, preview, deps.once)}
${preview.unreadable.length > 0 ? card('Lines that name no profile', unreadable(preview)) : null}
<details><summary>Change the list</summary>${newBatchForm(visitor, again)}</details>`;
    return { content, status: 200 };
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
    return { content: html`${notice(error.message, 'bad')}${newBatchForm(visitor, again)}`, status: 400 };
  }
}

function whatWillBeDone(
  preview: BatchPreview,
  { heading }: BatchWish,
  visitor: Visitor,
  settings: WorkSettings | null,
): Piece {
  const { total, to_fetch, cached, duplicates, unreadable, cost } = preview;
  const figures: [string, Piece][] = [
    ['Lines', html`${count(total)}<small> of ${count(tiers[visitor.tier].batch_urls)}</small>`],
    ['Profiles to fetch', count(to_fetch)],
    ['Read today, free', count(cached)],
    ['Repeated, free', count(duplicates)],
    ['Unreadable, free', count(unreadable.length)],
    ['Costs at most', html`${count(cost)}<small> ${cost === 1 ? 'credit' : 'credits'}</small>`],
  ];
  return html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p>One credit for each profile that is fetched; a profile that cannot be read costs nothing. You have ${count(visitor.balance)} credits.</p>
${heading === null ? null : html`<p>The first line, “${heading}”, was taken for a heading and left out.</p>`}
${limitsOf(cost, visitor, settings)}`;
}

/** What would stop the batch before its end, and the way on. */
function limitsOf(cost: number, { balance }: Visitor, settings: WorkSettings | null): Piece {
  const left = settings?.monthly_cap == null ? null : Math.max(0, settings.monthly_cap - settings.cap_used);
  const lacks = cost > balance;
  const capped = left !== null && cost > left;
  return html`${
    lacks
      ? html`<p class="notice warn" role="status">The balance carries ${count(balance)} of the ${count(cost)}: the batch then waits, and goes on by itself after a top-up. <a href="/dashboard/credits">Add credits</a></p>`
      : null
  }${
    capped
      ? html`<p class="notice warn" role="status">The monthly cap leaves ${count(left)} of the ${count(cost)}: the batch then waits for the 1st (UTC) or for a higher cap. <a href="/dashboard/settings">Settings</a></p>`
      : null
  }${settings?.paused ? html`<p class="notice warn" role="status">All scheduled work is paused: the batch waits until you switch it on again. <a href="/dashboard/settings">Settings</a></p>` : null}`;
}

// A hidden input keeps every line break, a hidden textarea would lose the first one.
function startForm({ lines, name }: BatchWish, { to_fetch, cached, duplicates }: BatchPreview, once: string): Piece {
  const useful = to_fetch + cached + duplicates > 0;
  if (!useful) return notice('No line names a profile: change the list.', 'bad');
  return html`<form method="post" action="/dashboard/batches" enctype="multipart/form-data" class="row actions">
<input type="hidden" name="once" value="${once}"><input type="hidden" name="name" value="${name}">
<input type="hidden" name="lines" value="${lines.join('\n')}"><button>Start</button><a class="button quiet" href="/dashboard/batches">Not now</a></form>`;
}

function unreadable({ unreadable: lines }: BatchPreview): Piece {
  const rows = lines.map(({ line, text, message }) => [
    line,
    html`<div class="address"><code>${text}</code></div>`,
    html`<div class="remark">${message}</div>`,
  ]);
  return html`<p>They are kept as rows that say so, cost nothing and never stop the others.</p>
${table('Lines that name no profile', [{ heading: 'Line', number: true }, 'Text', 'What to send instead'], rows)}`;
}
