import type { Collector } from '../collect/collect.ts';
import { longvideoChannel } from '../longvideo/collectors.ts';
import { channelId } from '../parse/identifiers.ts';
import { parseLongvideoUrl, parsePhotoUrl, parseShortvideoUrl, type UrlResult } from '../parse/urls.ts';
import { photoProfile } from '../photo/collectors.ts';
import { shortvideoProfile } from '../shortvideo/collectors.ts';

export const platforms = ['photo', 'shortvideo', 'longvideo'] as const;
export type Platform = (typeof platforms)[number];

/** The route, the collector and the URL parser for the profiles of one platform. */
interface ProfileKind {
  path: string;
  collector: Collector<unknown, unknown>;
  /** Matches a text that looks like a URL of this platform. If the text is invalid, this platform's error message is used. */
  looksLike: RegExp;
  parse(url: string): UrlResult<{ kind: string; asked: Record<string, unknown> | null }>;
}

function profileKind<T extends { kind: string }>(
  path: string,
  collector: unknown,
  looksLike: RegExp,
  parse: (url: string) => UrlResult<T>,
  paramsOf: (target: T) => Record<string, unknown> | null,
): ProfileKind {
  return {
    path,
    collector: collector as ProfileKind['collector'],
    looksLike,
    parse(url) {
      const parsed = parse(url);
      return parsed.ok ? { ok: true, target: { kind: parsed.target.kind, asked: paramsOf(parsed.target) } } : parsed;
    },
  };
}

/**
 * The kinds of profiles, one per platform. The collector's parameters equal those of the route at `path`, so that both use the
 * same cached answer.
 */
export const profileKinds: Readonly<Record<Platform, ProfileKind>> = {
  photo: profileKind('/v1/photo/profile', photoProfile, /instagr/i, parsePhotoUrl, (target) =>
    target.kind === 'profile' ? { handle: target.handle } : null,
  ),
  shortvideo: profileKind('/v1/shortvideo/profile', shortvideoProfile, /tiktok/i, parseShortvideoUrl, (target) =>
    target.kind === 'profile' ? { handle: target.handle, region: null } : null,
  ),
  longvideo: profileKind('/v1/longvideo/channel', longvideoChannel, /youtu/i, parseLongvideoUrl, (target) => {
    if (target.kind !== 'channel') return null;
    const { kind: _, ...by } = target;
    return by;
  }),
};

const profileHomes: Readonly<Record<Platform, string>> = {
  photo: 'https://www.instagram.com/',
  shortvideo: 'https://www.tiktok.com/@',
  longvideo: 'https://www.youtube.com/@',
};

/** Returns the profile URL of a handle (with or without @) or of a channel ID on this platform. Returns any other text unchanged. */
export function handleAddress(platform: Platform, text: string): string {
  const handle = text.trim().replace(/^@/, '');
  if (handle === '' || /[/:?#\s]/.test(handle)) return text;
  if (platform === 'longvideo' && channelId.pattern.test(handle)) return `https://www.youtube.com/channel/${handle}`;
  return profileHomes[platform] + encodeURIComponent(handle);
}

/** Returns the error message for an @handle without a platform. Null for any other text. */
export function handleAlone(text: string): string | null {
  const handle = /^@([^/:?#\s]{1,30})$/.exec(text.trim())?.[1];
  const example = 'https://www.instagram.com/handle/';
  return handle === undefined
    ? null
    : `A handle can exist on every platform: choose the platform of @${handle}, or send a profile link such as ${example}.`;
}

type Refused = { ok: false; message: string };

/** Returns the platform of a profile URL. For an invalid URL, returns the error message of the platform that it looks like. */
export function platformOfAddress(url: string): { ok: true; platform: Platform } | Refused {
  const found = platforms.find((platform) => profileKinds[platform].parse(url).ok);
  if (found) return { ok: true, platform: found };
  const alone = handleAlone(url);
  if (alone !== null) return { ok: false, message: alone };
  const similar = platforms.find((platform) => profileKinds[platform].looksLike.test(url));
  const parsed = similar && profileKinds[similar].parse(url);
  if (parsed && !parsed.ok) return { ok: false, message: parsed.message };
  return { ok: false, message: 'Send a link to a profile on Instagram, TikTok or YouTube.' };
}

export interface ProfileAddress {
  platform: Platform;
  /** Parameters of the platform's collector. They are the same for all spellings of one profile URL. */
  asked: Record<string, unknown>;
}

/** Returns the profile to which a URL leads, or one sentence that says what to send instead. */
export function parseProfileAddress(url: string): { ok: true; profile: ProfileAddress } | Refused {
  const found = platformOfAddress(url);
  if (!found.ok) return found;
  const { platform } = found;
  const parsed = profileKinds[platform].parse(url);
  if (!parsed.ok) return parsed;
  const { kind, asked } = parsed.target;
  if (asked) return { ok: true, profile: { platform, asked } };
  return { ok: false, message: `Send a link to a profile: this is a link to a ${kind}.` };
}
