import { dig } from '../../pipeline/parse/values.ts';
import { blankPostRow, type PostRow, postRows } from '../../pipeline/rows/post-row.ts';
import type { Platform } from '../../pipeline/rows/profile-address.ts';
import { refusedRow } from '../../pipeline/rows/profile-row.ts';
import type { Metered } from '../data/meter.ts';
import { type DataRequest, readRequest } from '../data/request.ts';
import { RequestError } from '../http/errors.ts';
import { platformOf, profileRequest, routesOf } from './profile-rows.ts';
import {
  type AskedAddress,
  type Asking,
  agedQuery,
  type Estimate,
  keptAnswer,
  keyOfPart,
  tellable,
  type WorkflowDeps,
} from './rows.ts';

export interface AskedPosts extends AskedAddress {
  /** Newest posts wanted. */
  limit: number;
}

export interface AnsweredPosts {
  rows: PostRow[];
  cached: boolean;
  credits_charged: number;
  /** Null when it never came to that. */
  credits_remaining: number | null;
}

const path = '/v1/workflows/posts';
/** A channel keeps its id: the look-up of it is not asked for again within this, also when the posts are to be fresh. */
const lookupMaxAge = '1d';

const routes = routesOf({
  photo: '/v1/photo/posts',
  shortvideo: '/v1/shortvideo/videos',
  longvideo: '/v1/longvideo/channel/videos',
});

/** What has to be asked for the posts of an address: their list, or first the channel whose id the list needs. */
type Plan = { lookup: null; list: DataRequest } | { lookup: DataRequest; list: null };

/** The newest posts of one profile, one row each; what goes wrong is one row that says so and what it cost to find out. */
export async function newestPosts(sent: AskedPosts, asking: Asking, deps: WorkflowDeps): Promise<AnsweredPosts> {
  const asked = await followed(sent, asking.admission.kind === 'test', deps);
  let blank = blankPostRow(sent.url, null);
  let lookedUp: Metered | null = null;
  try {
    const platform = platformFor(asked);
    blank = blankPostRow(sent.url, platform);
    const { lookup, list: named } = planOf(asked, platform, deps);
    if (lookup) lookedUp = await lookUp(lookup, asking, deps);
    const list = named ?? listRequest(channelIdOf(lookedUp), asked, platform, deps);
    const metered = await deps.meter({ ...asking, idempotency_key: keyOfPart(asking, 'list'), request: list });
    const creditsCharged = metered.credits_charged + (lookedUp?.credits_charged ?? 0);
    const cached = metered.cached && lookedUp?.cached !== false;
    const { credits_remaining } = metered;
    return {
      rows: postRows(blank, { ...metered, credits_charged: creditsCharged }),
      cached,
      credits_charged: creditsCharged,
      credits_remaining,
    };
  } catch (thrown) {
    const error = tellable(thrown, path, asking, deps);
    const creditsCharged = lookedUp?.credits_charged ?? 0;
    const row = {
      ...refusedRow(blank, { code: error.code, message: told(error, lookedUp) }),
      credits_charged: creditsCharged,
    };
    return {
      rows: [row],
      cached: false,
      credits_charged: creditsCharged,
      credits_remaining: lookedUp?.credits_remaining ?? null,
    };
  }
}

/** What {@link newestPosts} would cost now: no source is asked. */
export async function estimatePosts(sent: AskedPosts, sandbox: boolean, deps: WorkflowDeps): Promise<Estimate> {
  const asked = await followed(sent, sandbox, deps);
  const { limit } = asked;
  try {
    const platform = platformFor(asked);
    const { lookup, list: named } = planOf(asked, platform, deps);
    if (sandbox) return { rows: limit, cached_rows: 0, cost: 0, unreadable_rows: 0 };
    const channel = lookup && (await keptAnswer(lookup, deps));
    const lookupCost = lookup && !channel ? lookup.route.cost : 0;
    const list = named ?? (channel && listRequest(channelIdOf(channel), asked, platform, deps));
    const kept = list && (await keptAnswer(list, deps));
    if (!kept) return { rows: limit, cached_rows: 0, cost: lookupCost + routes[platform].cost, unreadable_rows: 0 };
    const rows = (JSON.parse(kept.body) as { items: unknown[] }).items.length;
    return { rows, cached_rows: rows, cost: lookupCost, unreadable_rows: 0 };
  } catch (thrown) {
    if (!(thrown instanceof RequestError)) throw thrown;
    return { rows: 1, cached_rows: 0, cost: 0, unreadable_rows: 1 };
  }
}

async function followed(asked: AskedPosts, sandbox: boolean, { links }: WorkflowDeps): Promise<AskedPosts> {
  return sandbox ? asked : { ...asked, url: await links(asked.url) };
}

const platformFor = (asked: AskedPosts) => platformOf(asked, 'send a profile URL, or add platform= for a handle');

function planOf(asked: AskedPosts, platform: Platform, deps: WorkflowDeps): Plan {
  const lookupAge = { ...asked, cache_max_age: asked.cache_max_age ?? lookupMaxAge };
  const profile = profileRequest(lookupAge, platform, deps.cursors);
  const identifier = platform === 'longvideo' ? profile.asked.channel_id : profile.asked.handle;
  if (typeof identifier !== 'string') return { lookup: profile, list: null };
  return { lookup: null, list: listRequest(identifier, asked, platform, deps) };
}

function listRequest(identifier: string, asked: AskedPosts, platform: Platform, deps: WorkflowDeps): DataRequest {
  const name = platform === 'longvideo' ? 'channel_id' : 'handle';
  const query = { [name]: [identifier], limit: [String(asked.limit)] };
  return readRequest(routes[platform], agedQuery(query, asked), deps.cursors);
}

/** Asks for the channel only when its list can be paid as well. */
function lookUp(request: DataRequest, asking: Asking, deps: WorkflowDeps): Promise<Metered> {
  const idempotencyKey = keyOfPart(asking, 'channel');
  return deps.meter({ ...asking, idempotency_key: idempotencyKey, request, reserve: routes.longvideo.cost });
}

function channelIdOf(channel: { body: string } | null): string {
  const id = channel && dig(JSON.parse(channel.body), 'profile', 'id');
  if (typeof id === 'string') return id;
  const message =
    'The source did not say the id of this channel: send its address as https://www.youtube.com/channel/UC….';
  throw new RequestError('SOURCE_RESPONSE_CHANGED', { message });
}

/** An error that came after a paid look-up must not say that nothing was charged. */
function told({ code, message }: RequestError, lookedUp: Metered | null): string {
  const cost = lookedUp?.credits_charged ?? 0;
  if (cost === 0) return message;
  const cause = code === 'INTERNAL' ? 'An error of ours: it is logged under this request id.' : message;
  return `${cause} Finding the channel cost ${cost} ${cost === 1 ? 'credit' : 'credits'} and is free for a day.`;
}
