import type { Source, SourceAnswer, SourceContext } from '../collect/collect.ts';
import type { Quality } from '../collect/quality.ts';
import { responseChanged, SourceError } from '../errors.ts';
import { quantity } from '../quantity.ts';
import { type LongvideoItem, longvideoItem } from '../records/longvideo.ts';
import type { Playlist } from '../records/shared.ts';
import { categoryName } from './data-api/categories.ts';
import { officialChannel } from './data-api/channel.ts';
import { dataApiSource } from './data-api/client.ts';
import { officialChannelPlaylists, officialEntries } from './data-api/playlist.ts';
import { officialVideos, type VideoRecord } from './data-api/video.ts';
import { asRefusal, orNull } from './optional.ts';
import type { LongvideoChannelListParams } from './params.ts';
import { type Surfaces, surfacesOfService } from './surfaces.ts';
import { webOnly } from './video.ts';
import { shownInRows, webChannelPlaylists, webChannelVideos } from './web/channel-tabs.ts';
import { longvideoWebName } from './web/innertube.ts';

/**
 * The sources of a channel's videos, newest first, in order of preference. Answers of the website are partial.
 */
export const channelVideosSources: Source<LongvideoChannelListParams, LongvideoItem[]>[] = [
  {
    ...dataApiSource,
    not_exposed: [...webOnly, 'author_avatar_url'],
    collect: (params, context) => officialUploads(surfacesOfService(context), params, context),
  },
  {
    name: longvideoWebName,
    credentials: null,
    not_exposed: Object.keys(longvideoItem.shape).filter((field) => !shownInRows.some((shown) => shown === field)),
    async collect(params, context) {
      return { ...(await webChannelVideos(surfacesOfService(context).web, params, context)), partial: true };
    },
  },
];

/** The sources of a channel's playlists in order of preference. Answers of the website are partial. */
export const channelPlaylistsSources: Source<LongvideoChannelListParams, Playlist[]>[] = [
  {
    ...dataApiSource,
    not_exposed: ['updated_at'],
    collect: (params, context) => officialChannelPlaylists(surfacesOfService(context).api, params, context),
  },
  {
    name: longvideoWebName,
    credentials: null,
    not_exposed: [
      'description',
      'published_at',
      'updated_at',
      'language',
      'localized',
      'localizations',
      'privacy_status',
      'embed_html',
    ],
    async collect(params, context) {
      return { ...(await webChannelPlaylists(surfacesOfService(context).web, params, context)), partial: true };
    },
  },
];

/**
 * Fetches one page of a channel's uploaded videos from the YouTube Data API, newest first. The first request lists the
 * channel's uploads playlist. A second request fetches the details of the listed videos.
 */
async function officialUploads(
  surfaces: Surfaces,
  params: LongvideoChannelListParams,
  context: SourceContext,
): Promise<SourceAnswer<LongvideoItem[]>> {
  const { channel_id, limit, cursor } = params;
  const uploads = { playlist_id: `UU${channel_id.slice(2)}`, limit, cursor };
  const listed = await officialEntries(surfaces.api, uploads, context, () => true).catch(asRefusal);
  if (listed instanceof SourceError) return withoutUploads(surfaces, channel_id, listed, context);
  const ids = new Set(listed.record.map(({ content_id }) => content_id).filter((id) => id !== null));
  if (ids.size === 0) return { ...listed, record: [] };
  const { rows } = await officialVideos(surfaces.api, [...ids], context);
  if (rows.length === 0) throw responseChanged('the source has no details of the listed videos');
  const record = await Promise.all(rows.map((video) => withCategoryName(surfaces, video.record, context)));
  const missing = missingVideos(ids.size - rows.length);
  const warnings = [...(listed.warnings ?? []), ...missing];
  const partial = warnings.length > 0 ? { partial: true, warnings } : {};
  return { record, quality: rowQuality(rows), next: listed.next ?? null, ...partial };
}

function missingVideos(count: number): string[] {
  if (count === 0) return [];
  return [
    `YouTube lists ${quantity(count, 'more video')} here, but without details, so ${count === 1 ? 'it is' : 'they are'} left out.`,
  ];
}

/**
 * Returns an empty list for a channel without public uploads, which has no uploads playlist on YouTube. Requests the
 * channel first, because a channel that does not exist has no uploads playlist either.
 */
async function withoutUploads(
  { api }: Surfaces,
  channelId: string,
  refusal: SourceError,
  context: SourceContext,
): Promise<SourceAnswer<LongvideoItem[]>> {
  if (refusal.code !== 'RESOURCE_NOT_FOUND') throw refusal;
  await officialChannel(api, { id: channelId }, context);
  return { record: [], next: null };
}

async function withCategoryName(
  { api, categories }: Surfaces,
  item: LongvideoItem,
  context: SourceContext,
): Promise<LongvideoItem> {
  const { category_id } = item;
  const category = category_id === null ? null : await orNull(categoryName(categories, api, category_id, context));
  return { ...item, category };
}

function rowQuality(videos: readonly VideoRecord[]): Quality {
  const paths = videos.flatMap(({ quality }, row) =>
    Object.entries(quality).map(([field, grade]) => [`${row}.${field}`, grade] as const),
  );
  return Object.fromEntries(paths);
}
