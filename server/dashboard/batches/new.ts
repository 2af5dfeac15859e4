import { html } from 'hono/html';
import { z } from 'zod';
import type { WorkSettings } from '../../../db/tracking/work-settings.ts';
import { BatchError, maxBatchNameLength } from '../../../pipeline/batches/batches.ts';
import { hasTooManyLines, listLimit } from '../../../pipeline/batches/lines.ts';
import { type BatchPreview, previewBatch } from '../../../pipeline/batches/preview.ts';
import { readWorkbook, WorkbookError } from '../../../pipeline/batches/workbook.ts';
import { type LinkFailures, noLinkFailures } from '../../../pipeline/collect/short-links.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import type { OwnColumns } from '../../../pipeline/rows/own-columns.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import type { BatchesDeps } from '../deps.ts';
import { card, count, field, notice, type Piece, table, tag, textarea, titleColumn } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { linksOf } from '../ui/forms/followed-links.ts';
import { addressesIn, handlePlatformSelect } from '../ui/handle-platform.ts';
import { tiles } from '../ui/parts/blocks.ts';
import { ownerStep } from '../ui/parts/owner-step.ts';
import { type FormVisit, text } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import {
  decodeUpload,
  isArchive,
  ListTooLong,
  readSubmittedRows,
  readSubmittedText,
  type SubmittedList,
} from './lines.ts';

/** A batch that the user has not started yet. */
export interface BatchInput extends Omit<SubmittedList, 'without_link'> {
  name: string;
  failures: LinkFailures;
}

/**
 * Reads the pasted or uploaded list and follows its short links. Returns one sentence for the user when the list cannot
 * be used.
 */
export async function readBatchInput(
  { form, visitor }: FormVisit,
  deps: BatchesDeps,
): Promise<BatchInput | { problem: Problem }> {
  const pasted = form.get('lines');
  const typed = typeof pasted === 'string' ? pasted : '';
  const file = form.get('file');
  const bytes = file instanceof File ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array();
  if (bytes.length > 0 && typed.trim() !== '')
    return { problem: at('file', 'Paste links or upload a file, not both.') };
  try {
    const list = bytes.length === 0 ? readSubmittedText(typed, false) : await readFile(bytes);
    // A list that is too long is refused later, so its short links are not followed.
    const { texts: lines, failures } = hasTooManyLines(list.lines, visitor.tier)
      ? { texts: list.lines, failures: noLinkFailures }
      : await addressesIn(form, list.lines, linksOf(visitor, deps), list.without_link);
    return { name: text(form, 'name'), ...list, lines, failures };
  } catch (error) {
    if (error instanceof WorkbookError) return { problem: at('file', error.message) };
    if (error instanceof ListTooLong) {
      const { tier } = visitor;
      const message = `${error.message} The tier ${tiers[tier].name} allows ${listLimit(tier)}.`;
      return { problem: at(bytes.length === 0 ? 'lines' : 'file', message) };
    }
    throw error;
  }
}

async function readFile(bytes: Uint8Array): Promise<SubmittedList> {
  if (isArchive(bytes)) return readSubmittedRows(await readWorkbook(bytes));
  const uploaded = decodeUpload(bytes);
  if (uploaded === null)
    throw new WorkbookError('This file cannot be read. Save the sheet as .xlsx or CSV and upload that file.');
  return readSubmittedText(uploaded, true);
}

const submittedColumns = z.object({ headings: z.array(z.string()), rows: z.array(z.array(z.string())) }).nullable();

/**
 * Reads the columns of the uploaded file from a hidden field of the preview form. Returns null when the list has no
 * such columns.
 */
export function ownColumnsIn(form: FormData): OwnColumns | null {
  try {
    return submittedColumns.parse(JSON.parse(text(form, 'own') || 'null'));
  } catch {
    return null;
  }
}

