import { html, raw } from 'hono/html';
import { type IconName, icon } from '../../../design/icons.ts';
import { card, type Piece } from '../components.ts';

export interface Tile {
  label: string;
  value: Piece;
  change?: Piece;
  hint?: Piece;
  /** Path of the page with more about this number. */
  path?: string;
}

/** Number of characters from which a number becomes smaller, so that two tiles fit beside each other on a phone. */
const longValue = 12;

/** Returns tiles with one number each. In a card, they have no borders. */
export function tiles(shown: readonly Tile[]): Piece {
  return html`<dl class="tiles">${shown.map(({ label, value, change, hint, path }) => {
    const isLong = typeof value === 'string' && value.length >= longValue;
    const hints = [change, hint].filter((piece): piece is Piece => Boolean(piece));
    return html`<div><dt>${path ? html`<a href="${path}">${label}</a>` : label}</dt><dd><span${raw(isLong ? ' class="long"' : '')}>${value}</span></dd>${hints.length > 0 ? html`<dd class="hint">${lines(hints)}</dd>` : null}</div>`;
  })}</dl>`;
}

/** Returns pieces of text below each other. */
export function lines(pieces: readonly Piece[]): Piece {
  return html`${pieces.map((piece, index) => html`${index > 0 ? html`<br>` : null}${piece}`)}`;
}

export interface ListRow {
  icon: IconName;
  text: Piece;
  /** A short fact at the end of the row, such as a time. */
  end?: Piece;
}

/** Colors of the icons of problems. */
const tones: Partial<Record<IconName, string>> = { 'circle-x': 'bad', 'circle-alert': 'warn' };

/** Returns a list with an icon in front of each row. */
export function rowList(rows: readonly ListRow[]): Piece {
  return html`<ul class="row-list">${rows.map(
    ({ icon: name, text, end }) =>
      html`<li>${icon(name, tones[name])}<span>${text}</span>${end ? html`<span class="hint">${end}</span>` : null}</li>`,
  )}</ul>`;
}

/** Returns a bar of links to the parts of one page. Each part has its own URL. */
export function tabs(label: string, entries: readonly (readonly [label: string, path: string])[], here: string): Piece {
  return html`<nav class="tabs" aria-label="${label}">${entries.map(
    ([name, path]) => html`<a href="${path}"${raw(path === here ? ' aria-current="page"' : '')}>${name}</a>`,
  )}</nav>`;
}

/** Returns a choice of one of several views of the same content. Each view has its own URL. */
export function segments(
  label: string,
  entries: readonly (readonly [label: string, path: string])[],
  here: string,
): Piece {
  return html`<nav class="segments" aria-label="${label}">${entries.map(
    ([name, path]) => html`<a href="${path}"${raw(path === here ? ' aria-current="true"' : '')}>${name}</a>`,
  )}</nav>`;
}

/**
 * Returns a form that opens from the main button of a page, such as the form for a new entry above the list of entries.
 * The page that shows the form again with an error opens it.
 */
export function opener(label: string, content: Piece, isOpen = false): Piece {
  return html`<details class="card opener"${raw(isOpen ? ' open' : '')}><summary>${icon('plus')}${label}</summary>${content}</details>`;
}

interface NewEntry {
  label: string;
  /** Null for a user who cannot add entries. */
  form: Piece;
  /** Number of entries of the list. */
  entries: number;
  is_open: boolean;
}

/**
 * Returns a list with the form for a new entry. Above a list with entries, the form opens from the main button of the
 * page. For the first entry, it is open below the empty list.
 */
export function listWithForm(list: Piece, { label, form, entries, is_open }: NewEntry): Piece {
  if (form === null) return list;
  return entries > 0 ? html`${opener(label, form, is_open)}${list}` : html`${list}${card(label, form)}`;
}

interface EmptyState {
  icon: IconName;
  heading: string;
  text: string;
  action?: Piece;
  /** A picture of the page with invented data. */
  sample?: Piece;
}

/** Returns the content of a page that has no data yet: a sample and one button. */
export function emptyState({ icon: name, heading, text, action = null, sample }: EmptyState): Piece {
  return html`<div class="empty-state">${sample ? html`<div class="sample" aria-hidden="true" inert>${sample}</div>` : icon(name)}<h2>${heading}</h2><p>${text}</p>${action}</div>`;
}

/** Returns a dialog and the button that opens it. Without JavaScript, the button opens the page at `path`. */
export function dialog(
  id: string,
  heading: string,
  content: Piece,
  { label, path }: { label: string; path: string },
): Piece {
  return html`<a class="button quiet" href="${path}" data-dialog="${id}">${label}</a><dialog id="${id}" aria-labelledby="${id}-heading"><div class="dialog-head"><h2 id="${id}-heading">${heading}</h2><form method="dialog"><button class="icon-only" aria-label="Close">${icon('x')}</button></form></div>${content}</dialog>`;
}

/** Returns a menu of links and buttons that opens from an icon. `label` says what the menu acts upon. */
export function menu(label: string, entries: Piece[], name: IconName = 'ellipsis'): Piece {
  return html`<details class="menu"><summary aria-label="${label}">${icon(name)}</summary><div>${entries}</div></details>`;
}

/** Returns a read-only text with a copy button. `id` must be unique on the page. */
export function copyField(id: string, label: string, value: string): Piece {
  return html`<div class="copy-field"><label for="${id}">${label}</label><input id="${id}" class="mono" readonly value="${value}"><button type="button" class="quiet" data-copy="${id}">Copy</button></div>`;
}

/** Returns a progress bar with its numbers as text. */
export function progress(label: string, done: number, total: number): Piece {
  return html`<p class="hint">${label}: ${done} of ${total}</p><progress max="${Math.max(1, total)}" value="${done}" aria-label="${label}"></progress>`;
}

/** Returns gray lines where content is loading. */
export function skeleton(lines: number): Piece {
  return html`<div role="status" aria-label="Loading">${Array.from({ length: lines }, () => html`<span class="skeleton"></span>`)}</div>`;
}
