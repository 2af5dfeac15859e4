import { sandboxLinks } from '../../pipeline/collect/short-links.ts';
import { dataIn, type ReadAnswer } from '../../pipeline/collect/stored-answer.ts';
import { messageForRow, SourceError } from '../../pipeline/errors.ts';
import { quantity } from '../../pipeline/quantity.ts';
import { channelIdIn, noChannelId } from '../../pipeline/rows/channel-id.ts';
import { blankPostRow, type PostRow, postRows } from '../../pipeline/rows/post-row.ts';
import type { Platform } from '../../pipeline/rows/profile-address.ts';
import { refusedRow } from '../../pipeline/rows/profile-row.ts';
import { rowRoutes } from '../../pipeline/rows/row-routes.ts';
import type { Metered } from '../data/meter.ts';
import { type DataRequest, readRequest } from '../data/request.ts';
import { sourcedRoutes } from '../data/sourced-route.ts';
import { creditsCharged, RequestError } from '../http/errors.ts';
import type { ReplyMetering } from '../http/reply.ts';
import {
  cachedAnswer,
  partIdempotencyKey,
  type RequestedAddress,
  type RowsEstimate,
  rowMessage,
  toRowError,
  type WorkflowCaller,
  type WorkflowDeps,
  withMaxAge,
} from './answer-rows.ts';
import { platformOf, profileDataRequest } from './profile-rows.ts';

interface RequestedPosts extends RequestedAddress {
  /** Number of posts to return, newest first. */
  limit: number;
}

interface AnsweredPosts {
  rows: PostRow[];
  metering: ReplyMetering;
  retrieved_at?: Date;
}

const path = '/v1/workflows/posts';
/**
 * Maximum age of a cached channel id, even when the client requests fresh posts, because the id of a channel never
 * changes.
 */
const lookupMaxAge = '1d';

const routes = sourcedRoutes(rowRoutes.latest_posts);

/**
 * The first data request for the posts of a profile: `list` requests the posts. For a YouTube channel without a known
 * id, `lookup` requests the channel first.
 */
type Plan = { lookup: null; list: DataRequest } | { lookup: DataRequest; list: null };

/**
 * Returns the newest posts of one profile, one row each. When the request fails, returns one row with the error. This
 * row costs 0, or the price of the YouTube channel lookup when that was already charged.
 */
export async function newestPosts(
  sent: RequestedPosts,
  caller: WorkflowCaller,
  deps: WorkflowDeps,
): Promise<AnsweredPosts> {
  let blank = blankPostRow(sent.url, null);
  let lookedUp: Metered | null = null;
  try {
    const input = await resolveLink(sent, caller.admission.kind === 'test', deps);
    const platform = platformFor(input);
    blank = blankPostRow(sent.url, platform);
    const { lookup, list: named } = planOf(input, platform, deps);
    if (lookup) lookedUp = await lookUp(lookup, caller, deps);
    const list = named ?? listRequest(channelIdOf(lookedUp), input, platform, deps);
    const key = partIdempotencyKey(caller, 'list');
    const { metering, ...read } = await deps.meter({ ...caller, idempotency_key: key, request: list });
    const cost = metering.credits_charged + costOf(lookedUp);
    const rows = postRows(blank, { ...read, metering: { cached: metering.cached, credits_charged: cost } });
    const cached = metering.cached && lookedUp?.metering.cached !== false;
    const { retrieved_at } = read.answer;
    return { rows, metering: { ...metering, cached, credits_charged: cost }, retrieved_at };
  } catch (thrown) {
    const error = toRowError(thrown, path, caller, deps);
    const cost = costOf(lookedUp);
    const message = messageForRow(messageOf(error, cost), caller.request_id);
    const refused = refusedRow(blank, { code: error.code, message });
    const creditsRemaining = lookedUp?.metering.credits_remaining ?? caller.admission.balance;
    const uncertain = creditsCharged(error) === null;
    const metering = { cached: false, credits_charged: cost, uncertain, credits_remaining: creditsRemaining };
    return { rows: [{ ...refused, credits_charged: uncertain ? null : cost }], metering };
  }
}

