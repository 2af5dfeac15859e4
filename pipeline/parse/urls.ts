import { addressOn, decodedPath } from './addresses.ts';
import {
  channelCustomNameFormat,
  channelHandleFormat,
  channelIdFormat,
  channelUsernameFormat,
  type IdentifierFormat,
  longvideoPlaylistIdFormat,
  longvideoVideoIdFormat,
  photoHandleFormat,
  photoPostIdFormat,
  shortvideoHandleFormat,
  shortvideoPlaylistIdFormat,
  shortvideoSoundIdFormat,
  shortvideoTagFormat,
  shortvideoVideoIdFormat,
} from './identifiers.ts';
import { pkToShortcode } from './shortcodes.ts';

/**
 * Result of parsing a platform URL: its target, or one sentence that tells the customer what to use instead. The URL
 * is only parsed, never fetched.
 */
export type UrlResult<T> =
  | { ok: true; target: T }
  | { ok: false; code: 'INVALID_INPUT' | 'SOURCE_RESTRICTED'; message: string };

type PhotoPost = { kind: 'post'; shortcode: string; author: string | null };
type PhotoTarget = { kind: 'profile'; handle: string } | PhotoPost;
type ShortvideoTarget =
  | { kind: 'profile'; handle: string }
  | { kind: 'video' | 'sound' | 'playlist'; id: string }
  | { kind: 'hashtag'; tag: string };
type LongvideoTarget =
  | { kind: 'video' | 'playlist'; id: string }
  | { kind: 'channel'; channel_id: string }
  | { kind: 'channel'; handle: string }
  | { kind: 'channel'; username: string }
  | { kind: 'channel'; custom_name: string };

/**
 * One rule for parsing URLs: the pattern of a URL path, and a function that returns the target from the pattern's
 * groups and the query. The pattern is tested against the decoded path segments, joined with single slashes.
 */
type Row<T> = [path: RegExp, target: (groups: string[], query: URLSearchParams) => UrlResult<T> | undefined];

const refused = (message: string): UrlResult<never> => ({ ok: false, code: 'INVALID_INPUT', message });

/**
 * Refuses a short link, because its target is known only after following the redirect (see short-links.ts). The message
 * asks for the full link.
 */
const shortLink = (example: string) => () =>
  refused(
    `This short link could not be followed. Open it in a browser and use the full link that the browser shows, such as ${example}.`,
  );

/**
 * Refuses the link to a page that cannot be read, such as an account's live video. The message says which profile link
 * to use instead.
 */
function pageOf(what: string, profile: string | undefined): UrlResult<never> | undefined {
  return profile === undefined ? undefined : refused(`${what} cannot be read. For the profile, use ${profile}.`);
}

/**
 * Returns the target for an identifier in a URL, such as a handle. Undefined when the value does not match the pattern
 * of the identifier.
 */
function named<T>(identifier: IdentifierFormat, value: string | null | undefined, target: (id: string) => T) {
  if (typeof value !== 'string' || !identifier.pattern.test(value)) return undefined;
  return { ok: true, target: target(identifier.normalize(value)) } as const;
}

function read<T>(url: URL, rows: readonly Row<T>[], otherwise: string): UrlResult<T> {
  const path = decodedPath(url);
  for (const [shape, target] of path === null ? [] : rows) {
    const match = shape.exec(path ?? '');
    if (match) return target(match.slice(1), url.searchParams) ?? refused(otherwise);
  }
  return refused(otherwise);
}

const photoHosts = ['www.instagram.com', 'instagram.com', 'm.instagram.com', 'instagr.am', 'www.instagr.am'];
const noPhoto =
  'Use a link to a profile (https://www.instagram.com/handle/) or to a post (https://www.instagram.com/p/code/).';
const photoReserved = new Set(
  (
    'p tv reel reels stories explore accounts direct share s about legal developer web api graphql _n _u ' +
    'challenge emails oauth privacy press session tags locations'
  ).split(' '),
);

const photoRows: readonly Row<PhotoTarget>[] = [
  [/^(?:stories\/highlights(?:\/|$)|s\/aGlnaGxpZ2h0)/, () => pageOf('A story highlight', 'the link to the account')],
  [/^(?:s|share)(?:\/|$)/, shortLink('https://www.instagram.com/p/code/')],
  [/^(?:stories\/([^/]+)(?:\/\d+)?|([^/]+)\/live)$/, ([story, live]) => passingPage(story, live)],
  [/^reels\/audio(?:\/|$)/, () => undefined],
  [
    /^(?:p|tv|reel|reels)\/([^/]+)(?:\/(?:embed(?:\/captioned)?|comments|c\/\d+(?:\/r\/\d+)?))?$/,
    ([code]) => photoPost(code, null),
  ],
  [/^([^/]+)\/(?:p|tv|reel)\/([^/]+)$/, ([author, code]) => photoPost(code, photoAccount(author))],
  [/^([^/]+)(?:\/(?:reels|reposts|tagged|channel|embed))?$/, ([handle]) => photoProfile(handle)],
  [/^_u\/([^/]+)$/, ([handle]) => photoProfile(handle)],
];

