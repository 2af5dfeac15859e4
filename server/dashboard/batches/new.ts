import { html } from 'hono/html';
import type { WorkSettings } from '../../../db/tracking/work-settings.ts';
import { BatchError, maxBatchNameLength } from '../../../pipeline/batches/batches.ts';
import { type BatchPreview, previewBatch } from '../../../pipeline/batches/preview.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import type { BatchesDeps } from '../deps.ts';
import { card, count, field, notice, type Piece, table, textarea } from '../ui/components.ts';
import { addressesIn, handlePlatformSelect } from '../ui/handle-platform.ts';
import { type FormVisit, text } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import { readList, type SubmittedList, textOf } from './lines.ts';

/** A batch that the user has not started yet. */
export interface BatchInput extends SubmittedList {
  name: string;
}

/** Reads the pasted or uploaded list and follows its share links. Returns one sentence for the user when the list cannot be used. */
export async function readBatchInput(
  { form }: FormVisit,
  { links }: BatchesDeps,
): Promise<BatchInput | { problem: string }> {
  const name = text(form, 'name');
  const pasted = form.get('lines');
  const typed = typeof pasted === 'string' ? pasted : '';
  const file = form.get('file');
  const bytes = file instanceof File ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array();
  const read = async (list: SubmittedList) => ({ name, ...list, lines: await addressesIn(form, list.lines, links) });
  if (bytes.length === 0) return read(readList(typed, false));
  if (typed.trim() !== '') return { problem: 'Paste links or upload a file, not both.' };
  const uploaded = textOf(bytes);
  if (uploaded === null) return { problem: 'This is not a text file. Save the sheet as CSV and upload that file.' };
  return read(readList(uploaded, true));
}

export function newBatchForm({ tier }: Visitor, input: { name: string; text: string } = { name: '', text: '' }): Piece {
  return html`<form method="post" action="/dashboard/batches/preview" enctype="multipart/form-data">
${textarea('Profile links', 'lines', {
  value: input.text,
  rows: 8,
  hint: `One per line, at most ${tiers[tier].batch_urls} per batch. You can mix Instagram profiles, TikTok profiles and YouTube channels.`,
})}
${handlePlatformSelect()}
<div class="columns">${field('Or upload a file', 'file', {
    type: 'file',
    hint: 'Text or CSV. We use the first profile link in each row.',
  })}
${field('Name', 'name', { value: input.name, maxlength: maxBatchNameLength, hint: 'Optional. Helps you find this batch later.' })}</div>
<button>Preview</button> <span class="hint">The preview is free and starts nothing.</span></form>`;
}

/** Returns the preview of a batch with its start button, or the form again when the batch is refused. */
export async function previewContent(
  visitor: Visitor,
  input: BatchInput,
  settings: WorkSettings | null,
  deps: BatchesDeps & { once: string },
): Promise<{ content: Piece; status: number }> {
  const typed = { name: input.name, text: input.lines.join('\n') };
  try {
    const preview = await previewBatch(deps, visitor.tier, input.lines);
    const content = html`${card('Preview', previewFigures(preview, input, visitor, settings))}
${startForm(input, preview, deps.once)}
${preview.unreadable.length > 0 ? card('Lines without a profile link', unreadableLines(preview)) : null}
<details><summary>Change the list</summary>${newBatchForm(visitor, typed)}</details>`;
    return { content, status: 200 };
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
    return { content: html`${notice(error.message, 'bad')}${newBatchForm(visitor, typed)}`, status: 400 };
  }
}

function previewFigures(
  preview: BatchPreview,
  { heading }: BatchInput,
  visitor: Visitor,
  settings: WorkSettings | null,
): Piece {
  const { total, to_fetch, cached, duplicates, unreadable, cost } = preview;
  const figures: [string, Piece][] = [
    ['Lines', html`${count(total)}<small> of ${count(tiers[visitor.tier].batch_urls)}</small>`],
    ['Profiles to fetch', count(to_fetch)],
    ['Fetched in the last 24 hours (free)', count(cached)],
    ['Duplicates (free)', count(duplicates)],
    ['No profile link (free)', count(unreadable.length)],
    ['Maximum cost', html`${count(cost)}<small> ${cost === 1 ? 'credit' : 'credits'}</small>`],
  ];
  return html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p>Each fetched profile costs 1 credit. A profile that cannot be fetched costs nothing. You have ${count(visitor.balance)} credits.</p>
${heading === null ? null : html`<p>The first line, “${heading}”, looks like a heading and is not used.</p>`}
${limitWarnings(cost, visitor, settings)}`;
}

/** Returns warnings when the balance, the monthly cap or a pause would stop the batch. */
function limitWarnings(cost: number, { balance }: Visitor, settings: WorkSettings | null): Piece {
  const left = settings?.monthly_cap == null ? null : Math.max(0, settings.monthly_cap - settings.cap_used);
  const short = cost > balance;
  const capped = left !== null && cost > left;
  return html`${
    short
      ? html`<p class="notice warn" role="status">Your balance covers ${count(balance)} of ${count(cost)} credits. The batch pauses when your credits are used up and continues after you add more. <a href="/dashboard/credits">Add credits</a></p>`
      : null
  }${
    capped
      ? html`<p class="notice warn" role="status">Your monthly cap leaves ${count(left)} of ${count(cost)} credits. When it is reached, the batch pauses until the 1st (UTC) or until you raise the cap. <a href="/dashboard/settings">Change the cap</a></p>`
      : null
  }${settings?.paused ? html`<p class="notice warn" role="status">Scheduled work is paused. The batch starts after you resume it. <a href="/dashboard/settings">Resume in settings</a></p>` : null}`;
}

// The lines are in a hidden input, because a textarea loses a line break at its start.
function startForm({ lines, name }: BatchInput, { to_fetch, cached, duplicates }: BatchPreview, once: string): Piece {
  const useful = to_fetch + cached + duplicates > 0;
  if (!useful) return notice('No line has a profile link. Change the list.', 'bad');
  return html`<form method="post" action="/dashboard/batches" enctype="multipart/form-data" class="row actions">
<input type="hidden" name="once" value="${once}"><input type="hidden" name="name" value="${name}">
<input type="hidden" name="lines" value="${lines.join('\n')}"><button>Start</button><a class="button quiet" href="/dashboard/batches">Cancel</a></form>`;
}

function unreadableLines({ unreadable: lines }: BatchPreview): Piece {
  const rows = lines.map(({ line, text, message }) => [
    line,
    html`<div class="address"><code>${text}</code></div>`,
    html`<div class="remark">${message}</div>`,
  ]);
  return html`<p>These lines appear in the results with an explanation. They cost nothing and do not stop the other lines.</p>
${table('Lines without a profile link', [{ heading: 'Line', number: true }, 'Text', 'What to send instead'], rows)}`;
}
