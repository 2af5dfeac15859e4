import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** A call of a collector (its name and parameters) that can be answered from recordings, without the network. */
export interface RecordedCall {
  collector: string;
  params: Record<string, unknown>;
  /** Names of the sources whose answers to this call were recorded. */
  sources: ReadonlySet<string>;
}

/**
 * Describes a request that depends on an earlier answer. `answer` matches an id in the earlier answer, and `next`
 * returns the part of the request that contains this id.
 */
interface Lookup {
  answer: RegExp;
  next: (id: string) => string;
}

const channelOf: Lookup = { answer: /"browseId":\s*"(UC[\w-]{22})"/, next: (id) => `"browseId":"${id}"` };
const commentsOf: Lookup = { answer: /"token":\s*"(Eg0S[^"]+)"/, next: (token) => `"continuation":"${token}"` };
const postsOf: Lookup = { answer: /"id":\s*"(\d+)"/, next: (id) => `/2/users/${id}/tweets?` };

const account = ['photoProfile', 'photoPosts', 'photoUserPosts'];
const reels = ['photoReels', 'photoUserReels'];
const post = ['photoPost', 'photoPostChildren'];
const channel = ['longvideoChannel'];
const channelPage = ['longvideoChannel', 'longvideoChannelVideos', 'longvideoChannelPlaylists'];
const playlistPage = ['longvideoPlaylist', 'longvideoPlaylistItems'];

/**
 * The first requests of collectors. Each row has the source, the names of its collectors, a pattern, and optionally the
 * request that must follow. The pattern matches the URL, a space and the body of the request. Named groups of the
 * pattern are parameters of the collectors; `paramsOf` converts `uploads_of` and `filter`.
 */
