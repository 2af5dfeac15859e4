import type { SourceContext } from '../../collect/collect.ts';
import { photoHandleFormat } from '../../parse/identifiers.ts';
import { dig, toList, toText } from '../../parse/values.ts';
import type { PhotoItem } from '../../records/photo.ts';
import { createGraphReader, graphChanged, nextCursor, ownId, type ReadFields } from './request.ts';

const authorFields = 'id,ig_id,username,name,profile_picture_url,media_count';
const childFields = 'id,media_type,media_url,thumbnail_url,permalink';
const mediaFields = `id,caption,media_type,media_product_type,media_url,thumbnail_url,permalink,timestamp,username,like_count,comments_count,view_count,children{${childFields}}`;

const optionalFields = ['ig_id', 'thumbnail_url', 'view_count', 'media_product_type'];

/** Post fields that the Instagram Graph API never returns for an account that does not belong to the operator. */
export const itemFieldsMissing = [
  'author_verified',
  'mentions',
  'duration_seconds',
  'width',
  'height',
  'comments_enabled',
  'paid_partnership',
  'accessibility_caption',
  'location',
  'tagged_users',
] as const satisfies (keyof PhotoItem)[];

/**
 * Creates a function that reads fields of an Instagram account through the Graph API field `business_discovery`. The
 * function omits optional fields that the API refuses, but never the fields in `required`.
 */
export function createAccountReader(
  handle: string,
  context: SourceContext,
  required: readonly string[] = [],
): ReadFields {
  const username = photoHandleFormat.normalize(handle);
  const readFields = createGraphReader(
    context,
    (fields) => ({
      path: ownId(context),
      query: { fields: `business_discovery.username(${username}){${fields}}` },
    }),
    optionalFields.filter((field) => !required.includes(field)),
  );
  return async (fields) => accountOf(await readFields(fields), username);
}

/**
 * Returns the account in a `business_discovery` answer of the Graph API. Throws SOURCE_RESPONSE_CHANGED when the answer
 * has no account or a different one from the requested one.
 */
function accountOf(body: unknown, username: string): unknown {
  const account = dig(body, 'business_discovery');
  const answered = toText(dig(account, 'username'));
  if (answered === null && toText(dig(account, 'id')) === null) {
    throw graphChanged('an answer without business_discovery');
  }
  if (answered !== null && photoHandleFormat.normalize(answered) !== username) {
    throw graphChanged('the answer is about another account');
  }
  return account;
}

export interface MediaPage {
  account: unknown;
  media: unknown[];
  /** Cursor with which the Graph API returns the next page; null at the end. */
  after: string | null;
}

/**
 * Fetches an account with one page of its posts (`media`), from the cursor `after`. Throws SOURCE_RESPONSE_CHANGED when
 * `media` is not a list, or is missing although the account has posts.
 */
export async function mediaPage(readFields: ReadFields, limit: number, after: string | null): Promise<MediaPage> {
  const from = after === null ? '' : `.after(${after})`;
  const account = await readFields(`${authorFields},media.limit(${limit})${from}{${mediaFields}}`);
  const edge = dig(account, 'media');
  const media = toList(dig(edge, 'data'));
  if (edge !== undefined && media === null) throw graphChanged('the media are not a list');
  const isMissing = edge === undefined && after === null && dig(account, 'media_count') !== 0;
  if (isMissing) throw graphChanged('an account without media');
  const next = nextCursor(edge);
  return { account, media: media ?? [], after: next === after ? null : next };
}
