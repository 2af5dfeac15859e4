import type { Source, SourceAnswer, SourceContext } from '../../collect/collect.ts';
import { partialBecause } from '../../collect/source-rows.ts';
import { SourceError, type SourceErrorCode } from '../../errors.ts';
import type { UpstreamAnswer } from '../../network/fetcher.ts';
import { dig, embeddedJson, toFlag } from '../../parse/values.ts';
import type { PhotoItem } from '../../records/photo.ts';
import type { PhotoPostParams } from '../params.ts';
import { addressParts } from '../post-code.ts';
import { pageMeta } from './page-meta.ts';
import { metaItem } from './permalink-meta.ts';
import { isMissingPage, isShell, walled, webRefusal } from './refusal.ts';
import { v1Item } from './v1-item.ts';

const name = 'instagram-post-page';

/** Pages hold the data of other posts beside the one asked for; more places than this are not looked at. */
const placesMax = 50;

/** The page of a post: the media data in it, or, without them, what its meta tags say. */
export const permalinkPost: Source<PhotoPostParams, PhotoItem> = {
  name,
  credentials: null,
  not_exposed: ['paid_partnership'],
  async collect({ shortcode: code }, context) {
    const { body } = await postPage(code, context);
    const media = mediaIn(body, code);
    return media === undefined ? postOfMeta(body, code) : postOfMedia(media);
  },
};

const onlyMeta = 'The source shows only a summary of this post: counts may be rounded and most fields are null.';

async function postPage(code: string, context: SourceContext): Promise<UpstreamAnswer> {
  const request = {
    url: `https://www.instagram.com/p/${code}/`,
    // The sentences of the meta tags are read in English.
    headers: { accept: 'text/html', 'accept-language': 'en' },
    follow: (target: URL) => target.hostname === 'www.instagram.com' && addressParts(target.href)?.code === code,
  };
  const answer = await context.fetch(request, context.signal);
  const refused = webRefusal(answer, context.now());
  if (refused) throw refused;
  return answer;
}

/** The media data of the post in its page; undefined without them, SOURCE_RESTRICTED when they are withheld from visitors. */
function mediaIn(page: Buffer, code: string): unknown {
  const gated = [...membersNamed(page, 'if_not_gated_logged_out')];
  const listed = membersNamed(page, 'xdt_api__v1__media__shortcode__web_info').map((info) => dig(info, 'items', 0));
  const media = [...gated, ...listed].find((candidate) => dig(candidate, 'code') === code);
  if (media === undefined && gated.includes(null)) throw withheld('media gated for visitors');
  return media;
}

/** The values of an object member, wherever the page has one of that name; the name alone in a list is no member. */
function* membersNamed(page: Buffer, member: string): Generator<unknown, void> {
  const marker = `"${member}"`;
  let at = page.indexOf(marker);
  for (let places = 0; at !== -1 && places < placesMax; places++) {
    const behind = at + marker.length;
    const begins = /^\s*:\s*([{n])/.exec(page.toString('latin1', behind, behind + 32))?.[1];
    if (begins === '{') yield embeddedJson(page.subarray(at), marker);
    if (begins === 'n') yield null;
    at = page.indexOf(marker, behind);
  }
}

function postOfMedia(media: unknown): SourceAnswer<PhotoItem> {
  if (toFlag(dig(media, 'user', 'is_private')) === true) {
    throw new SourceError('SOURCE_RESTRICTED', { about: 'resource', message: 'The account of this post is private.' });
  }
  return v1Item(media);
}

function postOfMeta(page: Buffer, code: string): SourceAnswer<PhotoItem> {
  const meta = pageMeta(page);
  const address = meta.get('og:url');
  if (address === undefined) throw pageWithoutPost(page, meta.get('title') ?? '');
  const named = addressParts(address)?.code;
  if (named === code) return { ...metaItem(meta, code), ...partialBecause(onlyMeta) };
  const root = URL.canParse(address) && new URL(address).pathname === '/';
  throw root ? walled('the page of the site root') : refusal('SOURCE_RESPONSE_CHANGED', 'the page of another thing');
}

/** A 200 page that names no post: the page of a missing one, a wall, or something unknown. */
function pageWithoutPost(page: Buffer, title: string): SourceError {
  if (isMissingPage(page, title)) return refusal('RESOURCE_NOT_FOUND', 'the page of a missing post');
  if (/^Restricted profile/i.test(title)) return withheld('restricted profile');
  if (isShell(page)) return walled('the page was served without its data');
  return refusal('SOURCE_RESPONSE_CHANGED', 'a page that is not known');
}

function refusal(code: SourceErrorCode, reason: string): SourceError {
  return new SourceError(code, { reason: `${name}: ${reason}` });
}

/** Speaks of the post (age, country): no wall against us, which would have hidden every post. */
function withheld(reason: string): SourceError {
  return new SourceError('SOURCE_RESTRICTED', {
    about: 'resource',
    reason: `${name}: ${reason}`,
    message: 'The source does not show this post to visitors.',
  });
}