/** The values that a user typed into the form of a new batch. */
interface TypedBatch {
  name: string;
  text: string;
  handles_on?: string;
}

/**
 * Returns the form for a new bulk analysis, filled with what the user typed before. The form leads to a preview, which
 * costs nothing.
 */
export function newBatchForm({ tier }: Visitor, input: TypedBatch = { name: '', text: '' }): Piece {
  return html`<form method="post" action="/dashboard/batches/preview" enctype="multipart/form-data">
${textarea('Profile links', 'lines', {
  value: input.text,
  rows: 8,
  hint: `One per line, ${listLimit(tier)}. You can mix Instagram profiles, TikTok profiles and YouTube channels.`,
})}
${handlePlatformSelect(input.handles_on)}
<div class="columns">${field('Or upload a file', 'file', {
    type: 'file',
    accept: '.xlsx,.csv,.tsv,.txt',
    hint: 'Excel (first sheet), CSV or text. We use the first profile link in each row and keep your columns. A file has the same limits.',
  })}
${field('Name', 'name', { value: input.name, maxlength: maxBatchNameLength, hint: 'Optional. Helps you find it later.' })}</div>
<div class="buttons"><button>Check the list</button><span class="hint">Checking the list is free. You see the cost first, and nothing starts yet.</span></div></form>`;
}

/** Returns a card with the form of a new bulk analysis, filled with a list that was refused. */
export const refusedList = (visitor: Visitor, input: TypedBatch): Piece =>
  card('Change the list', newBatchForm(visitor, input));

/** Returns the preview of a batch with its start button, or the form again when the batch is refused. */
export async function previewContent(
  visitor: Visitor,
  input: BatchInput,
  settings: WorkSettings | null,
  deps: BatchesDeps & { once: string },
): Promise<{ content: Piece; status: number }> {
  const typed = { name: input.name, text: input.lines.join('\n') };
  try {
    const preview = await previewBatch(deps, visitor.tier, input.lines, input);
    const content = html`${card('Cost of this list', previewFigures(preview, input, visitor, settings))}
${startForm(input, preview, deps.once)}
${card('Lines', previewLines(preview, input.own))}
<details><summary>Change the list</summary>${newBatchForm(visitor, typed)}</details>`;
    return { content, status: 200 };
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
    return { content: html`${notice(at('lines', error.message), 'bad')}${refusedList(visitor, typed)}`, status: 400 };
  }
}

function previewFigures(
  preview: BatchPreview,
  { heading, heading_line }: BatchInput,
  visitor: Visitor,
  settings: WorkSettings | null,
): Piece {
  const { total, to_fetch, cached, duplicates, unreadable, unfollowed, cost } = preview;
  const figures = [
    { label: 'Profile links', value: count(total - unreadable), hint: `of ${count(tiers[visitor.tier].batch_urls)}` },
    { label: 'Profiles to fetch', value: count(to_fetch) },
    { label: 'Cached (free)', value: count(cached) },
    { label: 'Duplicates (free)', value: count(duplicates) },
    ...(unfollowed > 0 ? [{ label: 'Not followed yet', value: count(unfollowed) }] : []),
    { label: 'No profile link (free)', value: count(unreadable) },
    { label: 'Maximum cost', value: count(cost), hint: cost === 1 ? 'credit' : 'credits' },
  ];
  return html`${tiles(figures)}
<p>Each fetched profile costs 1 credit. A cached profile (fetched in the last 24 hours) and a profile that cannot be fetched cost nothing. You have ${quantity(visitor.balance, 'credit')}.</p>
${heading === null ? null : html`<p>${heading_line === 1 ? html`The first line, “${heading}”, looks like a heading and is` : html`The first ${count(heading_line)} lines, down to “${heading}”, look like a title and headings and are`} not used.</p>`}
${limitWarnings(cost, visitor, settings)}`;
}

