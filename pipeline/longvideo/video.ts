import type { Source, SourceAnswer, SourceContext } from '../collect/collect.ts';
import type { Quality } from '../collect/quality.ts';
import { SourceError } from '../errors.ts';
import type { LongvideoItem } from '../records/longvideo.ts';
import { type CountsRounded, roundedQuality } from './amounts.ts';
import { categoryName } from './data-api/categories.ts';
import { dataApiSource } from './data-api/client.ts';
import { officialAvatar, officialVideo, type VideoRecord } from './data-api/video.ts';
import { asRefusal, orNull } from './optional.ts';
import type { LongvideoVideoParams } from './params.ts';
import { type Surfaces, surfacesOfService } from './surfaces.ts';
import { longvideoWebName } from './web/innertube.ts';
import { officialOnly, type WebVideo, webVideo } from './web/video.ts';
import { watchVideo } from './web/watch-video.ts';

/** Video fields that only YouTube's website has, not the YouTube Data API. */
export const webOnly = ['caption_tracks', 'upload_date', 'family_safe', 'available_countries'] as const;

/**
 * The source that collects a video from the YouTube Data API and adds fields of YouTube's website, if
 * KEYLESS_SOURCES allows it. Both are requested in parallel with one deadline. Only the API decides whether the video
 * exists. When the website fails, the fields that only the website has are null and the answer is partial.
 */
export const mergedVideo: Source<LongvideoVideoParams, LongvideoItem> = {
  ...dataApiSource,
  async collect({ id }, context) {
    const surfaces = surfacesOfService(context);
    const deadline = AbortSignal.any([context.signal, AbortSignal.timeout(surfaces.shared_deadline_ms)]);
    const bounded = { ...context, signal: deadline };
    if (!context.config.keyless(longvideoWebName)) return officialAlone(surfaces, id, bounded);
    const [official, web] = await fetchBoth(surfaces, id, bounded);
    if (!(web instanceof SourceError)) return withNameAndAvatar(surfaces, merged(official, web), bounded);
    const { record, quality } = await withNameAndAvatar(surfaces, official, bounded);
    return { record, quality: withoutWeb(quality), partial: true, warnings: [missingWeb(web)] };
  },
};

/**
 * The source that collects a video from YouTube's website without credentials. The public player and the watch page,
 * which it reads, both lack some fields, so the answers are partial.
 */
export const keylessVideo: Source<LongvideoVideoParams, LongvideoItem> = {
  name: longvideoWebName,
  credentials: null,
  reads: 'the pages and lists of the website',
  not_exposed: officialOnly,
  async collect({ id }, context) {
    const surfaces = surfacesOfService(context);
    const video = await webVideo(surfaces.web, id, context).catch(asRefusal);
    if (video instanceof SourceError) return withoutPlayer(surfaces, id, video, context);
    const { record, quality, watch_failure } = video;
    const warnings = watch_failure === null ? [] : [`The watch page could not be read: ${watch_failure.message}`];
    return { record, quality, partial: true, warnings };
  },
};

/**
 * Collects a video from YouTube's watch page after the request to the player has failed. Rethrows the player's error if
 * it is final: an error about the video itself, or a block.
 */
async function withoutPlayer(
  { web }: Surfaces,
  id: string,
  failure: SourceError,
  context: SourceContext,
): Promise<SourceAnswer<LongvideoItem>> {
  if (failure.about !== 'us' || context.signal.aborted) throw failure;
  const shown = await watchVideo(web, id, context).catch(asRefusal);
  if (shown instanceof SourceError && shown.about !== 'us') throw shown;
  if (shown === null || shown instanceof SourceError) throw failure;
  return { ...shown, partial: true, warnings: [`The player could not be read: ${failure.message}`] };
}

async function officialAlone(
  surfaces: Surfaces,
  id: string,
  context: SourceContext,
): Promise<SourceAnswer<LongvideoItem>> {
  const { record, quality } = await withNameAndAvatar(
    surfaces,
    await officialVideo(surfaces.api, id, context),
    context,
  );
  return { record, quality: withoutWeb(quality), partial: true };
}

/** Returns the `quality` of a video in which the fields that only YouTube's website has are marked as `not_exposed`. */
function withoutWeb(quality: Quality): Quality {
  return { ...Object.fromEntries(webOnly.map((field) => [field, 'not_exposed' as const])), ...quality };
}

