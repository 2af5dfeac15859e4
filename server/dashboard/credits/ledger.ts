import { html } from 'hono/html';
import { type KeyRow, listKeys } from '../../../db/accounts/keys.ts';
import { isId } from '../../../db/ids.ts';
import { type EntryFilter, entryKinds, type LedgerEntry, listEntries } from '../../../db/money/ledger-entries.ts';
import { knownPayments } from '../../../db/money/purchases.ts';
import { signedText } from '../../../pipeline/quantity.ts';
import { type TableFormat, tableResponse } from '../../http/attachment.ts';
import { batchName } from '../batches/labels.ts';
import type { SectionDeps } from '../deps.ts';
import { card, count, field, type Piece, select, table, time } from '../ui/components.ts';
import type { Visit } from '../ui/section.ts';
import { keyLabel } from './key-label.ts';
import { paymentIn, purchaseReason } from './purchases.ts';
import { routeName } from './route-name.ts';

type LedgerDeps = Pick<SectionDeps, 'db' | 'now'>;

const area = '/dashboard/credits';
const entriesAPage = 50;
const exportedEntries = 10_000;

const kindNames: Record<LedgerEntry['kind'], string> = {
  starter: 'Starter credits',
  purchase: 'Purchase',
  charge: 'Charge',
  return: 'Returned charge',
  adjustment: 'Adjustment',
};

/** Returns the filter for ledger entries in the page's URL. Invalid values are ignored. */
function readFilter({ url }: Visit, keys: readonly KeyRow[]): EntryFilter {
  const value = (name: string) => url.searchParams.get(name) ?? '';
  const day = (name: string) => {
    const text = value(name);
    return /^20\d\d-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) ? text : null;
  };
  return {
    kind: entryKinds.find((kind) => kind === value('kind')) ?? null,
    key_id: keys.find(({ key_id }) => key_id === value('key'))?.key_id ?? null,
    from: day('from'),
    to: day('to'),
  };
}

/** Returns a URL path whose query contains the filter for ledger entries, such as `/dashboard/credits?kind=charge`. */
function addressOf(path: string, { kind, key_id, from, to }: EntryFilter, before?: number): string {
  const all = { kind, key: key_id, from, to, before: before === undefined ? null : String(before) };
  const set = Object.entries(all).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
}

/**
 * Returns the newest ledger entries that match the filter in the page's URL, with links to older entries and to
 * downloads.
 */
export async function ledgerCard(visit: Visit, { db, now }: LedgerDeps): Promise<Piece> {
  const { workspace_id } = visit.visitor;
  const text = visit.url.searchParams.get('before') ?? '';
  const before = /^\d{1,15}$/.test(text) ? Number(text) : null;
  const keys = await listKeys(db.sql, workspace_id, now());
  const filter = readFilter(visit, keys);
  const entries = await listEntries(db.sql, workspace_id, { ...filter, before, limit: entriesAPage + 1 });
  const shown = entries.slice(0, entriesAPage);
  const payments = await paymentsOf(shown, workspace_id, db);
  const older = entries.length > entriesAPage ? shown.at(-1)?.entry_no : undefined;
  const links = [
    older === undefined ? null : html`<a href="${addressOf(area, filter, older)}">Older entries</a>`,
    before === null ? null : html`<a href="${addressOf(area, filter)}">Newest entries</a>`,
    html`<a href="${addressOf(`${area}/ledger.csv`, filter)}">Download CSV</a>`,
    html`<a href="${addressOf(`${area}/ledger.xlsx`, filter)}">Download Excel</a>`,
  ].filter((link) => link !== null);
  const isFiltered = before !== null || Object.values(filter).some((value) => value !== null);
  const none = isFiltered
    ? html`<p>No entries match this filter. <a href="${area}">Show all entries</a></p>`
    : html`<p>No entries yet. Each charge and each added credit appears here.</p>`;
  return card(
    'Ledger',
    html`${filterForm(filter, keys)}${shown.length === 0 ? none : entryTable(shown, payments)}
<p>${links.map((link, n) => html`${n > 0 ? ' · ' : ''}${link}`)} <span class="hint">(newest ${count(exportedEntries)} entries)</span></p>`,
  );
}

