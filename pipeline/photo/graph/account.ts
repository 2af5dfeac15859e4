import type { SourceContext } from '../../collect/collect.ts';
import { photoHandle } from '../../parse/identifiers.ts';
import { dig, toList, toText } from '../../parse/values.ts';
import type { PhotoItem } from '../../records/photo.ts';
import { type Ask, graphAsker, graphChanged, nextCursor, ownId } from './request.ts';

const authorFields = 'id,ig_id,username,name,profile_picture_url,media_count';
const childFields = 'id,media_type,media_url,thumbnail_url,permalink';
const mediaFields = `id,caption,media_type,media_product_type,media_url,thumbnail_url,permalink,timestamp,username,like_count,comments_count,view_count,children{${childFields}}`;

const optionalFields = ['ig_id', 'thumbnail_url', 'view_count', 'media_product_type'];

/** Fields that the API has for no account of others. */
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

/** Asks for fields of an account by `business_discovery`; those in `indispensable` are never left out. */
export function accountAsker(handle: string, context: SourceContext, indispensable: readonly string[] = []): Ask {
  const username = photoHandle.normalize(handle);
  const ask = graphAsker(
    context,
    (fields) => ({
      path: ownId(context),
      query: { fields: `business_discovery.username(${username}){${fields}}` },
    }),
    optionalFields.filter((field) => !indispensable.includes(field)),
  );
  return async (fields) => accountOf(await ask(fields), username);
}

/** Every request asks for `username`, so that an answer about another account is noticed. */
function accountOf(body: unknown, username: string): unknown {
  const account = dig(body, 'business_discovery');
  const answered = toText(dig(account, 'username'));
  if (answered === null && toText(dig(account, 'id')) === null) {
    throw graphChanged('an answer without business_discovery');
  }
  if (answered !== null && photoHandle.normalize(answered) !== username) {
    throw graphChanged('the answer is about another account');
  }
  return account;
}

export interface MediaPage {
  account: unknown;
  media: unknown[];
  /** The upstream's cursor of the next page, null at the end. */
  after: string | null;
}

export async function mediaPage(ask: Ask, limit: number, after: string | null): Promise<MediaPage> {
  const from = after === null ? '' : `.after(${after})`;
  const account = await ask(`${authorFields},media.limit(${limit})${from}{${mediaFields}}`);
  const edge = dig(account, 'media');
  const media = toList(dig(edge, 'data'));
  if (edge !== undefined && media === null) throw graphChanged('a list of media that is none');
  const withheld = edge === undefined && after === null && dig(account, 'media_count') !== 0;
  if (withheld) throw graphChanged('an account without media');
  const next = nextCursor(edge);
  return { account, media: media ?? [], after: next === after ? null : next };
}
