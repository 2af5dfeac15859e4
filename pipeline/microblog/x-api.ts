import type { Source, SourceContext, SourceCursor } from '../collect/collect.ts';
import { foreignCursor, isPageToken, nextPosition, readPosition } from '../collect/source-cursor.ts';
import { partialBecause, readRows, shortPage } from '../collect/source-rows.ts';
import type { SourcesConfig } from '../collect/sources.ts';
import { responseChanged, type SourceError } from '../errors.ts';
import { refusedBody } from '../network/refused-answer.ts';
import { microblogIdFormat } from '../parse/identifiers.ts';
import { dig, parseJson, timeToIso, toCount, toFreeText, toList, toText } from '../parse/values.ts';
import type { MicroblogCommunity, MicroblogPost, MicroblogProfile } from '../records/microblog.ts';
import type {
  MicroblogCommunityParams,
  MicroblogPostParams,
  MicroblogProfileParams,
  MicroblogUserPostsParams,
} from './params.ts';
import { type Included, includedIn, xPost } from './x-post.ts';
import { xRefusal } from './x-refusal.ts';
import { xProfile } from './x-user.ts';

const name = 'x-api';
const credentials = (config: SourcesConfig): boolean => config.x_bearer_token !== null;

/** Minimum and maximum number of posts that the X API returns in one page. */
const pageRows = { min: 5, max: 100 } as const;

const postQuery = {
  'tweet.fields': 'attachments,author_id,created_at,entities,note_tweet,public_metrics,referenced_tweets',
  expansions: 'author_id,attachments.media_keys,referenced_tweets.id,referenced_tweets.id.attachments.media_keys',
  'media.fields': 'duration_ms,height,preview_image_url,type,url,variants,width',
  'user.fields': 'name,profile_image_url,username,verified',
};

export const xProfileSource: Source<MicroblogProfileParams, MicroblogProfile> = {
  name,
  credentials,
  async collect({ handle }, context) {
    const fields = 'description,entities,name,profile_image_url,protected,public_metrics,url,username,verified';
    return { record: xProfile(dataOf(await fetchUser(handle, { 'user.fields': fields }, context))) };
  },
};

export const xPostSource: Source<MicroblogPostParams, MicroblogPost> = {
  name,
  credentials,
  async collect({ id }, context) {
    const body = await fetchJson(`/tweets/${id}`, postQuery, context);
    const { record, cut } = xPost(dataOf(body), includedIn(body));
    return { record, ...partialBecause(cut ? cutWarning('text') : null, missingParts(body)) };
  },
};

export const xCommunitySource: Source<MicroblogCommunityParams, MicroblogCommunity> = {
  name,
  credentials,
  async collect({ id }, context) {
    const fields = 'access,created_at,description,join_policy,member_count,name';
    return {
      record: communityOf(dataOf(await fetchJson(`/communities/${id}`, { 'community.fields': fields }, context))),
    };
  },
};

/**
 * Collects the newest posts of an X account. The API requires the account's ID, which is looked up for the first page
 * and stored in the cursor for the next pages.
 */
export const xUserPosts: Source<MicroblogUserPostsParams, MicroblogPost[]> = {
  name,
  credentials,
  async collect({ handle, limit, cursor }, context) {
    const { user_id: known = null, ...at } = cursor?.at ?? {};
    const position = readPosition(at);
    const userId = known === null ? await findUserId(handle, context) : readUserId(known);
    const end = position.skip + limit;
    const body = await fetchJson(`/users/${userId}/tweets`, pageQuery(end, position.after), context);
    const included = includedIn(body);
    const { rows, unread } = readRows(name, rowsOf(body), (row) => identifiedPost(row, included));
    const next = nextPosition(position, end, rows.length, nextToken(body, position.after));
    const posts = rows.slice(position.skip, end);
    const cuts = posts.flatMap(({ cut }, row) => (cut ? [cutWarning(`${row}.text`)] : []));
    return {
      record: posts.map(({ record }) => record),
      ...partialBecause(unread, missingParts(body), shortPage(posts.length, limit, next), ...cuts),
      next: next === null ? null : { user_id: userId, ...next },
    };
  },
};

