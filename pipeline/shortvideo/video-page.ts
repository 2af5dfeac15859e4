import type { Source } from '../collect/collect.ts';
import { responseChanged, SourceError } from '../errors.ts';
import { dig, embeddedJson, toText } from '../parse/values.ts';
import type { ShortvideoItem } from '../records/shortvideo.ts';
import { itemAnswer } from './item-struct.ts';
import { fetchPage, scripts, universalData, withoutData } from './page.ts';
import type { ShortvideoVideoParams } from './params.ts';
import { lookupUrl, site } from './permalinks.ts';
import { throwOnStatusCode } from './refusals.ts';

/** Collects a TikTok video or photo post from its public page. The page has all public fields. */
export const videoPage: Source<ShortvideoVideoParams, ShortvideoItem> = {
  name: 'tiktok-web',
  credentials: null,
  not_exposed: ['pinned'],
  async collect({ id }, context) {
    const page = await fetchPage(lookupUrl(id), context, (target) => isPageOf(id, target));
    const detail = videoDetail(page) ?? sigiDetail(page, id) ?? nextDetail(page);
    if (detail === undefined) throw withoutData(page);
    throwOnStatusCode(detail.status_code, detail.status_message);
    const { item } = detail;
    if (toText(dig(item, 'id')) !== id) throw responseChanged('the video page shows another item or none');
    if (dig(item, 'privateItem') === true) throw restricted('This item is private.');
    if (dig(item, 'isContentClassified') === true) {
      throw restricted('TikTok shows this only to people with a confirmed age.');
    }
    return itemAnswer(item, detail.author);
  },
};

function restricted(message: string): SourceError {
  return new SourceError('SOURCE_RESTRICTED', { about: 'resource', message });
}

/**
 * Returns true for a redirect to the page of the same TikTok post. TikTok adds a missing handle to the URL and changes
 * /video/ to /photo/ for photo posts.
 */
function isPageOf(id: string, target: URL): boolean {
  return target.origin === site && new RegExp(`^/@[^/]*/(?:video|photo)/${id}/?$`).test(target.pathname);
}

interface VideoDetail {
  status_code: unknown;
  status_message: unknown;
  item: unknown;
  author: unknown;
}

/**
 * Reads a video from TikTok's page for desktop browsers, or from its share page for mobile browsers. Some share pages
 * of 2026 have the video in a separate script tag.
 */
function videoDetail(page: Buffer): VideoDetail | undefined {
  const detail =
    universalData(page, 'webapp.video-detail') ??
    universalData(page, 'webapp.reflow.video.detail') ??
    embeddedJson(page, scripts.share, ['videoDetail']);
  if (detail === undefined) return undefined;
  const item = dig(detail, 'itemInfo', 'itemStruct');
  return { ...statusOf(detail), item, author: dig(item, 'author') };
}

/**
 * Reads a video page in TikTok's format of 2021 to 2023. The post contains the author's handle and a few other author
 * fields. The complete account is in a separate map, whose keys are handles.
 */
function sigiDetail(page: Buffer, id: string): VideoDetail | undefined {
  const item = embeddedJson(page, scripts.sigi, ['ItemModule', id]);
  const shown = embeddedJson(page, scripts.sigi, ['VideoPage']);
  if (item === undefined && dig(shown, 'statusCode') === undefined) return undefined;
  const handle = toText(dig(item, 'author'));
  const account = handle === null ? undefined : embeddedJson(page, scripts.sigi, ['UserModule', 'users', handle]);
  const author = {
    uniqueId: handle,
    id: dig(item, 'authorId'),
    nickname: dig(item, 'nickname'),
    avatarThumb: dig(item, 'avatarThumb'),
    verified: dig(account, 'verified'),
  };
  return { ...statusOf(shown), item, author };
}

function nextDetail(page: Buffer): VideoDetail | undefined {
  const shown = embeddedJson(page, scripts.next, ['props', 'pageProps']);
  const item = dig(shown, 'itemInfo', 'itemStruct');
  if (item === undefined && dig(shown, 'statusCode') === undefined) return undefined;
  return { ...statusOf(shown), item, author: dig(item, 'author') };
}

function statusOf(detail: unknown): Pick<VideoDetail, 'status_code' | 'status_message'> {
  return { status_code: dig(detail, 'statusCode'), status_message: dig(detail, 'statusMsg') };
}
