import { createVerify, generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createSheetsClient, type SheetsClient } from '../../../pipeline/sheets/client.ts';
import { permissionTab } from '../../../pipeline/sheets/permission-tab.ts';
import { startUpstream } from '../upstream.ts';
import {
  appendValues,
  clearArea,
  GridError,
  gridData,
  newTab,
  readRange,
  readValues,
  refuseProtected,
  type Tab,
  type Values,
  writeValues,
} from './sheets-grid.ts';
import { addMetadata, deleteMetadata, type Lookup, type Metadata, metadataWith } from './sheets-metadata.ts';

export const clientEmail = 'tidemark@invented-project.iam.gserviceaccount.com';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const privateKeyText = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** A fault or change that happens once, at the next request to the fake Sheets API with a matching path. */
export interface Mishap {
  path: RegExp;
  /** The status of the error that the request gets. Without a status, the request succeeds. */
  status?: number;
  body?: object;
  /** True when the server carries out the request, but the client gets no answer. */
  lost?: boolean;
  /** True when the answer claims to be compressed but cannot be decompressed. */
  broken?: boolean;
  /** Number of matching requests that succeed first. */
  skip?: number;
  /** A change that a person makes in the spreadsheet just before the request arrives. */
  meanwhile?(): void;
}

export interface SheetsServer {
  client: SheetsClient;
  /** Adds a spreadsheet that is shared with the service account and returns its tabs. */
  share(spreadsheetId: string): Tab[];
  /** Adds the tab by which an editor allows a workspace to use a spreadsheet. */
  allow(spreadsheetId: string, workspaceId: string): void;
  /** Ids of spreadsheets that exist, but are not shared with the service account. */
  hidden: Set<string>;
  mishaps: Mishap[];
  /** Every request that the fake Sheets API received, as `METHOD path`. */
  requests: string[];
  close(): Promise<void>;
}

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
}

const token = 'ya29.invented';

/**
 * Starts a local server that answers as the Google Sheets API and Google's server for access tokens do. Keeps the
 * spreadsheets in memory.
 */
export async function startSheetsServer(): Promise<SheetsServer> {
  const spreadsheets = new Map<string, Tab[]>();
  const hidden = new Set<string>();
  const mishaps: Mishap[] = [];
  const requests: string[] = [];
  const upstream = await startUpstream(async (request, response) => {
    const call = await callOf(request);
    requests.push(`${call.method} ${call.path}`);
    const mishap = take(mishaps, call.path);
    mishap?.meanwhile?.();
    if (mishap?.status !== undefined && !mishap.lost)
      return reply(response, mishap.status, mishap.body ?? errorBody(mishap.status, 'invented'));
    const [status, body] = answer(request, call, { spreadsheets, hidden });
    if (mishap?.lost) request.socket.destroy();
    else if (mishap?.broken) response.writeHead(status, { 'content-encoding': 'gzip' }).end('not compressed');
    else reply(response, status, body);
  });
  return {
    client: createSheetsClient({ client_email: clientEmail, private_key: privateKeyText }, upstream),
    share(spreadsheetId) {
      const tabs = [newTab(0, 'Sheet1')];
      spreadsheets.set(spreadsheetId, tabs);
      return tabs;
    },
    allow(spreadsheetId, workspaceId) {
      const tabs = spreadsheets.get(spreadsheetId) ?? [];
      const title = permissionTab(workspaceId);
      if (!tabs.some((tab) => tab.title === title)) tabs.push(newTab(500 + tabs.length, title));
    },
    hidden,
    mishaps,
    requests,
    close: upstream.close,
  };
}

async function callOf(request: IncomingMessage): Promise<Call> {
  const url = new URL(request.url ?? '', `https://${request.headers.host}`);
  return {
    method: request.method ?? '',
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    body: await text(request),
  };
}

function take(mishaps: Mishap[], path: string): Mishap | undefined {
  const index = mishaps.findIndex((mishap) => mishap.path.test(path));
  const next = mishaps[index];
  if (next?.skip) {
    next.skip -= 1;
    return undefined;
  }
  return index === -1 ? undefined : mishaps.splice(index, 1)[0];
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
}