/** Returns what {@link newestPosts} would cost now, without a request to a source. */
export async function estimatePosts(sent: RequestedPosts, sandbox: boolean, deps: WorkflowDeps): Promise<RowsEstimate> {
  const { limit } = sent;
  try {
    const input = await resolveLink(sent, sandbox, deps);
    const platform = platformFor(input);
    const { lookup, list: named } = planOf(input, platform, deps);
    if (sandbox) return { rows: limit, cached_rows: 0, cost: 0, unreadable_rows: 0 };
    const channel = lookup && (await cachedAnswer(lookup, deps));
    const lookupCost = lookup && !channel ? lookup.route.cost : 0;
    const list = named ?? (channel && listRequest(channelIdOf({ answer: channel }), input, platform, deps));
    const cached = list && (await cachedAnswer(list, deps));
    if (!cached) return { rows: limit, cached_rows: 0, cost: lookupCost + routes[platform].cost, unreadable_rows: 0 };
    const rows = (dataIn({ answer: cached }) as { items: unknown[] }).items.length;
    return { rows, cached_rows: rows, cost: lookupCost, unreadable_rows: 0 };
  } catch (thrown) {
    const isFinal = thrown instanceof RequestError || (thrown instanceof SourceError && !thrown.retryable);
    if (!isFinal) throw thrown;
    return { rows: 1, cached_rows: 0, cost: 0, unreadable_rows: 1 };
  }
}

async function resolveLink(input: RequestedPosts, sandbox: boolean, { links }: WorkflowDeps): Promise<RequestedPosts> {
  return { ...input, url: await (sandbox ? sandboxLinks : links)(input.url) };
}

const platformFor = (input: RequestedPosts) => platformOf(input, 'use a profile URL, or a handle with platform');

function planOf(input: RequestedPosts, platform: Platform, deps: WorkflowDeps): Plan {
  const lookupAge = { ...input, cache_max_age: input.cache_max_age ?? lookupMaxAge };
  const profile = profileDataRequest(lookupAge, platform, deps.cursors);
  const identifier = platform === 'longvideo' ? profile.params.channel_id : profile.params.handle;
  if (typeof identifier !== 'string') return { lookup: profile, list: null };
  return { lookup: null, list: listRequest(identifier, input, platform, deps) };
}

function listRequest(identifier: string, input: RequestedPosts, platform: Platform, deps: WorkflowDeps): DataRequest {
  const name = platform === 'longvideo' ? 'channel_id' : 'handle';
  const query = { [name]: [identifier], limit: [String(input.limit)] };
  return readRequest(routes[platform], withMaxAge(query, input), deps.cursors);
}

/** Requests a channel to find its id, but only when the balance also covers the request for its posts. */
function lookUp(request: DataRequest, caller: WorkflowCaller, deps: WorkflowDeps): Promise<Metered> {
  const idempotencyKey = partIdempotencyKey(caller, 'channel');
  return deps.meter({ ...caller, idempotency_key: idempotencyKey, request, reserve: routes.longvideo.cost });
}

function channelIdOf(channel: ReadAnswer | null): string {
  const id = channel && channelIdIn(channel);
  if (id !== null) return id;
  throw new RequestError(noChannelId.code, { message: noChannelId.message });
}

const costOf = (lookedUp: Metered | null) => lookedUp?.metering.credits_charged ?? 0;

/** Returns the message of an error. When the channel lookup was charged, the message also states this cost. */
function messageOf(error: RequestError, cost: number): string {
  const message = rowMessage(error);
  if (cost === 0) return message;
  const cause =
    error.code === 'INTERNAL'
      ? 'This failed on our side. The log of the server has the cause under this request ID.'
      : message.replace(/^Nothing was charged\. /, '');
  return `${cause} Finding the channel cost ${quantity(cost, 'credit')} and is free for a day.`;
}
