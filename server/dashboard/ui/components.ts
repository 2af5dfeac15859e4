import { html, raw } from 'hono/html';
import { dayOf } from '../../../db/calendar.ts';
import { lazy } from '../../../pipeline/lazy.ts';
import { numberText } from '../../../pipeline/quantity.ts';
import { type ColumnKind, columnClass } from '../../design/columns.ts';
import { dayText, periodText, timeText } from '../../design/dates.ts';
import type { Html } from '../../docs/layout.ts';
import type { Problem } from './forms/field-problem.ts';

export type Piece = Html | Promise<Html> | string | number | null;

const short = lazy(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 }));

/** Formats a number with thousands separators. Null becomes "–", never 0. */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : numberText(value);
}

/** Formats a number as {@link count} does, with ≈ before it when the platform rounded the number. */
export function markedCount(value: number | null | undefined, rounded: boolean): string {
  return `${rounded && typeof value === 'number' ? '≈' : ''}${count(value)}`;
}

/** Formats a number for an axis, such as 1.2M. */
export function shortCount(value: number): string {
  return short().format(value);
}

/** Returns a `<time>` element that shows a time in UTC without seconds, such as `20 Nov 2026, 10:00`. */
export function time(moment: Date | null): Piece {
  if (moment === null) return '–';
  return html`<time datetime="${moment.toISOString()}">${timeText(moment)}</time>`;
}

/** Returns a `<time>` element that shows a day in UTC, such as `20 Nov 2026`. A line never breaks within it. */
export function day(moment: Date | number): Piece {
  return html`<time datetime="${dayOf(moment)}">${dayText(moment)}</time>`;
}

/** Returns a period in UTC, such as `9–15 Nov 2026`, without line breaks. `to` is the day after the period. */
export function period(from: Date | number, to: Date | number): Piece {
  return html`<span class="nowrap">${periodText(from, to)}</span>`;
}

/**
 * Returns a message box, or null without a message. Screen readers announce the tone `bad` immediately. A message about
 * one form field is moved to this field before the page is sent.
 */
export function notice(message: Problem | null, tone: 'good' | 'bad' | 'plain' = 'plain'): Piece {
  if (!message) return null;
  if (typeof message !== 'string')
    return html`<p class="notice bad" role="alert" data-field="${message.field}">${message.message}</p>`;
  return html`<p class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">${message}</p>`;
}

/** Returns a message box about the success of the last action. Screen readers announce it after the page has loaded. */
export function success(message: string | null): Piece {
  return message && html`<p class="notice good" role="status" data-announce>${message}</p>`;
}

/**
 * Returns a message box about the success of the last action, which the page's script removes after enough time to read
 * it.
 */
export function toast(message: string | null): Piece {
  return message && html`<p class="notice good toast" role="status" data-announce data-toast>${message}</p>`;
}

export function tag(label: string, tone: 'good' | 'bad' | 'warn' | 'plain' = 'plain'): Piece {
  return html`<span class="tag ${tone}">${label}</span>`;
}

/** Returns a section of a page with its heading. */
export function card(heading: string, content: Piece | Piece[]): Piece {
  return html`<section class="card"><h2>${heading}</h2>${content}</section>`;
}

/** A column of a table. The heading of a column of times names the time zone, UTC. */
interface Column extends ColumnKind {
  heading: string;
}

/** The column that names its row. */
export const titleColumn = (heading: string) => ({ heading, title: true });

/** The column of a row's buttons. Only screen readers see its heading. */
export const controlsColumn = { heading: '', controls: true };

/** Heading of a column of buttons. It is visible to screen readers only. */
const actionsHeading = html`<span class="hidden">Actions</span>`;

/**
 * Returns a table that scrolls sideways when it is too wide. `caption` is read by screen readers. `id` identifies the
 * rows that the page's script refreshes. With `as_cards`, each row is a card on a phone.
 */
