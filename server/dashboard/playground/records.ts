import { html } from 'hono/html';
import { fieldLabel } from '../../../pipeline/rows/field-labels.ts';
import { count, type Piece, shortCount, table } from '../ui/components.ts';
import { tiles } from '../ui/parts/blocks.ts';

type ShownRecord = Readonly<Record<string, unknown>>;

/**
 * Limits of what the table and the cards of an API answer show. The JSON view (up to its own limit) and the download
 * contain everything.
 */
const most = { rows: 100, columns: 12, cards: 12, facts: 6, characters: 160 };

const isRecord = (value: unknown): value is ShownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the records in an API answer: one profile, or the rows of a list. Returns an empty list for any other
 * answer.
 */
export function recordsIn(body: string): ShownRecord[] {
  const { data } = JSON.parse(body) as { data?: unknown };
  if (!isRecord(data)) return [];
  const parts = Object.values(data);
  const list = parts.find((part) => Array.isArray(part) && part.some(isRecord)) as unknown[] | undefined;
  if (list) return list.filter(isRecord);
  const single = parts.filter(isRecord);
  return single.length > 0 ? single : [data];
}

/**
 * Returns the records of an API answer as a table: one row for each record, or one row for each field of a single
 * record.
 */
export function recordTable(records: readonly ShownRecord[]): Piece {
  const [only] = records;
  if (only === undefined) return null;
  if (records.length === 1) {
    const rows = Object.entries(only).map(([name, value]) => [fieldLabel(name), cell(value)]);
    return table('Fields of the answer', ['Field', 'Value'], rows);
  }
  const names = [...new Set(records.flatMap((record) => Object.keys(record).filter((name) => isPlain(record[name]))))];
  const shown = names.slice(0, most.columns);
  const rows = records.slice(0, most.rows).map((record) => shown.map((name) => cell(record[name])));
  const columns = shown.map((name) => {
    return { heading: fieldLabel(name), number: records.some((record) => typeof record[name] === 'number') };
  });
  const left = names.length - shown.length;
  return html`${table('Records of the answer', columns, rows)}
${left > 0 || records.length > most.rows ? html`<p class="hint">Showing ${count(rows.length)} of ${count(records.length)} records and ${count(shown.length)} of ${count(names.length)} fields. The download has all of them.</p>` : null}`;
}

const isPlain = (value: unknown) => !isRecord(value) && !Array.isArray(value);

function cell(value: unknown): Piece {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return count(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const cut = text.length > most.characters;
  return html`<div class="address">${cut ? `${text.slice(0, most.characters).toWellFormed()}…` : text}</div>`;
}

const titles = ['display_name', 'title', 'name', 'caption', 'text', 'username', 'id'];

/**
 * Returns one card for each record of an API answer, with its name and its most useful numbers. The exact number is
 * shown on hover.
 */
export function recordCards(records: readonly ShownRecord[]): Piece {
  const cards = records.slice(0, most.cards).map((record) => {
    const title = titles.map((name) => record[name]).find((value) => typeof value === 'string' && value !== '');
    const facts = Object.entries(record)
      .filter((fact): fact is [string, number] => typeof fact[1] === 'number')
      .slice(0, most.facts);
    const numbers = facts.map(([name, value]) => ({
      label: fieldLabel(name),
      value: html`<span title="${count(value)}">${shortCount(value)}</span>`,
    }));
    return html`<article class="card"><h3>${title === undefined ? 'Record' : cell(title)}</h3>${tiles(numbers)}</article>`;
  });
  return html`<div class="columns">${cards}</div>
${records.length > cards.length ? html`<p class="hint">Showing ${count(cards.length)} of ${count(records.length)} records.</p>` : null}`;
}