async function fetchJson(path: string, query: Record<string, string>, context: SourceContext): Promise<unknown> {
  const url = `https://api.x.com/2${path}?${new URLSearchParams(query)}`;
  const headers = { authorization: `Bearer ${context.config.x_bearer_token}` };
  const answer = await context.fetch({ url, headers }, context.signal);
  const body = answer.status === 200 ? parseJson(answer.body) : refusedBody(answer);
  const refusal = xRefusal(answer, body, context.now());
  if (refusal !== null) throw refusal;
  return body;
}

function fetchUser(handle: string, query: Record<string, string>, context: SourceContext): Promise<unknown> {
  return fetchJson(`/users/by/username/${handle.replace(/^@/, '')}`, query, context);
}

async function findUserId(handle: string, context: SourceContext): Promise<string> {
  const id = toText(dig(dataOf(await fetchUser(handle, {}, context)), 'id'));
  if (id !== null && microblogIdFormat.pattern.test(id)) return id;
  throw changed('a user without an id');
}

function readUserId(known: SourceCursor[string]): string {
  if (typeof known === 'string' && microblogIdFormat.pattern.test(known)) return known;
  throw foreignCursor();
}

/**
 * Returns the query parameters for one page of posts. `rows` must include the already returned posts of the page,
 * because the X API always returns a page from its beginning.
 */
function pageQuery(rows: number, after: string | null): Record<string, string> {
  const maxResults = String(Math.min(pageRows.max, Math.max(pageRows.min, rows)));
  return { ...postQuery, max_results: maxResults, ...(after === null ? {} : { pagination_token: after }) };
}

function rowsOf(body: unknown): unknown[] {
  const rows = toList(dig(body, 'data'));
  if (rows !== null) return rows;
  if ((dig(body, 'data') ?? null) === null && dig(body, 'meta', 'result_count') === 0) return [];
  throw changed('no list of posts');
}

function nextToken(body: unknown, after: string | null): string | null {
  const next = toText(dig(body, 'meta', 'next_token'));
  if (next !== null && !isPageToken(next)) throw changed('a page token in an unknown format');
  return next === after ? null : next;
}

/**
 * Returns the object in the `data` field of an X API answer. Throws SOURCE_RESPONSE_CHANGED when the object has no ID.
 */
function dataOf(body: unknown): unknown {
  const data = dig(body, 'data');
  if (toText(dig(data, 'id')) !== null) return data;
  throw changed('an answer without the record');
}

function identifiedPost(row: unknown, included: Included) {
  const post = xPost(row, included);
  return post.record.id === null ? null : post;
}

/**
 * Returns a warning when the X API left out related data of the requested posts, such as a protected author or a
 * removed post; otherwise null.
 */
function missingParts(body: unknown): string | null {
  const misses = (toList(dig(body, 'errors')) ?? []).some((error) => dig(error, 'section') === 'includes');
  return misses ? 'X left out parts of these posts, such as a protected author or a removed post.' : null;
}

function cutWarning(path: string): string {
  return `${path} is shortened, because the source did not send the reposted post.`;
}

function communityOf(community: unknown): MicroblogCommunity {
  return {
    id: toText(dig(community, 'id')),
    name: toText(dig(community, 'name')),
    description: toFreeText(dig(community, 'description')),
    access: toText(dig(community, 'access')),
    join_policy: toText(dig(community, 'join_policy')),
    member_count: toCount(dig(community, 'member_count')),
    created_at: timeToIso(dig(community, 'created_at')),
  };
}

function changed(reason: string): SourceError {
  return responseChanged(`${name}: ${reason}`);
}
