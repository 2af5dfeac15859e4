import type { Source, SourceAnswer, SourceContext } from '../../collect/collect.ts';
import { partialBecause } from '../../collect/source-rows.ts';
import { privateAccount, SourceError, type SourceErrorCode } from '../../errors.ts';
import type { UpstreamAnswer } from '../../network/fetcher.ts';
import { unreadKeys } from '../../parse/bounded-json.ts';
import { dig, toFlag } from '../../parse/values.ts';
import type { PhotoItem } from '../../records/photo.ts';
import type { PhotoPostParams } from '../params.ts';
import { addressParts } from '../post-code.ts';
import type { Graded } from '../rows.ts';
import { nodeItem } from './node-item.ts';
import { membersNamed } from './page-json.ts';
import { pageMeta } from './page-meta.ts';
import { metaItem } from './permalink-meta.ts';
import { isMissingPage, isRestrictedPage, isShell, photoBlocked, webRefusal } from './refusal.ts';
import { v1Item } from './v1-item.ts';

const name = 'instagram-post-page';

/**
 * Collects an Instagram post from its page: from the JSON data in the page, or from the meta tags when the page has no
 * such data.
 */
export const permalinkPost: Source<PhotoPostParams, PhotoItem> = {
  name,
  credentials: null,
  reads: 'the page of a post',
  not_exposed: ['paid_partnership', 'comments_enabled'],
  async collect({ shortcode: code }, context) {
    const { body } = await postPage(code, context);
    const media = mediaIn(body, code);
    if (media !== undefined) return postOf(media, 'user', v1Item);
    const node = nodeIn(body, code);
    return node === undefined ? postOfMeta(body, code) : postOf(node, 'owner', (sent) => nodeItem(sent, null));
  },
};

/** Keys in a post whose values no code reads. */
const unread = unreadKeys([
  'additional_candidates',
  'clips_metadata',
  'organic_tracking_token',
  'polaris_ordered_timeline_connection',
  'preview_comments',
  'scrubber_spritesheet_info_candidates',
]);

const onlyMeta = 'Instagram shows only a summary of this post: counts may be rounded and most fields are null.';

async function postPage(code: string, context: SourceContext): Promise<UpstreamAnswer> {
  const request = {
    url: `https://www.instagram.com/p/${code}/`,
    // Requests Instagram's page in English, because its meta tags are parsed as English sentences.
    headers: { accept: 'text/html', 'accept-language': 'en' },
    follow: (target: URL) => target.hostname === 'www.instagram.com' && addressParts(target.href)?.code === code,
  };
  const answer = await context.fetch(request, context.signal);
  const refused = webRefusal(answer, context.now());
  if (refused) throw refused;
  return answer;
}

/**
 * Returns the JSON data of the post from its Instagram page; undefined when the page has none. Throws SOURCE_RESTRICTED
 * when the page hides the data from visitors who are not signed in.
 */
function mediaIn(page: Buffer, code: string): unknown {
  const gated = [...membersNamed(page, 'if_not_gated_logged_out', unread)];
  const listed = membersNamed(page, 'xdt_api__v1__media__shortcode__web_info', unread).map((info) =>
    dig(info, 'items', 0),
  );
  const media = [...gated, ...listed].find((candidate) => dig(candidate, 'code') === code);
  if (media === undefined && gated.includes(null)) throw restricted('media gated for visitors');
  return media;
}

/**
 * Returns the data of the post in the graph format, which was used on pages until 2021. Undefined when the page has
 * none.
 */
function nodeIn(page: Buffer, code: string): unknown {
  const nodes = ['shortcode_media', 'xdt_shortcode_media'].flatMap((member) => [...membersNamed(page, member, unread)]);
  return nodes.find((node) => dig(node, 'shortcode') === code);
}

function postOf(
  media: unknown,
  author: 'user' | 'owner',
  read: (media: unknown) => Graded<PhotoItem>,
): SourceAnswer<PhotoItem> {
  if (toFlag(dig(media, author, 'is_private')) === true) throw privateAccount();
  return read(media);
}

function postOfMeta(page: Buffer, code: string): SourceAnswer<PhotoItem> {
  const meta = pageMeta(page);
  const address = meta.get('og:url');
  if (address === undefined) throw pageWithoutPost(page, meta.get('title') ?? '');
  const named = addressParts(address)?.code;
  if (named === code) return { ...metaItem(meta, code), ...partialBecause(onlyMeta) };
  const root = URL.canParse(address) && new URL(address).pathname === '/';
  throw root
    ? photoBlocked('the page of the site root')
    : refusal('SOURCE_RESPONSE_CHANGED', 'the page of something else');
}

/**
 * Returns the error for an Instagram page with status 200 but without a post: the post is missing or restricted,
 * Instagram blocks this server, or the page is unknown.
 */
function pageWithoutPost(page: Buffer, title: string): SourceError {
  if (isRestrictedPage(page, title)) return restricted('restricted profile');
  if (isMissingPage(page, title)) return refusal('RESOURCE_NOT_FOUND', 'the page of a missing post');
  if (isShell(page)) return photoBlocked('the page was served without its data');
  return refusal('SOURCE_RESPONSE_CHANGED', 'an unknown page');
}

function refusal(code: SourceErrorCode, reason: string): SourceError {
  return new SourceError(code, { reason: `${name}: ${reason}` });
}

/**
 * Returns the error for a post that Instagram hides from some visitors (by age or country). The error does not count as
 * a block of this server, because Instagram still shows other posts.
 */
function restricted(reason: string): SourceError {
  return new SourceError('SOURCE_RESTRICTED', {
    about: 'resource',
    reason: `${name}: ${reason}`,
    message: 'Instagram does not show this post to visitors who are not signed in. Remove it from your list.',
  });
}
