import { z } from 'zod';
import { adCountryPattern, adMediaTypes, adStatuses } from '../../pipeline/adlibrary/params.ts';
import { cacheAgeNames } from '../../pipeline/collect/cache-ages.ts';
import { defaultLimit, maxLimit } from '../../pipeline/collect/page.ts';
import { commentOrders, searchOrders, searchTypes } from '../../pipeline/longvideo/params.ts';
import { visibleText } from '../../pipeline/parse/addresses.ts';
import * as known from '../../pipeline/parse/identifiers.ts';
import { languagePattern } from '../../pipeline/parse/languages.ts';
import {
  parseLongvideoUrl,
  parsePhotoPostId,
  parsePhotoUrl,
  parseShortvideoUrl,
  photoAccount,
} from '../../pipeline/parse/urls.ts';
import { handleAddress, hasHandleSign, type Platform } from '../../pipeline/rows/profile-address.ts';
import { postTargetParams, profileTargetParams } from '../../pipeline/rows/target-params.ts';
import {
  address,
  choice,
  flag,
  identifier,
  identifierText,
  integer,
  listPattern,
  matching,
  maxTextLength,
  maxUrlLength,
  type Parameter,
  refusalIssue,
} from './parameter.ts';

/**
 * Search terms for the OpenAPI document: a visible character, and no control characters between the spaces at both
 * ends. Regular expressions of other languages cannot name all invisible characters, which only the server refuses.
 */
const searchTextPattern =
  '^\\s*[^\\s\\x00-\\x1f\\x7f-\\x9f](?:[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f])?\\s*$';
const searchText = z
  .string()
  .max(maxTextLength, `must be at most ${maxTextLength} characters`)
  .transform((value) => value.trim())
  .refine((value) => visibleText(value) !== '', 'must not be empty')
  .refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters, such as line breaks')
  .meta({ pattern: searchTextPattern });

/** Returns a URL parser that also accepts an @handle. The handle is enough, because the route fixes the platform. */
const urlOrHandle =
  <T>(platform: Platform, parse: (url: string) => T) =>
  (url: string) =>
    parse(hasHandleSign(url) ? handleAddress(platform, url) : url);

const photoHandleIdentifier = identifier(
  'handle',
  known.photoHandleFormat,
  'a handle: 1 to 30 letters, digits, dots or underscores, with or without @',
  'nasa',
);
/**
 * The handle of an Instagram account. Names of Instagram's own pages, such as `explore`, are refused. For these,
 * Instagram shows a login page, which would look like a block of this server and pause the source for all customers.
 */
export const photoHandle: Parameter = {
  ...photoHandleIdentifier,
  schema: photoHandleIdentifier.schema.refine(
    (value) => photoAccount((value as { handle: string }).handle) !== undefined,
    'must be the handle of an account, not the name of a page of Instagram',
  ),
};
export const photoProfileUrl = address(
  urlOrHandle('photo', parsePhotoUrl),
  profileTargetParams.photo,
  'an Instagram profile',
  'https://www.instagram.com/nasa/',
);
export const photoPostUrl = address(
  parsePhotoUrl,
  postTargetParams.photo,
  'an Instagram post',
  'https://www.instagram.com/p/CExample123/',
);
export const photoPostId: Parameter = {
  schema: identifierText(
    known.photoPostIdFormat.pattern,
    'the ID of a post: 5 to 32 letters, digits, underscores or hyphens',
  ).transform((id, context) => {
    const parsed = parsePhotoPostId(id);
    if (parsed.ok) return { shortcode: parsed.target.shortcode, author: null };
    context.addIssue(refusalIssue(parsed));
    return z.NEVER;
  }),
  description:
    'the ID of a post: 5 to 32 letters, digits, underscores or hyphens. An ID of more than 28 characters belongs to a privately shared post and gets error 403',
  example: 'CExample123',
};
export const shortvideoHandle = identifier(
  'handle',
  known.shortvideoHandleFormat,
  'a handle: 2 to 24 letters, digits, dots or underscores, with or without @',
  'tiktok',
);
export const shortvideoProfileUrl = address(
  urlOrHandle('shortvideo', parseShortvideoUrl),
  profileTargetParams.shortvideo,
  'a TikTok profile',
  'https://www.tiktok.com/@tiktok',
);
const numericId = (name: string, what: string) =>
  identifier(name, known.shortvideoVideoIdFormat, `the ID of ${what}: 10 to 24 digits`, '7200000000000000001');
