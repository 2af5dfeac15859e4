import { plainText } from '../parse/addresses.ts';
import { channelIdFormat } from '../parse/identifiers.ts';
import { isHeading, isPlaceholder } from '../parse/not-links.ts';
import { parseLongvideoUrl, parsePhotoUrl, parseShortvideoUrl, type UrlResult } from '../parse/urls.ts';
import { profileTargetParams } from './target-params.ts';

export const platforms = ['photo', 'shortvideo', 'longvideo'] as const;
export type Platform = (typeof platforms)[number];

/** The URLs of profiles on one platform. */
interface ProfileKind {
  /**
   * Matches a text that looks like a URL of this platform. When such a text is not a valid URL, the user sees the error
   * message of this platform.
   */
  looksLike: RegExp;
  parse(url: string): UrlResult<{ kind: string; params: Record<string, unknown> | null }>;
}

function profileKind<T extends { kind: string }>(
  looksLike: RegExp,
  parse: (url: string) => UrlResult<T>,
  paramsOf: (target: T) => Record<string, unknown> | null,
): ProfileKind {
  return {
    looksLike,
    parse(url) {
      const parsed = parse(url);
      return parsed.ok ? { ok: true, target: { kind: parsed.target.kind, params: paramsOf(parsed.target) } } : parsed;
    },
  };
}

/** The profiles of each platform. `params` are those of the API route, so that both use the same cached answer. */
const profileKinds: Readonly<Record<Platform, ProfileKind>> = {
  photo: profileKind(/instagr/i, parsePhotoUrl, profileTargetParams.photo),
  shortvideo: profileKind(/tiktok/i, parseShortvideoUrl, (target) => {
    const params = profileTargetParams.shortvideo(target);
    return params && { ...params, region: null };
  }),
  longvideo: profileKind(/youtu/i, parseLongvideoUrl, profileTargetParams.longvideo),
};

const profileHomes: Readonly<Record<Platform, string>> = {
  photo: 'https://www.instagram.com/',
  shortvideo: 'https://www.tiktok.com/@',
  longvideo: 'https://www.youtube.com/@',
};

/** Matches the @ before a handle. Japanese and Chinese keyboards also write a full-width @. */
const handleSign = /^[@＠]\s*/;

/** Returns true for a text that begins with an @, so that it is a handle and not a name. */
export function hasHandleSign(text: string): boolean {
  return handleSign.test(plainText(text));
}

/**
 * Returns the profile URL for a handle (with or without @) or a YouTube channel ID on this platform. Returns any other
 * text unchanged.
 */
export function handleAddress(platform: Platform, text: string): string {
  const handle = plainText(text).replace(handleSign, '');
  if (handle === '' || /[/:?#\s]/.test(handle)) return text;
  if (platform === 'longvideo' && channelIdFormat.pattern.test(handle))
    return `https://www.youtube.com/channel/${handle}`;
  // Replaces unpaired surrogates, which a cell of an Excel file can contain, because `encodeURIComponent` throws for
  // them.
  return profileHomes[platform] + encodeURIComponent(handle.toWellFormed());
}

/**
 * Returns the profile URL for a handle in a user's list, as {@link handleAddress} does. Returns placeholders such as
 * "TBD" unchanged, and headings such as "Username" at the top of the list, because they are handles of strangers.
 */
export function listedAddress(platform: Platform, text: string, isFirst: boolean): string {
  const plain = plainText(text);
  return isPlaceholder(plain) || (isFirst && isHeading(plain)) ? text : handleAddress(platform, text);
}

/** Returns the error message for an @handle without a platform. Returns null for any other text. */
export function handleAlone(text: string): string | null {
  const plain = plainText(text);
  const handle = handleSign.test(plain) ? /^[^/:?#\s]{1,30}$/.exec(plain.replace(handleSign, ''))?.[0] : undefined;
  const example = 'https://www.instagram.com/handle/';
  return handle === undefined
    ? null
    : `A handle can exist on every platform: choose the platform of @${handle}, or use a profile link such as ${example}.`;
}

/** The error message for a text that is no link to a post. */
export const usePostLink = 'Use a link to a post or video on Instagram, TikTok or YouTube.';

/** `is_unknown`: true when the text looks like no URL of a known platform, so that `message` only says what to send. */
type Refused = { ok: false; message: string; is_unknown?: true };

/**
 * Returns the platform of a URL. For an invalid URL, returns the error message of the platform that the URL looks like.
 */
export function platformOfAddress(url: string): { ok: true; platform: Platform } | Refused {
  const found = platforms.find((platform) => profileKinds[platform].parse(url).ok);
  if (found) return { ok: true, platform: found };
  const alone = handleAlone(url);
  if (alone !== null) return { ok: false, message: alone, is_unknown: true };
  const similar = platforms.find((platform) => profileKinds[platform].looksLike.test(url));
  const parsed = similar && profileKinds[similar].parse(url);
  if (parsed && !parsed.ok) return { ok: false, message: parsed.message };
  return { ok: false, message: 'Use a link to a profile on Instagram, TikTok or YouTube.', is_unknown: true };
}

export interface ProfileAddress {
  platform: Platform;
  /** The parameters with which the profile is requested. All spellings of one profile URL have the same parameters. */
  params: Record<string, unknown>;
}

/**
 * Returns the profile to which a URL leads. If the URL leads to something else, returns one sentence that says what to
 * send instead.
 */
export function parseProfileAddress(url: string): { ok: true; profile: ProfileAddress } | Refused {
  const found = platformOfAddress(url);
  if (!found.ok) return found;
  const { platform } = found;
  const parsed = profileKinds[platform].parse(url);
  if (!parsed.ok) return parsed;
  const { kind, params } = parsed.target;
  if (params) return { ok: true, profile: { platform, params } };
  return { ok: false, message: `Use a link to a profile: this is a link to a ${kind}.` };
}
