import { html, raw } from 'hono/html';
import { type ColumnKind, columnClass } from '../../../design/columns.ts';
import { icon } from '../../../design/icons.ts';
import { count, type Piece } from '../components.ts';
import { may } from '../rules.ts';
import type { Visitor } from '../visitor.ts';

export interface DataColumn extends ColumnKind {
  heading: string;
  /** Name of the column in the URL parameter `sort`. A column without this name cannot be sorted. */
  sort?: string;
}

interface DataTable {
  /** HTML id. Filters, sorting and pages replace only the element with this id. */
  id: string;
  caption: string;
  columns: readonly DataColumn[];
  rows: readonly { id: string; label: string; cells: readonly Piece[] }[];
  /** The URL of the page, with `q`, `sort` (`name` or `-name`), `page` and the filters as parameters. */
  url: URL;
  total: number;
  page_size: number;
  /**
   * Select fields that filter the table, in addition to its search field. Their names are further parameters of the
   * URL.
   */
  filters?: Piece;
  search?: string;
  /**
   * The form for the selected rows, whose ids are sent as `id`. Its buttons have a `name` and a `value`. A visitor who
   * may not send the form sees the table without check boxes and buttons.
   */
  bulk?: { action: string; buttons: Piece; visitor: Pick<Visitor, 'role' | 'is_operator'> };
  empty: Piece;
  /**
   * Text above the rows, such as their number. Screen readers announce the text when the filter changes. The HTML id of
   * its element is the table's `id` followed by `-facts`.
   */
  facts: Piece;
  /** Id of another element of the page whose content depends on the filter. */
  also?: string;
}

/** Returns a table with search, filters, sorting, pages and bulk actions. On a phone, each row is a card. */
export function dataTable(table: DataTable): Piece {
  const { id, rows, url, empty, facts } = table;
  const bulk = table.bulk && mayChange(table.bulk) ? table.bulk : undefined;
  const content = rows.length > 0 ? html`${rowsOf(table, bulk !== undefined)}${pager(table)}` : empty;
  const form = bulk
    ? html`<form method="post" action="${bulk.action}"><input type="hidden" name="back" value="${url.search}">${rows.length > 0 ? selectAllOnPhone : null}${content}<div class="bulk-bar"><b data-selected aria-live="polite">Selected</b>${bulk.buttons}</div></form>`
    : content;
  return html`${searchBar(table)}<div id="${id}-facts" role="status">${facts}</div><div id="${id}">${form}</div>`;
}

function mayChange({ action, visitor }: NonNullable<DataTable['bulk']>): boolean {
  return may(visitor, 'POST', action.replace(/\?.*/, ''));
}

/**
 * Check box that selects all rows on a phone. A phone shows rows as cards, without the heading row and its check box.
 */
const selectAllOnPhone = html`<label class="check select-all"><input type="checkbox" data-select-all><span>Select all</span></label>`;

/** Returns the URL with one parameter changed and without `page`, so that the first page of the table is shown. */
export function withParameter(url: URL, name: string, value: string): string {
  const params = new URLSearchParams(url.searchParams);
  params.delete('page');
  if (value === '') params.delete(name);
  else params.set(name, value);
  return params.size > 0 ? `${url.pathname}?${params}` : url.pathname;
}

function searchBar({ id, url, search, filters = null, also }: DataTable): Piece {
  if (!search && !filters) return null;
  const others = [`${id}-facts`, ...(also ? [also] : [])].map((name) => `#${name}:outerMorph`).join(',');
  const sort = url.searchParams.get('sort');
  return html`<form method="get" action="${url.pathname}" class="table-bar" role="search" data-hx-get="${url.pathname}" data-hx-target="#${id}" data-hx-select="#${id}" data-hx-swap="outerHTML" data-hx-push-url="true" data-hx-sync="#content:replace" data-hx-select-oob="${others}" data-hx-trigger="submit, change, input delay:300ms">
${search ? html`<input type="search" name="q" value="${url.searchParams.get('q') ?? ''}" placeholder="${search}" aria-label="${search}" maxlength="200">` : null}${filters}${sort ? html`<input type="hidden" name="sort" value="${sort}">` : null}<button class="quiet">${icon('search')}Show</button></form>`;
}

// Gives each row an HTML id, by which a refresh finds the row, so that its check box stays ticked when the row moves.
function rowsOf({ id: table, caption, columns, rows, url }: DataTable, boxes: boolean): Piece {
  const side = (index: number) => columnClass(columns[index]);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table class="as-cards"><caption class="hidden">${caption}</caption>
<thead><tr>${boxes ? html`<th scope="col" class="corner"><input type="checkbox" data-select-all aria-label="Select all on this page"></th>` : null}${columns.map((column, index) => html`<th scope="col"${side(index)}${sortState(column, url)}>${headingOf(column, url)}</th>`)}</tr></thead>
<tbody>${rows.map(({ id, label, cells }) => html`<tr id="${table}-${id}">${boxes ? html`<td class="corner"><input type="checkbox" name="id" value="${id}" aria-label="Select ${label}"></td>` : null}${cells.map((cell, index) => html`<td${side(index)} data-label="${columns[index]?.heading ?? ''}">${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

function sortState({ sort }: DataColumn, url: URL) {
  const current = url.searchParams.get('sort');
  if (!sort || (current !== sort && current !== `-${sort}`)) return '';
  return raw(` aria-sort="${current === sort ? 'ascending' : 'descending'}"`);
}

/**
 * Returns the heading of a table column as a link that sorts the table. A second click reverses the order. In columns
 * of numbers, the first click sorts the largest number first.
 */
function headingOf({ heading, sort, number }: DataColumn, url: URL): Piece {
  if (!sort) return heading || html`<span class="hidden">Actions</span>`;
  const current = url.searchParams.get('sort');
  const [first, second] = number ? [`-${sort}`, sort] : [sort, `-${sort}`];
  const arrow = current === sort ? icon('arrow-up') : current === `-${sort}` ? icon('arrow-down') : null;
  return html`<a href="${withParameter(url, 'sort', current === first ? second : first)}">${heading}${arrow}</a>`;
}

function pager({ url, total, page_size: size, rows }: DataTable): Piece {
  if (total <= size) return null;
  const page = Math.max(1, Number(url.searchParams.get('page')) || 1);
  const to = (next: number) =>
    `${withParameter(url, 'page', '')}${withParameter(url, 'page', '').includes('?') ? '&' : '?'}page=${next}`;
  const first = (page - 1) * size + 1;
  return html`<nav class="pager" aria-label="Pages"><span>${count(first)} to ${count(first + rows.length - 1)} of ${count(total)}</span><span class="buttons">${page > 1 ? html`<a class="button quiet" href="${to(page - 1)}">${icon('chevron-left')}Previous</a>` : null}${page * size < total ? html`<a class="button quiet" href="${to(page + 1)}">Next${icon('chevron-right')}</a>` : null}</span></nav>`;
}
