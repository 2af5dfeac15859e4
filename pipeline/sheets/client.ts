import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { sheets_v4 } from 'googleapis/build/src/apis/sheets/index.js';
import { z } from 'zod';
import { SourceError } from '../errors.ts';
import { createFetcher, type Fetcher, type UpstreamRequest } from '../network/fetcher.ts';
import { dig } from '../parse/values.ts';

/** The only hosts that a push talks to. */
export const sheetsHosts: readonly string[] = ['sheets.googleapis.com', 'oauth2.googleapis.com'];

const scope = 'https://www.googleapis.com/auth/spreadsheets';
const callTimeoutMs = 30_000;
/** A key column of some 200,000 rows. */
const maxAnswerBytes = 16 * 1024 * 1024;
const maxMessageLength = 300;

const serviceAccount = z.object({ client_email: z.email(), private_key: z.string().refine(isPrivateKey) });
export type ServiceAccount = z.infer<typeof serviceAccount>;

/** Reads the credentials file of GOOGLE_SERVICE_ACCOUNT. Throws an Error that says what is wrong with it, never what is in it. */
export function readServiceAccount(path: string): ServiceAccount {
  const parsed = serviceAccount.safeParse(readJson(path));
  if (parsed.success) return parsed.data;
  const missing = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))].join(', ');
  throw new Error(`GOOGLE_SERVICE_ACCOUNT: ${path} is no key file of a service account: ${missing || 'not an object'}`);
}

/** The address that spreadsheets are shared with; null where the operator has set up no account. Throws as reading its file does. */
export function sheetsAccount(path: string | null): string | null {
  return path === null ? null : readServiceAccount(path).client_email;
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    throw new Error(`GOOGLE_SERVICE_ACCOUNT: ${path} cannot be read: ${code ?? 'it is not JSON'}`);
  }
}

/** Why a push did not happen. `TRY_AGAIN` passes by itself, the others wait for a person. */
export type PushProblem = 'NOT_CONFIGURED' | 'NOT_SHARED' | 'SHEET_NOT_FOUND' | 'OTHER_TABLE' | 'REFUSED' | 'TRY_AGAIN';

/** `message` is for the person who set the target up: what happened and what to do. */
export class PushError extends Error {
  override readonly name = 'PushError';
  readonly problem: PushProblem;

  constructor(problem: PushProblem, message: string) {
    super(message.slice(0, maxMessageLength));
    this.problem = problem;
  }
}

/** One method of the API, with what every call is given. */
export type SheetsCall<T> = (
  spreadsheets: sheets_v4.Resource$Spreadsheets,
  options: { signal: AbortSignal },
) => Promise<{ data: T }>;

/** Calls one method of the Sheets API as the service account. Throws PushError. */
export type SheetsClient = <T>(call: SheetsCall<T>, signal: AbortSignal) => Promise<T>;

/** The official client builds the requests and signs in; our door sends them. Nothing is loaded before the first call. */
export function createSheetsClient(
  account: ServiceAccount,
  fetcher: Fetcher = createFetcher({ hosts: sheetsHosts, timeout_ms: callTimeoutMs, max_bytes: maxAnswerBytes }),
): SheetsClient {
  let api: Promise<sheets_v4.Sheets> | undefined;
  return async (call, signal) => {
    api ??= openApi(account, fetcher);
    const { spreadsheets } = await api;
    try {
      return (await call(spreadsheets, { signal })).data;
    } catch (error) {
      throw meaning(error, account.client_email);
    }
  };
}

async function openApi(account: ServiceAccount, fetcher: Fetcher): Promise<sheets_v4.Sheets> {
  const { auth, sheets } = await import('googleapis/build/src/apis/sheets/index.js');
  // Retries are the queue's: one attempt here, whatever the client's own defaults.
  const transporterOptions = { fetchImplementation: through(fetcher), retryConfig: { retry: 0 } };
  const { client_email: email, private_key: key } = account;
  return sheets({
    version: 'v4',
    auth: new auth.JWT({ email, key, scopes: [scope], transporterOptions }),
    retry: false,
  });
}

function through(fetcher: Fetcher): typeof fetch {
  return async (url, init) => {
    const request: UpstreamRequest = {
      method: init?.method === 'POST' ? 'POST' : 'GET',
      url: String(url),
      headers: Object.fromEntries(new Headers(init?.headers)),
    };
    if (init?.body) request.body = String(init.body);
    const { status, headers, body } = await fetcher(request, init?.signal ?? new AbortController().signal);
    return new Response(new Uint8Array(body), { status, headers: { 'content-type': headers['content-type'] ?? '' } });
  };
}

/** What the client throws holds the request with its token: only its words go on. */
function meaning(error: unknown, clientEmail: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error.cause instanceof SourceError) return new PushError('TRY_AGAIN', doorProblem(error.cause));
  const status = dig(error, 'status');
  if (typeof status !== 'number') return new Error(`the Sheets client failed: ${error.message}`);
  const body = dig(error, 'response', 'data');
  const said = dig(body, 'error', 'message');
  return refusal(status, typeof said === 'string' ? said : `HTTP ${status}`, body, clientEmail);
}

function doorProblem({ code }: SourceError): string {
  return code === 'SOURCE_TIMEOUT' ? 'Google did not answer in time.' : `Google could not be asked (${code}).`;
}

function refusal(status: number, said: string, body: unknown, clientEmail: string): PushError {
  if (status === 429 || status === 408 || status >= 500) {
    return new PushError('TRY_AGAIN', `Google asks to try again later: ${said}`);
  }
  // The token endpoint gives a word where the API gives an object.
  const word = dig(body, 'error');
  if (typeof word === 'string' || status === 401) {
    const detail = typeof word === 'string' ? word : said;
    return new PushError('NOT_CONFIGURED', `Google does not accept the operator's service account: ${detail}`);
  }
  const details = dig(body, 'error', 'details');
  if (Array.isArray(details) && details.some((detail) => dig(detail, 'reason') === 'SERVICE_DISABLED')) {
    return new PushError('NOT_CONFIGURED', "The Google Sheets API is switched off in the operator's project.");
  }
  if (status === 403) return new PushError('NOT_SHARED', `Share the spreadsheet with ${clientEmail} as an editor.`);
  if (status === 404) return new PushError('SHEET_NOT_FOUND', 'There is no such spreadsheet: name another one.');
  return new PushError('REFUSED', `Google refused the table: ${said}`);
}