function filterForm({ kind, key_id, from, to }: EntryFilter, keys: readonly KeyRow[]): Piece {
  const kinds = entryKinds.map((name): [string, string] => [name, kindNames[name]]);
  const keyNames = keys.map((key): [string, string] => [key.key_id, keyLabel(key)]);
  return html`<form method="get" action="${area}" class="row filter">${select('Entry', 'kind', [['', 'All entries'], ...kinds], { value: kind ?? '' })}
${keyNames.length > 0 ? select('Key', 'key', [['', 'All keys'], ...keyNames], { value: key_id ?? '' }) : null}
${field('From (UTC)', 'from', { type: 'date', value: from ?? '' })}${field('To (UTC)', 'to', { type: 'date', value: to ?? '' })}
<button class="quiet">Apply</button></form>`;
}

/** Returns the ids of the payments of a workspace that the reasons of these entries name. */
async function paymentsOf(
  entries: readonly LedgerEntry[],
  workspaceId: string,
  { sql }: LedgerDeps['db'],
): Promise<ReadonlySet<string>> {
  const named = entries.map(paymentIn).filter((paymentId) => paymentId !== null);
  return named.length === 0 ? new Set() : knownPayments(sql, workspaceId, named);
}

function entryTable(entries: readonly LedgerEntry[], payments: ReadonlySet<string>): Piece {
  const number = (heading: string) => ({ heading, number: true });
  const rows = entries.map((entry) => [
    time(entry.created_at),
    kindNames[entry.kind],
    purpose(entry, payments),
    entry.key_name ?? '',
    signedText(entry.credits),
    count(entry.balance_after),
  ]);
  const columns = [
    { heading: 'Time', time: true },
    'Entry',
    { heading: 'For', long: true },
    { heading: 'Key', long: true },
    number('Credits'),
    number('Balance after'),
  ];
  return table('Ledger, newest first', columns, rows, { as_cards: true });
}

/**
 * Returns what a ledger entry is about, with a link to the tracked item, the batch, the import, or the usage of the API
 * route.
 */
function purpose(entry: LedgerEntry, payments: ReadonlySet<string>): Piece {
  const { route, item_id, item_name, batch_id, import_id, request_id, created_at } = entry;
  if (item_id !== null) return html`Check of <a href="/dashboard/tracking/${item_id}">${item_name}</a>`;
  if (route === 'tracking') return 'Check of a removed item';
  if (import_id !== null) return html`Sheet import <a href="/dashboard/imports/${import_id}">${workName(entry)}</a>`;
  if (batch_id !== null)
    return html`${entry.batch_name === null ? '' : 'Bulk analysis '}<a href="/dashboard/batches/${batch_id}">${workName(entry)}</a>`;
  // An entry with a key is left out: its request id can also be a UUID, because an API client can choose the request
  // id.
  if (entry.key_id === null && isId(request_id ?? '')) return 'Row of a deleted analysis or import';
  if (route === null) return purchaseReason(entry, payments);
  const query = new URLSearchParams({ period: created_at.toISOString().slice(0, 7), route });
  return html`<div class="address"><a href="/dashboard/usage?${query}">${routeName(route) ?? route}</a><small>${routeName(route) === null ? null : html`${route} `}${request_id}</small></div>`;
}

/** Returns the name of the bulk analysis or sheet import whose row was charged. Null for other entries. */
function workName({ import_label, batch_name, batch_created_at }: LedgerEntry): string | null {
  if (import_label !== null || batch_created_at === null) return import_label;
  return batchName({ name: batch_name, created_at: batch_created_at });
}

/** Returns the ledger entries that match the filter as a CSV or Excel download. */
export async function ledgerTable(visit: Visit, { db, now }: LedgerDeps, format: TableFormat): Promise<Response> {
  const { workspace_id } = visit.visitor;
  const filter = readFilter(visit, await listKeys(db.sql, workspace_id, now()));
  const entries = await listEntries(db.sql, workspace_id, { ...filter, before: null, limit: exportedEntries });
  const columns = [
    'entry_no',
    'created_at',
    'kind',
    'credits',
    'balance_after',
    'route',
    'request_id',
    'key_name',
    'reason',
    'item_name',
    'batch_name',
  ] as const;
  const rows = entries.map((entry) => {
    const row = { ...entry, created_at: entry.created_at.toISOString(), batch_name: workName(entry) };
    return columns.map((column) => row[column]);
  });
  return tableResponse('ledger', format, columns, rows);
}