const words: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

/** Returns an error body in the format of the Google Sheets API. */
export function errorBody(code: number, message: string, reason?: string): object {
  const type = 'type.googleapis.com/google.rpc.ErrorInfo';
  const details = reason ? [{ '@type': type, reason, domain: 'googleapis.com' }] : undefined;
  return { error: { code, message, status: words[code], details } };
}

interface Drive {
  spreadsheets: Map<string, Tab[]>;
  hidden: Set<string>;
}

function answer(request: IncomingMessage, call: Call, { spreadsheets, hidden }: Drive): [number, object] {
  const { host, authorization } = request.headers;
  if (host === 'oauth2.googleapis.com') return signIn(call);
  const match = /^\/v4\/spreadsheets\/([^/:]+)(.*)$/.exec(call.path);
  if (host !== 'sheets.googleapis.com' || !match) return [404, errorBody(404, 'no such method')];
  if (authorization !== `Bearer ${token}`)
    return [401, errorBody(401, 'Request had invalid authentication credentials.')];
  const tabs = spreadsheets.get(match[1] ?? '');
  if (tabs === undefined) return [404, errorBody(404, 'Requested entity was not found.')];
  if (hidden.has(match[1] ?? '')) return [403, errorBody(403, 'The caller does not have permission')];
  try {
    return [200, perform(tabs, `${call.method} ${match[2]}`, call)];
  } catch (error) {
    if (!(error instanceof GridError)) throw error;
    return [400, errorBody(400, error.message)];
  }
}

/**
 * Answers a request to the token endpoint. As with Google, the assertion must name the account and scope and have a
 * valid signature.
 */
function signIn({ path, body }: Call): [number, object] {
  const form = new URLSearchParams(body);
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const { iss, scope, aud } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}');
  const signed = createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url');
  const right =
    path === '/token' &&
    form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
    iss === clientEmail &&
    scope === 'https://www.googleapis.com/auth/spreadsheets' &&
    aud === 'https://oauth2.googleapis.com/token';
  if (!signed || !right) return [400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }];
  return [200, { access_token: token, expires_in: 3599, token_type: 'Bearer' }];
}

function perform(tabs: Tab[], method: string, { query, body }: Call): object {
  const sent = body === '' ? {} : JSON.parse(body);
  if (method === 'GET ' && query.has('ranges')) {
    const { tab, area } = readRange(tabs, query.get('ranges') ?? '');
    return { sheets: [{ data: [gridData(tab, area)] }] };
  }
  if (method === 'GET ') return { sheets: tabs.map((tab) => ({ properties: propertiesOf(tab) })) };
  if (method === 'POST :batchUpdate') return { replies: changed(tabs, sent.requests) };
  if (method === 'POST /developerMetadata:search') return { matchedDeveloperMetadata: metadataWith(tabs, sent) };
  if (method === 'GET /values:batchGet')
    return { valueRanges: query.getAll('ranges').map((range) => read(tabs, range)) };
  if (method === 'POST /values:batchUpdate') {
    // Google writes either all ranges of a request or none.
    const blocks = (sent.data as { range: string; values: Values }[]).map((block) => writable(tabs, block));
    for (const { tab, area, values } of blocks) writeValues(tab, area, values, sent.valueInputOption);
    return { totalUpdatedSheets: 1 };
  }
  if (method === 'POST /values:batchClear') {
    for (const { tab, area } of sent.ranges.map((range: string) => readRange(tabs, range))) {
      refuseProtected(tab, area);
      clearArea(tab, area);
    }
    return { clearedRanges: sent.ranges };
  }
  const appended = /^POST \/values\/(.+):append$/.exec(method)?.[1];
  if (appended === undefined) throw new GridError(`no such method: ${method}`);
  const { tab } = readRange(tabs, appended);
  appendValues(tab, sent.values, query.get('valueInputOption') ?? '', query.get('insertDataOption') ?? '');
  return { updates: { updatedRows: sent.values.length } };
}