/**
 * Parses the URL of an Instagram profile or post. Refuses the code of a privately shared post with SOURCE_RESTRICTED.
 */
export function parsePhotoUrl(url: string): UrlResult<PhotoTarget> {
  const address = addressOn(photoHosts, url);
  return typeof address === 'string' ? refused(address) : read(address, photoRows, noPhoto);
}

/**
 * Parses the ID of an Instagram post, which is a shortcode or a media ID (`{pk}` or `{pk}_{owner}`). Converts a media
 * ID to its shortcode.
 */
export function parsePhotoPostId(id: string): UrlResult<PhotoPost> {
  const post = photoPostIdFormat.pattern.test(id) ? photoPost(id, null) : undefined;
  return post ?? refused('Use the ID of a post: 5 to 32 letters, digits, underscores or hyphens.');
}

/**
 * Returns the handle of an Instagram account. Undefined for words that are not handles, such as `explore` (a page of
 * Instagram) and `..` (which leads to the start page).
 */
export function photoAccount(word: string | undefined): string | undefined {
  const account = named(photoHandleFormat, word, (handle) => handle)?.target;
  return account === undefined || photoReserved.has(account) || /^\.+$/.test(account) ? undefined : account;
}

function passingPage(story: string | undefined, live: string | undefined): UrlResult<never> | undefined {
  const handle = photoAccount(story ?? live);
  return pageOf(story ? 'A story' : 'A live video', handle && `https://www.instagram.com/${handle}/`);
}

function photoProfile(word: string | undefined): UrlResult<PhotoTarget> | undefined {
  const handle = photoAccount(word);
  return handle === undefined ? undefined : { ok: true, target: { kind: 'profile', handle } };
}

const publicCodeMaxCharacters = 28;

function photoPost(code: string | undefined, author: string | null | undefined): UrlResult<PhotoPost> | undefined {
  if (code === undefined || author === undefined || !/^[A-Za-z0-9_-]{5,128}$/.test(code)) return undefined;
  const pk = /^(\d{15,24})(?:_\d+)?$/.exec(code)?.[1];
  const shortcode = pk === undefined ? code : pkToShortcode(pk);
  if (shortcode.length <= publicCodeMaxCharacters) return { ok: true, target: { kind: 'post', shortcode, author } };
  const message = 'This code belongs to a privately shared post: use a link to a public post.';
  return { ok: false, code: 'SOURCE_RESTRICTED', message };
}

const shortvideoHosts = [
  ...['www.tiktok.com', 'tiktok.com', 'm.tiktok.com', 'lite.tiktok.com', 't.tiktok.com'],
  ...['www.tiktokv.com', 'tiktokv.com'],
];
const shortvideoShareHosts = ['vm.tiktok.com', 'vt.tiktok.com'];
const noShortvideo =
  'Use a full link to a profile (https://www.tiktok.com/@handle) or to a video (https://www.tiktok.com/@handle/video/id).';

const shortvideoExample = 'https://www.tiktok.com/@handle/video/id';
const shortVideo = ([id]: string[]) => named(shortvideoVideoIdFormat, id, (id) => ({ kind: 'video', id }) as const);

function shortvideoLive(name: string | undefined): UrlResult<never> | undefined {
  const handle = named(shortvideoHandleFormat, name, (handle) => handle)?.target;
  return pageOf('A live video', handle && `https://www.tiktok.com/@${handle}`);
}

const shortvideoRows: readonly Row<ShortvideoTarget>[] = [
  [/^t(?:\/|$)/, shortLink(shortvideoExample)],
  [/^@([^/]+)\/live$/, ([name]) => shortvideoLive(name)],
  [/^(?:i18n\/)?[^/]+\/(?:video|photo)\/([^/]+)$/, shortVideo],
  [/^(?:video|embed|embed\/v[23]|player\/v1)\/(\d+)$/, shortVideo],
  [/^v\/(\d+)\.html$/, shortVideo],
  [
    /^(?:embed\/)?@([^/]+)$/,
    ([name]) => named(shortvideoHandleFormat, name, (handle) => ({ kind: 'profile', handle })),
  ],
  [/^tag\/([^/]+)$/, ([name]) => named(shortvideoTagFormat, name, (tag) => ({ kind: 'hashtag', tag }))],
  [/^music\/[^/]*-(\d+)$/, ([id]) => named(shortvideoSoundIdFormat, id, (id) => ({ kind: 'sound', id }))],
  [
    /^@[^/]*\/playlist\/[^/]*-(\d+)$/,
    ([id]) => named(shortvideoPlaylistIdFormat, id, (id) => ({ kind: 'playlist', id })),
  ],
];

/** Parses the URL of a TikTok profile, video, hashtag, sound or playlist. */
export function parseShortvideoUrl(url: string): UrlResult<ShortvideoTarget> {
  const address = addressOn([...shortvideoHosts, ...shortvideoShareHosts], url);
  if (typeof address === 'string') return refused(address);
  return shortvideoShareHosts.includes(address.hostname)
    ? shortLink(shortvideoExample)()
    : read(address, shortvideoRows, noShortvideo);
}