export function table(
  caption: string,
  columns: readonly (Column | string)[],
  rows: readonly Piece[][],
  { id, as_cards }: { id?: string; as_cards?: boolean } = {},
): Piece {
  const heads = columns
    .map((column): Column => (typeof column === 'string' ? { heading: column } : column))
    .map((column) => ({
      heading: column.time ? `${column.heading} (UTC)` : column.heading,
      side: columnClass(column),
    }));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table${raw(as_cards ? ' class="as-cards"' : '')}>
<caption class="hidden">${caption}</caption>
<thead><tr>${heads.map(({ heading, side }) => html`<th scope="col"${side}>${heading || actionsHeading}</th>`)}</tr></thead>
<tbody${id ? html` id="${id}"` : ''}>${rows.map((cells) => html`<tr>${cells.map((cell, index) => html`<td${heads[index]?.side ?? ''} data-label="${heads[index]?.heading ?? ''}">${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

interface FieldOptions {
  type?: string;
  value?: string;
  hint?: string;
  error?: string | null;
  required?: boolean;
  autocomplete?: string;
  placeholder?: string;
  min?: string;
  max?: string;
  maxlength?: number;
  pattern?: string;
  /** The kinds of files that a file field offers, such as `.csv`. */
  accept?: string;
  /** The id of a `<datalist>` element with suggestions. */
  list?: string;
}

/** Returns a labelled input with its hint and error. */
export function field(label: string, name: string, options: FieldOptions = {}): Piece {
  const { hint, error, required, type = 'text', ...rest } = options;
  const about = [hint ? `${name}-hint` : '', error ? `${name}-error` : ''].filter(Boolean).join(' ');
  const attributes = Object.entries({ ...rest, 'aria-describedby': about || undefined })
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value]) => html` ${raw(key)}="${String(value)}"`);
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}"${attributes}${raw(required ? ' required' : '')}${raw(error ? ' aria-invalid="true" autofocus' : '')}>
${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : null}${error ? html`<p class="error" id="${name}-error">${error}</p>` : null}</div>`;
}

/** Returns a labelled select field. Each choice is `[value, label]`. */
export function select(
  label: string,
  name: string,
  choices: readonly (readonly [string, string])[],
  options: { value?: string; hint?: string } = {},
): Piece {
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}"${options.hint ? html` aria-describedby="${name}-hint"` : ''}>${choices.map(
    ([value, text]) =>
      html`<option value="${value}"${raw(value === options.value ? ' selected' : '')}>${text}</option>`,
  )}</select>${options.hint ? html`<p class="hint" id="${name}-hint">${options.hint}</p>` : null}</div>`;
}

/**
 * Returns a text field of several lines with its label. `name` is also the HTML id, so a page can have only one text
 * field with this name.
 */
export function textarea(
  label: string,
  name: string,
  options: { value?: string; hint?: string; rows?: number; required?: boolean } = {},
): Piece {
  const { value = '', hint, rows = 6, required } = options;
  return html`<div class="field"><label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="${rows}"${raw(required ? ' required' : '')}${hint ? html` aria-describedby="${name}-hint"` : ''}>${value}</textarea>
${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : null}</div>`;
}

/** Returns a form that sends POST to `action`. */
export function form(
  action: string,
  content: Piece | Piece[],
  button: string,
  tone: 'main' | 'quiet' | 'danger' = 'main',
): Piece {
  return html`<form method="post" action="${action}">${content}<button class="${tone}">${button}</button></form>`;
}

/** Returns a read-only field for a secret, with a copy button. */
export function secret(label: string, value: string): Piece {
  return html`<div class="secret"><label for="secret">${label}</label>
<input id="secret" class="mono" readonly value="${value}"><button type="button" class="quiet" data-copy="secret">Copy</button></div>`;
}

/** Returns a code block with a copy button. */
export function code(id: string, label: string, value: Piece): Piece {
  return html`<figure class="code"><figcaption>${label}<button type="button" class="quiet" data-copy="${id}">Copy</button></figcaption>
<pre id="${id}" tabindex="0"><code>${value}</code></pre></figure>`;
}
