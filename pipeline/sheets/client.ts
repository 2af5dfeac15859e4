import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { sheets_v4 } from 'googleapis/build/src/apis/sheets/index.js';
import { z } from 'zod';
import { StartError } from '../../db/start-error.ts';
import { SourceError } from '../errors.ts';
import { loadOnce } from '../lazy.ts';
import { createFetcher, type Fetcher, type FetcherOptions, type UpstreamRequest } from '../network/fetcher.ts';
import { AnswerTooLargeError } from '../network/http-client.ts';
import { dig } from '../parse/values.ts';

/** The only hosts that requests to Google Sheets may call. */
const sheetsHosts: readonly string[] = ['sheets.googleapis.com', 'oauth2.googleapis.com'];

const scope = 'https://www.googleapis.com/auth/spreadsheets';
const callTimeoutMs = 30_000;
/** Maximum bytes of an answer of the Sheets API: enough for one column with about 200,000 rows. */
const maxAnswerBytes = 16 * 1024 * 1024;
const maxMessageLength = 300;

const serviceAccount = z.object({ client_email: z.email(), private_key: z.string().refine(isPrivateKey) });
type ServiceAccount = z.infer<typeof serviceAccount>;

/**
 * Reads the Google key file at the path in GOOGLE_SERVICE_ACCOUNT. Throws a StartError that names the problem but does
 * not contain the content of the file, because the content is secret.
 */
export function readServiceAccount(path: string): ServiceAccount {
  const parsed = serviceAccount.safeParse(readJson(path));
  if (parsed.success) return parsed.data;
  const missing = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))].join(', ');
  throw new StartError(
    `GOOGLE_SERVICE_ACCOUNT: ${path} is not a key file of a service account: check ${missing || 'that it is a JSON object'}.`,
  );
}

/**
 * Returns the email address with which users share their spreadsheets, from the key file of the Google service account.
 * Returns null when no key file is configured. Throws when the file is invalid.
 */
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
    throw new StartError(
      `GOOGLE_SERVICE_ACCOUNT: ${path} cannot be read: ${code ?? 'it is not JSON'}. Set the path of a key file.`,
    );
  }
}

/**
 * Says why reading or writing a spreadsheet failed. `TRY_AGAIN` is temporary and is retried. All other problems must be
 * fixed by a person.
 */
type PushProblem =
  | 'NOT_CONFIGURED'
  | 'NOT_SHARED'
  | 'NOT_ALLOWED'
  | 'SHEET_NOT_FOUND'
  | 'TAB_NOT_FOUND'
  | 'NO_ADDRESSES'
  | 'TOO_MANY_ROWS'
  | 'OTHER_TABLE'
  | 'SHEET_CHANGED'
  | 'REFUSED'
  | 'TRY_AGAIN';

/** Error in reading or writing a spreadsheet. `message` tells the user what happened and what to do. */
export class PushError extends Error {
  override readonly name = 'PushError';
  readonly problem: PushProblem;

  constructor(problem: PushProblem, message: string) {
    super(message.slice(0, maxMessageLength));
    this.problem = problem;
  }
}

/**
 * A function that calls one method of the Google Sheets API. It must pass `options` to the method, so that the call can
 * be aborted.
 */
export type SheetsCall<T> = (
  spreadsheets: sheets_v4.Resource$Spreadsheets,
  options: { signal: AbortSignal },
) => Promise<{ data: T }>;

/** Calls one method of the Google Sheets API as the service account. Throws PushError when the call fails. */
export type SheetsClient = <T>(call: SheetsCall<T>, signal: AbortSignal) => Promise<T>;

/** Throws PushError when this server has no client, because it has no Google service account. */
export function requireClient(client: SheetsClient | null): SheetsClient {
  if (client !== null) return client;
  throw new PushError(
    'NOT_CONFIGURED',
    'This server has no Google service account: ask your Tidemark administrator to set GOOGLE_SERVICE_ACCOUNT.',
  );
}