function propertiesOf({ sheet_id, title, rows, columns, frozen_rows }: Tab): object {
  const gridProperties = { rowCount: rows, columnCount: columns, frozenRowCount: frozen_rows || undefined };
  return { sheetId: sheet_id, title, gridProperties };
}

function read(tabs: Tab[], range: string): object {
  const { tab, area } = readRange(tabs, range);
  const values = readValues(tab, area);
  return values.length > 0 ? { range, values } : { range };
}

function writable(tabs: Tab[], { range, values }: { range: string; values: Values }) {
  const { tab, area } = readRange(tabs, range);
  const width = Math.max(...values.map((line) => line.length));
  if (values.length > area.last_row - area.row + 1 || width > area.last_column - area.column + 1)
    throw new GridError(`Requested writing within range [${range}], but tried writing to other cells`);
  refuseProtected(tab, area);
  return { tab, area, values };
}

interface Change {
  addSheet?: { properties: { title: string; gridProperties: Record<string, number> } };
  appendDimension?: { sheetId: number; dimension: 'ROWS' | 'COLUMNS'; length: number };
  repeatCell?: {
    range: { sheetId: number; startColumnIndex: number; endColumnIndex: number; endRowIndex?: number };
    cell: { userEnteredFormat: { numberFormat: { pattern: string } } };
  };
  createDeveloperMetadata?: { developerMetadata: Metadata };
  deleteDeveloperMetadata?: { dataFilter: Lookup };
}

/** Maximum number of cells in a spreadsheet. */
const maxCells = 10_000_000;

function changed(tabs: Tab[], requests: Change[] | undefined): object[] {
  if (!requests?.length) throw new GridError('Must specify at least one request.');
  const before = tabs.map((tab) => ({ tab, rows: tab.rows, columns: tab.columns }));
  const replies = change(tabs, requests);
  if (tabs.reduce((sum, { rows, columns }) => sum + rows * columns, 0) <= maxCells) return replies;
  // Google makes either all changes of a request or none.
  tabs.length = before.length;
  for (const { tab, ...size } of before) Object.assign(tab, size);
  throw new GridError(
    `This action would increase the number of cells in the workbook above the limit of ${maxCells} cells.`,
  );
}

function change(tabs: Tab[], requests: Change[]): object[] {
  return requests.map(({ addSheet, appendDimension, repeatCell, ...metadata }) => {
    if (metadata.createDeveloperMetadata) return addMetadata(tabs, metadata.createDeveloperMetadata.developerMetadata);
    if (metadata.deleteDeveloperMetadata) return deleteMetadata(tabs, metadata.deleteDeveloperMetadata.dataFilter);
    if (addSheet) return { addSheet: { properties: propertiesOf(addedTab(tabs, addSheet.properties)) } };
    const { sheetId } = appendDimension ?? repeatCell?.range ?? {};
    const tab = tabs.find(({ sheet_id }) => sheet_id === sheetId);
    if (!tab) throw new GridError(`No grid with id: ${sheetId}`);
    if (appendDimension) tab[appendDimension.dimension === 'ROWS' ? 'rows' : 'columns'] += appendDimension.length;
    if (repeatCell && ((repeatCell.range.endRowIndex ?? 0) > tab.rows || repeatCell.range.endColumnIndex > tab.columns))
      throw new GridError('Invalid requests[0].repeatCell: GridRange exceeds grid limits');
    if (repeatCell)
      tab.formats.set(repeatCell.range.startColumnIndex, repeatCell.cell.userEnteredFormat.numberFormat.pattern);
    return {};
  });
}

function addedTab(tabs: Tab[], { title, gridProperties }: NonNullable<Change['addSheet']>['properties']): Tab {
  if (tabs.some((tab) => tab.title.toLowerCase() === title.toLowerCase())) {
    throw new GridError(`A sheet with the name "${title}" already exists. Please enter another name.`);
  }
  const tab = newTab(1_000 + tabs.length, title, gridProperties.rowCount, gridProperties.columnCount);
  tab.frozen_rows = gridProperties.frozenRowCount ?? 0;
  tabs.push(tab);
  return tab;
}
