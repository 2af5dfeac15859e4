import type { Source, SourceAnswer, SourceContext } from '../collect/collect.ts';
import { partialBecause } from '../collect/source-rows.ts';
import { responseChanged, SourceError } from '../errors.ts';
import {
  blank,
  derivedHashtags,
  derivedMentions,
  dig,
  onceEach,
  parseJson,
  toFreeText,
  toText,
  toUrl,
  unescapeHtml,
} from '../parse/values.ts';
import type { Entity } from '../records/shared.ts';
import { type ShortvideoItem, shortvideoItem } from '../records/shortvideo.ts';
import { imageVariants } from './media.ts';
import type { ShortvideoVideoParams } from './params.ts';
import { itemUrl, lookupUrl, site, soundSlug } from './permalinks.ts';
import { throwOnHttpError } from './refusals.ts';

/** Collects the author, caption and one picture of a video from TikTok's documented oEmbed API. */
export const videoOembed: Source<ShortvideoVideoParams, ShortvideoItem> = {
  name: 'tiktok-oembed',
  credentials: null,
  reads: 'the oEmbed response for a video: most fields are null',
  not_exposed: [
    'published_at',
    'views',
    'likes',
    'comments',
    'shares',
    'favorites',
    'duration_seconds',
    'width',
    'height',
    'author_id',
    'author_verified',
    'author_avatar_url',
    'region_code',
    'video_url',
    'subtitle_tracks',
    'effects',
    'stickers',
    'playlist_id',
    'pinned',
  ],
  async collect({ id }, context) {
    const answer = await fetchOembed(id, context);
    const html = toText(dig(answer, 'html')) ?? '';
    const embeddedId = toText(dig(answer, 'embed_product_id')) ?? /data-video-id="(\d+)"/.exec(html)?.[1];
    if (embeddedId !== id) throw responseChanged('the oEmbed answer is about another item or none');
    return oembedAnswer(id, answer, html);
  },
};

/**
 * Fetches TikTok's oEmbed answer about a video. Throws RESOURCE_NOT_FOUND for an unknown video, which the API reports
 * with status 404, or with status 400 and a JSON message.
 */
async function fetchOembed(id: string, context: SourceContext): Promise<unknown> {
  const url = `${site}/oembed?url=${encodeURIComponent(lookupUrl(id))}`;
  const answer = await context.fetch({ url, headers: { accept: 'application/json' } }, context.signal);
  throwOnHttpError(answer, context.now());
  const body = parseJson(answer.body);
  const refused = answer.status === 400 && (dig(body, 'code') ?? dig(body, 'message')) !== undefined;
  if (refused) throw new SourceError('RESOURCE_NOT_FOUND', { reason: 'oEmbed does not know this video' });
  return body;
}

const onlySummary = 'TikTok shows only author, caption and picture of this video: it has no counts and no date.';

function oembedAnswer(id: string, answer: unknown, html: string): SourceAnswer<ShortvideoItem> {
  const caption = toFreeText(dig(answer, 'title'));
  const links = linksIn(html);
  const handle =
    toText(dig(answer, 'author_unique_id')) ?? /\/@([^/?]+)/.exec(toText(dig(answer, 'author_url')) ?? '')?.[1] ?? null;
  const thumbnail = {
    variant: 'thumbnail',
    url: dig(answer, 'thumbnail_url'),
    width: dig(answer, 'thumbnail_width'),
    height: dig(answer, 'thumbnail_height'),
  };
  const kind = html.includes(`/photo/${id}`) ? 'photo' : 'video';
  const record: ShortvideoItem = {
    ...blank(shortvideoItem),
    id,
    caption,
    hashtags: tagsIn(links) ?? derivedHashtags(caption),
    mentions: derivedMentions(caption, 'shortvideo'),
    author: handle,
    author_display_name: toText(dig(answer, 'author_name')),
    permalink: handle === null ? null : itemUrl(handle, id, kind),
    media_url: toUrl(thumbnail.url),
    media_assets: imageVariants([thumbnail]),
    music: musicIn(links),
  };
  return { record, ...partialBecause(onlySummary) };
}

interface Link {
  /** The decoded path of the URL to which the link leads. */
  path: string;
  text: string;
}

/**
 * Matches an `<a>` link in HTML. The parts of the pattern have maximum lengths, so that no HTML can make the search
 * take quadratic time.
 */
const linkPattern = /<a\b[^<>]{0,300}?href="([^"<>]{0,2000})"[^<>]{0,300}>([^<]*)<\/a>/g;

function linksIn(html: string): Link[] {
  return Array.from(html.matchAll(linkPattern), ([, href = '', text = '']) => ({
    path: decodedPath(unescapeHtml(href)),
    text: unescapeHtml(text),
  }));
}

function decodedPath(href: string): string {
  try {
    return decodeURIComponent(new URL(href).pathname);
  } catch {
    return '';
  }
}

function tagsIn(links: readonly Link[]): Entity[] | null {
  const names = links.flatMap(({ path }) => /^\/tag\/([^/]+)$/.exec(path)?.[1] ?? []);
  if (names.length === 0) return null;
  return onceEach(names.map((name) => ({ name, id: null, source: 'platform' })));
}

/**
 * Returns the sound to which the last sound link in the HTML leads. The link text is `♬ title - author`, and a title
 * can contain ` - `. The URL contains only the title, and thus shows where the title ends.
 */
function musicIn(links: readonly Link[]): ShortvideoItem['music'] {
  const link = links.findLast(({ path }) => path.startsWith('/music/'));
  const [, slug, id] = /^\/music\/(.*)-(\d+)$/.exec(link?.path ?? '') ?? [];
  if (link === undefined || slug === undefined || id === undefined) return null;
  const parts = link.text.replace(/^♬\s*/, '').split(' - ');
  const cut = partsOfTitle(parts, soundSlug(slug));
  return {
    id,
    title: toText(parts.slice(0, cut || parts.length).join(' - ')),
    author: cut === 0 ? null : toText(parts.slice(cut).join(' - ')),
    original: null,
    duration_seconds: null,
    cover_url: null,
    play_url: null,
  };
}

/**
 * Returns how many of the parts are the title with this slug; 0 when none of the first parts together have the slug.
 * Stops when the parts are longer than the slug, so that many parts do not take quadratic time.
 */
function partsOfTitle(parts: readonly string[], titleSlug: string): number {
  let shown = '';
  for (const [index, part] of parts.entries()) {
    shown = [shown, soundSlug(part)].filter((text) => text !== '').join('-');
    if (shown === titleSlug) return index + 1;
    if (shown.length > titleSlug.length) return 0;
  }
  return 0;
}