/**
 * Creates a client of the Google Sheets API. The Google library builds and signs the requests, and `fetcher` sends
 * them. The library is loaded with the first call. `network` replaces the connections of `fetcher` in tests.
 */
export function createSheetsClient(
  account: ServiceAccount,
  network: Pick<FetcherOptions, 'dispatcher'> = {},
): SheetsClient {
  const fetcher = createFetcher({
    hosts: sheetsHosts,
    timeout_ms: callTimeoutMs,
    max_bytes: maxAnswerBytes,
    ...network,
  });
  const api = loadOnce(() => openApi(account, fetcher));
  return async (call, signal) => {
    const { spreadsheets } = await api();
    try {
      return (await call(spreadsheets, { signal })).data;
    } catch (error) {
      throw toPushError(error, account.client_email);
    }
  };
}

async function openApi(account: ServiceAccount, fetcher: Fetcher): Promise<sheets_v4.Sheets> {
  const { auth, sheets } = await import('googleapis/build/src/apis/sheets/index.js');
  // Switches off the retries of the Google library, because the job queue retries failed calls.
  const transporterOptions = { fetchImplementation: fetchWith(fetcher), retryConfig: { retry: 0 } };
  const { client_email: email, private_key: key } = account;
  return sheets({
    version: 'v4',
    auth: new auth.JWT({ email, key, scopes: [scope], transporterOptions }),
    retry: false,
  });
}

function fetchWith(fetcher: Fetcher): typeof fetch {
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

/**
 * Converts an error of the Google library to a PushError with its message. The original error is dropped, because it
 * contains the request with an access token.
 */
function toPushError(error: unknown, clientEmail: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error.cause instanceof SourceError) return fetchProblem(error.cause);
  const status = dig(error, 'status');
  if (typeof status !== 'number') return new Error(`The client of the Google Sheets API failed: ${error.message}`);
  const body = dig(error, 'response', 'data');
  const message = dig(body, 'error', 'message');
  return refusal(status, typeof message === 'string' ? message : `HTTP ${status}`, body, clientEmail);
}

function fetchProblem(error: SourceError): PushError {
  if (error instanceof AnswerTooLargeError) {
    const message = `The cells to read are more than ${maxAnswerBytes / 1024 / 1024} MB: choose a smaller range, or another tab to write into.`;
    return new PushError('TOO_MANY_ROWS', message);
  }
  if (error.code === 'SOURCE_RESPONSE_CHANGED')
    return new PushError('TRY_AGAIN', 'The answer of Google could not be read: we try again later.');
  if (error.code === 'SOURCE_TIMEOUT')
    return new PushError('TRY_AGAIN', 'Google did not answer in time: we try again later.');
  return new PushError('TRY_AGAIN', `Google could not be reached (${error.code}): we try again later.`);
}

function refusal(status: number, message: string, body: unknown, clientEmail: string): PushError {
  if (status === 429 || status === 408 || status >= 500) {
    return new PushError('TRY_AGAIN', `Google is busy, so we try again later: ${message}`);
  }
  // The field `error` shows which server refused the request: a string when the token server refuses the service
  // account, and an object when the Sheets API refuses the request.
  const code = dig(body, 'error');
  if (typeof code === 'string' || status === 401) {
    const detail = typeof code === 'string' ? code : message;
    return new PushError(
      'NOT_CONFIGURED',
      `Google does not accept the service account of this server, so ask your Tidemark administrator to check it: ${detail}`,
    );
  }
  const details = dig(body, 'error', 'details');
  if (Array.isArray(details) && details.some((detail) => dig(detail, 'reason') === 'SERVICE_DISABLED')) {
    return new PushError(
      'NOT_CONFIGURED',
      'The Google Sheets API is off in the Google project of this server: ask your Tidemark administrator to turn it on.',
    );
  }
  if (status === 403) return new PushError('NOT_SHARED', `Share the spreadsheet with ${clientEmail} as an editor.`);
  if (status === 404) return new PushError('SHEET_NOT_FOUND', 'The spreadsheet does not exist: choose another one.');
  return new PushError('REFUSED', `Google refused this: ${message}`);
}
