import type { Context, Hono } from 'hono';
import type { Sql } from 'postgres';
import { throttle } from '../../db/accounts/throttle.ts';
import { linkReads, type OpenedDataLink, openDataLink } from '../../db/deliveries/data-links.ts';
import type { UsageEvent } from '../../db/requests/usage.ts';
import { errorTable } from '../../pipeline/errors.ts';
import { type LinkFormat, readLinkFile } from '../../pipeline/links/addresses.ts';
import { LinkContentDeleted, storedTable } from '../../pipeline/links/tables.ts';
import { attachmentHeaders } from '../http/attachment.ts';
import { type ClientAddress, networkOf } from '../http/client-address.ts';
import { asRequestError } from '../http/errors.ts';
import { handleRequest, requestIdOf, type WriteLog } from '../http/handle-request.ts';
import { type ChargedCredits, knownCredits } from '../http/reply.ts';
import type { RequestMetrics } from '../http/request-metrics.ts';
import type { WorkflowDeps } from '../workflows/answer-rows.ts';
import { type FetchedTable, fetchedTable } from './fetched-rows.ts';
import { formatTable } from './formats.ts';

/** Path pattern of data links. The last part of the path contains a secret, so the log shows only this pattern. */
const path = '/links/:file';
/** Limits the requests with an unknown link secret from one client network. */
const unknownReads = { limit: 30, window_seconds: 600 };

interface DataLinkDeps extends WorkflowDeps {
  db: { sql: Sql };
  now: () => Date;
  client_address: ClientAddress;
  log: WriteLog;
  metrics: RequestMetrics;
  count(event: UsageEvent): void;
}

/** Adds the route that shows the table of a data link to everyone who has its URL. */
export function mountDataLinks(app: Hono, deps: DataLinkDeps): void {
  app.get(path, (c) => answer(c, deps));
}

/**
 * Response to a request to a data link, with its cost. When the request is refused, the body is one or two sentences
 * for the person who opens the URL.
 */
interface Answer extends ChargedCredits {
  status: number;
  body: string | ReadableStream<Uint8Array>;
  headers: Record<string, string>;
}

async function answer(c: Context, deps: DataLinkDeps): Promise<Response> {
  const request = c.req.raw;
  const requestId = requestIdOf(request.headers);
  const { status, body, headers, ...charged } = await handleRequest<Answer>({
    request_id: requestId,
    method: request.method,
    route: path,
    log: deps.log,
    metrics: deps.metrics,
    async answer(exchange) {
      const file = readLinkFile(c.req.param('file') ?? '');
      const opened = { now: deps.now(), refresh: request.method === 'GET' };
      const link = file && (await openDataLink(deps.db.sql, file.token, opened));
      if (!link) return unknownLink(deps.client_address(c), deps);
      exchange.workspace_id = link.workspace_id;
      return refusedAnswer(link, deps.now()) ?? tableAnswer(link, file.format, requestId, deps);
    },
    failed: failure,
    outcomeOf: ({ status, credits_charged }) => ({ status, credits_charged, label: labelOf(status) }),
  });
  const credits = knownCredits(charged);
  return new Response(request.method === 'HEAD' ? null : body, {
    status,
    headers: {
      ...headers,
      'x-request-id': requestId,
      ...(credits === null ? {} : { 'x-credits-charged': String(credits) }),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    },
  });
}

/** Returns the label for the result of a request to a data link in the metrics. */
function labelOf(status: number): string {
  if (status === 200) return 'OK';
  return status === 429 ? 'RATE_LIMITED' : 'RESOURCE_NOT_FOUND';
}

async function tableAnswer(
  link: OpenedDataLink,
  format: LinkFormat,
  requestId: string,
  deps: DataLinkDeps,
): Promise<Answer> {
  const { table, ...charged } = await tableOf(link, requestId, deps);
  if (link.key_id !== null && link.may_refresh) {
    const credits = charged.credits_charged;
    deps.count({
      workspace_id: link.workspace_id,
      key_id: link.key_id,
      route: '/links',
      outcome: credits > 0 ? 'OK' : 'HIT',
      credits,
    });
  }
  const headers = attachmentHeaders('data', format);
  return { status: 200, body: formatTable(table, format, link.label), headers, ...charged };
}

async function tableOf(link: OpenedDataLink, requestId: string, deps: DataLinkDeps): Promise<FetchedTable> {
  const { content } = link;
  if (content.kind === 'profiles' || content.kind === 'posts') return fetchedTable(content, link, requestId, deps);
  const table = await storedTable(deps.db.sql, content, { ...link, now: deps.now() });
  return { table, credits_charged: 0 };
}

function refusedAnswer({ state, window_ends_at }: OpenedDataLink, now: Date): Answer | null {
  if (state === 'open') return null;
  if (state === 'revoked') return refusal(410, 'This data link was revoked. Ask its owner for a new one.');
  if (state === 'expired') return refusal(410, 'This data link has expired. Ask its owner for a new one.');
  const seconds = Math.max(1, Math.ceil((window_ends_at.getTime() - now.getTime()) / 1000));
  const sentence = `This data link was read ${linkReads.limit} times within an hour. Read it again in ${minutes(seconds)}.`;
  return refusal(429, sentence, { 'retry-after': String(seconds) });
}

const minutes = (seconds: number) => (seconds <= 60 ? '1 minute' : `${Math.ceil(seconds / 60)} minutes`);

/**
 * Returns 404 for an unknown secret of a data link. Returns 429 when the client's network sent too many unknown
 * secrets, so that secrets cannot be guessed. The limit never affects requests with a known secret.
 */
async function unknownLink(address: string, { db, now }: DataLinkDeps): Promise<Answer> {
  const wait = await throttle(db.sql, `data link ${networkOf(address)}`, unknownReads, now());
  if (wait === null)
    return refusal(
      404,
      'There is no data link at this address. Copy the whole address, or ask its owner for a new link.',
    );
  const sentence = `Too many requests for data links that do not exist. Try again in ${minutes(wait)}.`;
  return refusal(429, sentence, { 'retry-after': String(wait) });
}

function refusal(status: number, sentence: string, headers: Record<string, string> = {}): Answer {
  const type = { 'content-type': 'text/plain; charset=utf-8' };
  return { status, body: `${sentence}\n`, headers: { ...type, ...headers }, credits_charged: 0 };
}

function failure(thrown: unknown): Answer {
  if (thrown instanceof LinkContentDeleted)
    return refusal(410, `${thrown.message} Ask the owner of the link for a new link.`);
  const { code, retry_after_seconds: wait } = asRequestError(thrown);
  const sentence = 'This data link cannot be read at the moment. Try again in a few minutes.';
  return refusal(errorTable[code].status, sentence, wait === null ? {} : { 'retry-after': String(wait) });
}