const longvideoHosts = [
  'www.youtube.com',
  ...['youtube.com', 'm.youtube.com', 'music.youtube.com', 'gaming.youtube.com'],
  ...['youtu.be', 'youtube-nocookie.com', 'www.youtube-nocookie.com', 'youtube.googleapis.com'],
  ...['youtubekids.com', 'www.youtubekids.com'],
];
const noLongvideo =
  'Use a link to a video (https://www.youtube.com/watch?v=id), a channel (https://www.youtube.com/@handle) or a playlist (https://www.youtube.com/playlist?list=id).';
/** First path segments of YouTube's own pages, which are never the custom name of a channel. */
const longvideoReserved = new Set(
  (
    'about account ads api attribution_link browse c channel channels clip community creators ' +
    'details e embed error explore feed feeds gaming get_video_info hashtag howyoutubeworks iframe_api index jobs ' +
    'kids learning live live_chat live_stream login logout movies music new news oembed oops opensearch playables ' +
    'playlist podcasts post premium press redirect reporthistory results s search select_site shared shopping ' +
    'shorts signin signup source sports storefront supported_browsers t trending tv upload user v verify_age ' +
    'videoseries w watch watch_popup yt youtubei'
  ).split(' '),
);

/** Returns the video with this ID. Ignores the second query string of a malformed URL such as `?v=ID?si=abc`. */
const longVideo = (id: string | null | undefined) =>
  named(longvideoVideoIdFormat, id?.split('?')[0], (id) => ({ kind: 'video', id }) as const);
const longPlaylist = (id: string | null | undefined) =>
  named(longvideoPlaylistIdFormat, id, (id) => ({ kind: 'playlist', id }) as const);
const customName = (name: string | undefined) =>
  named(channelCustomNameFormat, name, (text) => ({ kind: 'channel', custom_name: text }) as const);

const longvideoRows: readonly Row<LongvideoTarget>[] = [
  [
    /^(?:watch(?:_popup)?|details)?$/,
    (_, query) => longVideo(query.get('v')) ?? (query.has('v') ? undefined : longPlaylist(query.get('list'))),
  ],
  [/^(?:playlist|course|embed\/videoseries)$/, (_, query) => longPlaylist(query.get('list'))],
  [/^embed\/live_stream$/, () => undefined],
  [/^(?:watch|shorts|live|embed|v|e)\/([^/]+)$/, ([id]) => longVideo(id)],
  [
    /^(?:channel|browse)\/(UC[^/]+)(?:\/[^/]+)?$/,
    ([id]) => named(channelIdFormat, id, (text) => ({ kind: 'channel', channel_id: text })),
  ],
  [/^@([^/]+)(?:\/[^/]+)?$/, ([name]) => named(channelHandleFormat, name, (handle) => ({ kind: 'channel', handle }))],
  [
    /^user\/([^/]+)(?:\/[^/]+)?$/,
    ([name]) => named(channelUsernameFormat, name, (username) => ({ kind: 'channel', username })),
  ],
  [/^c\/([^/]+)(?:\/[^/]+)?$/, ([name]) => customName(name)],
  [/^browse\/VL([^/]+)$/, ([id]) => longPlaylist(id)],
  [/^attribution_link$/, (_, query) => videoInside(query.get('u'))],
  [/^oembed$/, (_, query) => videoInside(query.get('url'))],
];

/** The YouTube hosts whose first path segment can be the custom name of a channel, as in `/name`. */
const customNameHosts = ['www.youtube.com', 'youtube.com', 'm.youtube.com'];
const customNameRow: Row<LongvideoTarget> = [
  /^([^/]+)(?:\/(?:featured|videos|shorts|streams|playlists|community|posts|channels|about))?$/,
  ([name = ''], query) => (longvideoReserved.has(name.toLowerCase()) || query.has('v') ? undefined : customName(name)),
];

/** Returns the video of a YouTube watch URL that is inside a query parameter of another URL. */
function videoInside(text: string | null) {
  const url = URL.parse(text ?? '', 'https://www.youtube.com');
  const watch = url !== null && url.pathname === '/watch' && longvideoHosts.includes(url.hostname);
  return watch ? longVideo(url.searchParams.get('v')) : undefined;
}

const shortAddressRows: readonly Row<LongvideoTarget>[] = [[/^([^/]+)$/, ([id]) => longVideo(id)]];

/** Parses the URL of a YouTube video, channel or playlist. If the URL has a video and a playlist, returns the video. */
export function parseLongvideoUrl(url: string): UrlResult<LongvideoTarget> {
  const address = addressOn(longvideoHosts, url);
  if (typeof address === 'string') return refused(address);
  const { hostname } = address;
  const rows = customNameHosts.includes(hostname) ? [...longvideoRows, customNameRow] : longvideoRows;
  return read(address, hostname === 'youtu.be' ? shortAddressRows : rows, noLongvideo);
}