const requests: readonly (readonly [string, readonly string[], RegExp, Lookup?])[] = [
  ['instagram-web', account, /\/web_profile_info\/\?username=(?<handle>[\w.]+)$/],
  ['instagram-post-page', post, /instagram\.com\/p\/(?<shortcode>[\w-]+)\/$/],
  ['instagram-graph', [...account, ...reels], /=business_discovery\.username\((?<handle>[\w.]+)\)/],
  ['instagram-graph', ['photoHashtag', 'photoHashtagPosts'], /\/ig_hashtag_search\?.*&q=(?<tag>\w+)$/],
  ['tiktok-web', ['shortvideoProfile'], /tiktok\.com\/@(?<handle>[\w.]+)$/],
  ['tiktok-web', ['shortvideoVideo'], /tiktok\.com\/@_\/video\/(?<id>\d+)$/],
  ['tiktok-embed', ['shortvideoVideo'], /tiktok\.com\/embed\/v2\/(?<id>\d+)$/],
  ['tiktok-oembed', ['shortvideoVideo'], /tiktok\.com\/oembed\?url=.*\/video\/(?<id>\d+)$/],
  ['tiktok-embed', ['shortvideoProfile', 'shortvideoVideos'], /tiktok\.com\/embed\/@(?<handle>[\w.]+)$/],
  ['tiktok-embed', ['shortvideoHashtag', 'shortvideoHashtagVideos'], /tiktok\.com\/embed\/tag\/(?<tag>[^/?]+)$/],
  ['tiktok-embed', ['shortvideoSound', 'shortvideoSoundVideos'], /tiktok\.com\/embed\/music\/(?<id>\d+)$/],
  ['tiktok-comments', ['shortvideoComments'], /\/comment\/list\/\?aweme_id=(?<id>\d+)&/],
  [
    'tiktok-comments',
    ['shortvideoCommentReplies'],
    /\/reply\/\?item_id=(?<video_id>\d+)&comment_id=(?<comment_id>\d+)&/,
  ],
  ['youtube-data-api', ['longvideoVideo'], /\/v3\/videos\?.*&id=(?<id>[\w-]{11})$/],
  ['youtube-data-api', channel, /\/v3\/channels\?.*&id=(?<channel_id>UC[\w-]{22})$/],
  ['youtube-data-api', channel, /\/v3\/channels\?.*&forHandle=(?<handle>@[\w.-]+)$/],
  ['youtube-data-api', channel, /\/v3\/channels\?.*&forUsername=(?<username>\w+)$/],
  ['youtube-data-api', ['longvideoChannelVideos'], /\/v3\/playlistItems\?.*&playlistId=UU(?<uploads_of>[\w-]{22})$/],
  ['youtube-data-api', ['longvideoChannelPlaylists'], /\/v3\/playlists\?.*&channelId=(?<channel_id>UC[\w-]{22})$/],
  ['youtube-data-api', ['longvideoPlaylist'], /\/v3\/playlists\?.*&id=(?<playlist_id>[\w-]+)$/],
  ['youtube-data-api', ['longvideoPlaylistItems'], /\/v3\/playlistItems\?.*&playlistId=(?<playlist_id>[\w-]+)$/],
  ['youtube-data-api', ['longvideoComments'], /\/v3\/commentThreads\?.*&videoId=(?<id>[\w-]{11})$/],
  ['youtube-data-api', ['longvideoCommentReplies'], /\/v3\/comments\?.*&parentId=(?<comment_id>[\w-]+)$/],
  ['youtube-data-api', ['longvideoSearch'], /\/v3\/search\?.*&q=(?<query>[^&]+)$/],
  ['youtube-web', ['longvideoVideo'], /\/player\S* \{"videoId":"(?<id>[\w-]{11})"/],
  ['youtube-web', ['longvideoComments'], /\/next\S* \{"videoId":"(?<id>[\w-]{11})"/, commentsOf],
  ['youtube-web', channelPage, /\/browse\S* \{"browseId":"(?<channel_id>UC[\w-]{22})"/],
  ['youtube-web', playlistPage, /\/browse\S* \{"browseId":"VL(?<playlist_id>[\w-]+)"/],
  ['youtube-web', channel, /\/resolve_url\S* \{"url":"https:\/\/www\.youtube\.com\/(?<handle>@[\w.-]+)"/, channelOf],
  ['youtube-web', channel, /\/resolve_url\S* \{"url":"https:\/\/www\.youtube\.com\/(?<custom_name>\w+)"/, channelOf],
  ['youtube-web', ['longvideoSearch'], /\/search\S* \{"query":"(?<query>[^"]+)","params":"(?<filter>[^"]+)"/],
  ['youtube-web', ['longvideoTranscript'], /\/api\/timedtext\?v=(?<id>[\w-]{11})&/],
  ['meta-adlibrary', ['adlibraryCompanyAds'], /\/ads_archive\?.*search_page_ids=\["(?<page_id>\d+)"\]$/],
  ['x-api', ['microblogProfile'], /\/2\/users\/by\/username\/(?<handle>\w+)\?/],
  ['x-api', ['microblogUserPosts'], /\/2\/users\/by\/username\/(?<handle>\w+)\?/, postsOf],
  ['x-api', ['microblogPost'], /\/2\/tweets\/(?<id>\d+)\?/],
];

const searchFilters: Record<string, string[]> = {
  'EgIQAfABAQ==': ['video'],
  'EgIQAvABAQ==': ['channel'],
  'EgIQA_ABAQ==': ['playlist'],
};

function paramsOf({ uploads_of, filter, ...params }: Record<string, string>): Record<string, unknown> {
  const type = searchFilters[filter ?? ''];
  return { ...params, ...(uploads_of && { channel_id: `UC${uploads_of}` }), ...(type && { type }) };
}

const exchangeShape = z.object({
  example: z.object({ url: z.string(), body: z.record(z.string(), z.unknown()).optional() }),
  file: z.string().optional(),
  text: z.string().default(''),
});
const manifestShape = z.object({ exchanges: z.array(exchangeShape) });

/** Returns the calls that can be answered completely from the recordings of a manifest, without repeats. */
export function recordedCalls(manifestPath: string): RecordedCall[] {
  const { exchanges } = manifestShape.parse(JSON.parse(readFileSync(manifestPath, 'utf8')));
  const examples = exchanges.map(({ example, file, text }) => ({
    request: requestText(example),
    answer: () => (file === undefined ? text : readFileSync(join(dirname(manifestPath), file), 'utf8')),
  }));
  const calls = new Map<string, RecordedCall>();
  for (const { request, answer } of examples) {
    for (const [source, names, pattern, lookup] of requests) {
      const groups = pattern.exec(request)?.groups;
      if (!groups) continue;
      const id = lookup?.answer.exec(answer())?.[1];
      if (lookup && id && !examples.some((other) => other.request.includes(lookup.next(id)))) continue;
      for (const collector of names) addCall(calls, collector, paramsOf(groups), source);
    }
  }
  return [...calls.values()];
}

function requestText({ url, body }: z.infer<typeof exchangeShape>['example']): string {
  const address = decodeURIComponent(url.replaceAll('+', ' '));
  return body ? `${address} ${JSON.stringify(body)}` : address;
}

function addCall(calls: Map<string, RecordedCall>, collector: string, params: RecordedCall['params'], source: string) {
  const id = JSON.stringify([collector, params]);
  const sources = new Set([...(calls.get(id)?.sources ?? []), source]);
  calls.set(id, { collector, params, sources });
}