/** Returns warnings when the balance, the monthly cap or a pause would stop the batch. */
function limitWarnings(cost: number, visitor: Visitor, settings: WorkSettings | null): Piece {
  const { balance } = visitor;
  const left = settings?.monthly_cap == null ? null : Math.max(0, settings.monthly_cap - settings.cap_used);
  const short = cost > balance;
  const capped = left !== null && cost > left;
  return html`${
    short
      ? html`<p class="notice warn" role="status">Your balance covers ${count(balance)} of ${count(cost)} credits. The analysis pauses when your credits are used up and continues after more are added. ${ownerStep(visitor, 'credits')}</p>`
      : null
  }${
    capped
      ? html`<p class="notice warn" role="status">Your monthly cap leaves ${count(left)} of ${count(cost)} credits. When it is reached, the analysis pauses until the 1st (UTC) or until the cap is raised. ${ownerStep(visitor, 'cap')}</p>`
      : null
  }${settings?.paused ? html`<p class="notice warn" role="status">Checks, analyses and imports are paused. This analysis starts after they are resumed. ${ownerStep(visitor, 'pause')}</p>` : null}`;
}

// Returns the form that starts the batch. The lines are in a hidden input, because a textarea loses a line break at its
// start.
function startForm(
  { lines, name, own }: BatchInput,
  { to_fetch, cached, duplicates, unfollowed, cost }: BatchPreview,
  once: string,
): Piece {
  const useful = to_fetch + cached + duplicates + unfollowed > 0;
  if (!useful) return notice(at('lines', 'No line has a profile link. Change the list.'), 'bad');
  return html`<form method="post" action="/dashboard/batches" enctype="multipart/form-data" class="row actions">
<input type="hidden" name="once" value="${once}"><input type="hidden" name="name" value="${name}">
<input type="hidden" name="lines" value="${lines.join('\n')}">${own === null ? null : html`<input type="hidden" name="own" value="${JSON.stringify(own)}">`}<button>Start (${cost === 0 ? 'free' : `at most ${quantity(cost, 'credit')}`})</button><a class="button quiet" href="/dashboard/batches">Cancel</a></form>`;
}

const lineStates = {
  unreadable: ['no profile link', 'bad'],
  unfollowed: ['at most 1 credit', 'warn'],
  fetch: ['1 credit', 'plain'],
  cached: ['free, cached', 'good'],
  duplicate: ['free, repeated', 'good'],
} as const;

const lineOrder = { unreadable: 0, unfollowed: 1, fetch: 2, cached: 2, duplicate: 2 } as const;

/** Returns a table of the lines of a new batch with their prices. Lines that need a correction come first. */
function previewLines({ lines, unreadable, unfollowed }: BatchPreview, own: OwnColumns | null): Piece {
  const order = lines.toSorted((a, b) => lineOrder[a.state] - lineOrder[b.state]);
  const rows = order.map(({ line, text, state, message, duplicate_of }) => [
    line,
    html`<div class="address"><code>${text}</code></div>`,
    tag(lineStates[state][0], lineStates[state][1]),
    html`<div class="remark">${message ?? (duplicate_of === null ? '' : `Same account as line ${duplicate_of}.`)}</div>`,
  ]);
  const hint =
    'Lines without a profile link come first. They appear in the results with an explanation, cost nothing and do not stop the other lines.';
  const later =
    'Some short links (such as vm.tiktok.com/…) could not be followed now. They are followed again when you start the analysis. If that fails too, they cost nothing, and you can analyze these lines again later.';
  return html`${unreadable > 0 ? html`<p>${hint}</p>` : null}${unfollowed > 0 ? html`<p>${later}</p>` : null}
${own === null ? null : html`<p>Your columns are copied into the results: ${own.headings.join(', ')}.</p>`}
${table(
  'What happens to each line',
  [{ heading: 'Line', number: true, position: true }, titleColumn('Profile'), 'Price', { heading: 'Note', long: true }],
  rows,
  { as_cards: true },
)}`;
}