export const shortvideoId = numericId('id', 'a video');
export const commentedVideoId: Parameter = {
  schema: identifierText(known.shortvideoVideoIdFormat.pattern, 'the ID of a video: 10 to 24 digits'),
  description: 'the ID of the video that the comment belongs to: 10 to 24 digits',
  example: '7200000000000000001',
};
export const shortvideoPlaylistId = numericId('id', 'a playlist');
export const shortvideoCommentId = numericId('comment_id', 'a top-level comment');
export const soundId = identifier(
  'id',
  known.shortvideoSoundIdFormat,
  'the ID of a sound: 5 to 24 digits',
  '7000000000000000001',
);
export const tag = identifier(
  'tag',
  known.shortvideoTagFormat,
  'one hashtag: 1 to 100 letters, digits, underscores or emoji, with or without #',
  'travel',
);
export const longvideoId = identifier(
  'id',
  known.longvideoVideoIdFormat,
  'the ID of a video: 11 letters, digits, underscores or hyphens',
  'example0001',
);
export const longvideoUrl = address(
  parseLongvideoUrl,
  postTargetParams.longvideo,
  'a YouTube video',
  'https://www.youtube.com/watch?v=example0001',
);
export const channelHandle = identifier(
  'handle',
  known.channelHandleFormat,
  'a handle: 3 to 30 letters, digits, underscores, hyphens or dots, with or without @',
  '@youtube',
);
export const channelId = identifier(
  'channel_id',
  known.channelIdFormat,
  'the ID of a channel: UC, then 22 letters, digits, underscores or hyphens',
  'UCexample000000000000000',
);
export const channelUrl = address(
  urlOrHandle('longvideo', parseLongvideoUrl),
  profileTargetParams.longvideo,
  'a YouTube channel',
  'https://www.youtube.com/@youtube',
);
export const playlistId = identifier(
  'playlist_id',
  known.longvideoPlaylistIdFormat,
  'the ID of a playlist: 2 to 64 letters, digits, underscores or hyphens',
  'PLexample00000000000000000000000000',
);
export const longvideoCommentId = identifier(
  'comment_id',
  known.longvideoCommentIdFormat,
  'the ID of a top-level comment: 16 to 64 letters, digits, underscores or hyphens; the ID of a reply has a dot and does not work',
  'UgxExampleComment00AaABAg',
);
export const searchQuery: Parameter = {
  schema: searchText.transform((query) => ({ query })),
  description: `search terms, at most ${maxTextLength} characters`,
  example: 'tide pools',
};
export const numericUserId = numericId('userId', 'an account');
export const companyName: Parameter = {
  schema: searchText.transform((companyName) => ({ company_name: companyName })),
  description: 'name of a company whose page this server knows; for other companies send pageId',
  example: 'Tidemark Sample',
};
export const pageId = identifier('page_id', known.pageIdFormat, 'the ID of a page: 5 to 20 digits', '100000000000001');

export const microblogHandle = identifier(
  'handle',
  known.microblogHandleFormat,
  'a handle: 1 to 15 letters, digits or underscores, with or without @',
  'tidemark',
);
export const microblogId = identifier('id', known.microblogIdFormat, 'an ID: 1 to 19 digits', '1800000000000000001');
export const microblogUrl: Parameter = {
  schema: z
    .string()
    .max(maxUrlLength)
    .transform((url) => ({ url })),
  description: 'URL of a post',
  example: 'https://x.com/tidemark/status/1800000000000000001',
};

export const region = matching(/^[A-Z]{2}$/, 'a country code of two uppercase letters', 'US');
/**
 * The parameter `region` of TikTok routes, which has no effect. A route whose source supports countries uses the
 * constant `region` instead.
 */
export const ignoredRegion: Parameter = {
  ...region,
  description: `${region.description}; has no effect at present`,
  no_effect: 'no source of this route supports it',
};
export const language = matching(languagePattern, 'a language code such as en or zh-Hans', 'en');
export const country = matching(adCountryPattern, 'a country code of two uppercase letters, or ALL', 'DE');
const dayRule = 'a date as YYYY-MM-DD';
const dayPattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const existingDay = z.iso.date();
export const day: Parameter = {
  ...matching(dayPattern, dayRule, '2026-01-31'),
  schema: z
    .string()
    .regex(dayPattern, `must be ${dayRule}`)
    .refine((text) => existingDay.safeParse(text).success, 'must be a day that exists')
    .meta({ pattern: z.core.regexes.date.source }),
};
export const searchOrder = choice(searchOrders, 'relevance', 'sort order');
export const commentOrder = choice(commentOrders, 'time', 'sort order');
export const adStatus = choice(adStatuses, 'ACTIVE', 'status of the ad');
export const mediaType = choice(adMediaTypes, 'ALL', 'media type of the ad');
export const profileFormat = choice(
  ['full', 'compact'],
  'full',
  'full: the normalized profile; compact: user and stats with the names that TikTok uses, without fields or trim',
);
export const searchType: Parameter = {
  schema: z
    .string()
    .regex(listPattern(searchTypes.join('|')), `must be a comma-separated list of ${searchTypes.join(', ')}`)
    .transform((value) => value.split(',').map((type) => type.trim()))
    .transform((types) => searchTypes.filter((type) => types.includes(type)))
    .default([...searchTypes]),
  description: 'video, channel or playlist, or several: comma-separated; all by default',
  example: 'video',
};

export const cacheMaxAge: Parameter = {
  ...choice(
    cacheAgeNames,
    null,
    'maximum age of a cached answer; such an answer is free. Without this parameter, new data is fetched',
  ),
  makes_free: true,
};
export const fields: Parameter = {
  schema: z
    .string()
    .max(2_000, 'must be at most 2000 characters')
    .regex(listPattern('[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*'), 'must be a comma-separated list of fields or dot paths')
    .transform((value) => value.split(',').map((path) => path.trim())),
  description:
    'only these fields, comma-separated; a dot names a field inside objects and lists, such as hashtags.name',
  example: 'followers,posts',
};
export const trim = flag(
  'removes null and empty values, except empty lists in region_restriction, where an empty list means no country',
);
export const estimate: Parameter = {
  ...flag('returns only the cost of this request and whether its answer is cached; fetches nothing, 0 credits'),
  makes_free: true,
};
export const limit = integer(1, maxLimit, defaultLimit, 'rows in this answer');
export const cursor: Parameter = {
  schema: z
    .string()
    .min(1, 'must not be empty: leave it out for the first page; a next_cursor of null means that the list has ended')
    .max(8_192, 'must be an unchanged next_cursor'),
  description:
    'next_cursor of the previous page, with identifier, filters and limit unchanged; leave it out for the first page',
  example: '',
  makes_free: true,
};