/**
 * Fetches a video from the YouTube Data API and, in parallel, from YouTube's website. An error of the website is
 * returned. An error of the API is thrown and cancels the request to the website.
 */
async function fetchBoth(
  surfaces: Surfaces,
  id: string,
  context: SourceContext,
): Promise<[VideoRecord, WebVideo | SourceError]> {
  const refused = new AbortController();
  const signal = AbortSignal.any([context.signal, refused.signal]);
  return Promise.all([
    officialVideo(surfaces.api, id, context).catch((error: unknown) => {
      refused.abort();
      throw error;
    }),
    fetchWeb(surfaces, id, { ...context, signal }),
  ]);
}

/**
 * Fetches the video fields that YouTube's website has in addition to the fields of the Data API. Sends nothing while
 * the website's circuit breaker is open, and reports the result to this breaker.
 */
async function fetchWeb(surfaces: Surfaces, id: string, context: SourceContext): Promise<WebVideo | SourceError> {
  const paused = context.breakers.refusal(longvideoWebName);
  if (paused) return new SourceError(paused.code, { retry_after_seconds: paused.retry_after_seconds });
  const answer = await webVideo(surfaces.web, id, context).catch(asRefusal);
  if (!context.signal.aborted) context.breakers.report(longvideoWebName, answer instanceof SourceError ? answer : null);
  return answer;
}

/**
 * Adds the category name and the author's avatar to a video when they are missing. The avatar costs one unit of the
 * YouTube quota. The category names cost one unit a day.
 */
async function withNameAndAvatar(
  { api, categories }: Surfaces,
  { record, quality }: VideoRecord,
  context: SourceContext,
): Promise<VideoRecord> {
  const { category_id, channel_id } = record;
  const [category, authorAvatarUrl] = await Promise.all([
    category_id === null ? null : orNull(categoryName(categories, api, category_id, context)),
    record.author_avatar_url ?? (channel_id === null ? null : orNull(officialAvatar(api, channel_id, context))),
  ]);
  return { record: { ...record, category: category ?? record.category, author_avatar_url: authorAvatarUrl }, quality };
}

/**
 * Merges the records of a video from the YouTube Data API and from YouTube's website. Values of the API have priority,
 * except for the channel's URL, the hashtags, the mentions and `is_live_content`, for which the website has more data.
 * For captions, only `true` from the API has priority, because the API counts only uploaded tracks.
 */
function merged(official: VideoRecord, web: WebVideo): VideoRecord {
  const record = { ...web.record, ...nonNull(official.record) };
  const likesHidden = official.quality.likes === 'hidden';
  const countsRounded = mergedRounding(official.record.counts_rounded, web.record.counts_rounded);
  if (likesHidden) countsRounded.likes = null;
  return {
    record: {
      ...record,
      likes: likesHidden ? null : record.likes,
      counts_rounded: countsRounded,
      channel_url: web.record.channel_url ?? record.channel_url,
      is_live_content: web.record.is_live_content ?? record.is_live_content,
      captions_available: official.record.captions_available ?? web.record.captions_available,
      hashtags: web.record.hashtags ?? record.hashtags,
      mentions: web.record.mentions ?? record.mentions,
      live: mergedLive(official.record.live, web.record.live),
    },
    quality: { ...official.quality, ...roundedQuality(countsRounded) },
  };
}

function mergedLive(official: LongvideoItem['live'], web: LongvideoItem['live']): LongvideoItem['live'] {
  return official !== null && web !== null ? { ...web, ...nonNull(official) } : (official ?? web);
}

/**
 * Returns the rounding flag of each count of a video, from the record that the count comes from (Data API or website).
 * A flag is null only when its count is null.
 */
function mergedRounding(
  official: LongvideoItem['counts_rounded'],
  web: LongvideoItem['counts_rounded'],
): CountsRounded {
  return {
    views: official?.views ?? web?.views ?? null,
    likes: official?.likes ?? web?.likes ?? null,
    comments: official?.comments ?? web?.comments ?? null,
  };
}

/** Returns a copy of the record with only the fields that are not null. */
function nonNull<T extends object>(record: T): Partial<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)) as Partial<T>;
}

function missingWeb(cause: SourceError): string {
  return `The fields that only the source ${longvideoWebName} has are missing: ${cause.message}`;
}
