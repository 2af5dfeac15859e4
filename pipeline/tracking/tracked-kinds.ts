import type { itemKinds } from '../../db/schema/metrics.ts';
import type { AnyCollector, Collected } from '../collect/collect.ts';
import { longvideoChannel, longvideoVideo } from '../longvideo/collectors.ts';
import { beginningOf } from '../parse/text.ts';
import { parseLongvideoUrl, parsePhotoUrl, parseShortvideoUrl } from '../parse/urls.ts';
import { photoPost, photoProfile } from '../photo/collectors.ts';
import { handleAlone } from '../rows/profile-address.ts';
import { shortvideoProfile, shortvideoVideo } from '../shortvideo/collectors.ts';

/** A kind of account or post that can be tracked, with the collector that fetches its numbers. */
interface Kind {
  collector: AnyCollector;
  /** Converts the stored identifier of a tracked item to the parameters of the collector. */
  params: (identifier: string) => Record<string, unknown>;
}

function kindOf(collector: unknown, params: Kind['params']): Kind {
  return { collector: collector as Kind['collector'], params };
}

const kinds: Record<(typeof itemKinds)[number], Kind> = {
  'photo profile': kindOf(photoProfile, (handle) => ({ handle })),
  'photo post': kindOf(photoPost, (shortcode) => ({ shortcode, author: null })),
  'shortvideo profile': kindOf(shortvideoProfile, (handle) => ({ handle, region: null })),
  'shortvideo video': kindOf(shortvideoVideo, (id) => ({ id, region: null })),
  'longvideo channel': kindOf(longvideoChannel, channelParams),
  'longvideo video': kindOf(longvideoVideo, (id) => ({ id })),
};

/**
 * Returns a kind of tracked item of a platform, such as a profile, with the collector that fetches its data. Throws
 * when the platform has no such kind.
 */
export function findKind(platform: string, kind: string): Kind {
  const found = (kinds as Record<string, Kind | undefined>)[`${platform} ${kind}`];
  if (!found) throw new Error(`Items of the kind "${platform} ${kind}" cannot be tracked.`);
  return found;
}

/**
 * Converts the stored identifier of a YouTube channel to request parameters. The identifier is the channel's ID,
 * `@handle`, `user/name` or `c/name`.
 */
function channelParams(identifier: string): Record<string, unknown> {
  if (identifier.startsWith('@')) return { handle: identifier.slice(1) };
  if (identifier.startsWith('user/')) return { username: identifier.slice(5) };
  if (identifier.startsWith('c/')) return { custom_name: identifier.slice(2) };
  return { channel_id: identifier };
}

export interface TrackableAddress {
  platform: string;
  kind: string;
  identifier: string;
}

/**
 * Returns the account or post that a user can track under this URL. When nothing can be tracked, returns one sentence
 * that says what to send instead.
 */
export function trackable(url: string): { ok: true; item: TrackableAddress } | { ok: false; message: string } {
  const results = [photoItem(url), shortvideoItem(url), longvideoItem(url)];
  const found = results.find((result) => typeof result === 'object' && result !== null);
  if (found) return { ok: true, item: found };
  const message = handleAlone(url) ?? results.find((result) => typeof result === 'string');
  return {
    ok: false,
    message:
      message ?? 'This is not a profile, post, video or channel: use a link to one on Instagram, TikTok or YouTube.',
  };
}

type Found = TrackableAddress | string | null;

function photoItem(url: string): Found {
  const parsed = parsePhotoUrl(url);
  if (!parsed.ok) return /instagr/i.test(url) ? parsed.message : null;
  const { target } = parsed;
  const platform = 'photo';
  return target.kind === 'profile'
    ? { platform, kind: 'profile', identifier: target.handle }
    : { platform, kind: 'post', identifier: target.shortcode };
}

function shortvideoItem(url: string): Found {
  const parsed = parseShortvideoUrl(url);
  if (!parsed.ok) return /tiktok/i.test(url) ? parsed.message : null;
  const { target } = parsed;
  const platform = 'shortvideo';
  if (target.kind === 'profile') return { platform, kind: 'profile', identifier: target.handle };
  if (target.kind === 'video') return { platform, kind: 'video', identifier: target.id };
  return 'Hashtags, sounds and playlists cannot be tracked: use a link to a profile or a video.';
}

function longvideoItem(url: string): Found {
  const parsed = parseLongvideoUrl(url);
  if (!parsed.ok) return /youtu/i.test(url) ? parsed.message : null;
  const { target } = parsed;
  const platform = 'longvideo';
  if (target.kind === 'video') return { platform, kind: 'video', identifier: target.id };
  if (target.kind === 'playlist') return 'Playlists cannot be tracked: use a link to a channel or a video.';
  return { platform, kind: 'channel', identifier: channelIdentifier(target) };
}

function channelIdentifier(target: object): string {
  if ('channel_id' in target) return String(target.channel_id);
  if ('handle' in target) return `@${String(target.handle)}`;
  if ('username' in target) return `user/${String(target.username)}`;
  return `c/${String((target as { custom_name: string }).custom_name)}`;
}

/** Returns the permanent ID and the name of an account or post, from its fetched record. */
export function accountIdentity(
  platform: string,
  kind: string,
  { record }: Collected<unknown>,
): { platform_id: string | null; name: string | null } {
  const fields = record as Record<string, unknown>;
  const id = platform === 'photo' && kind === 'post' ? fields.platform_content_id : fields.id;
  const name = fields.username ?? fields.title ?? postName(fields);
  return { platform_id: typeof id === 'string' ? id : null, name: typeof name === 'string' ? name : null };
}

const maxCaption = 60;

/**
 * Returns the name of a post or video without a title: its author and the beginning of its caption. The author alone
 * would give all posts of an account in a report the same name. Returns null when both are unknown.
 */
function postName({ author, caption }: Record<string, unknown>): string | null {
  const text = typeof caption === 'string' ? caption.replace(/\s+/g, ' ').trim() : '';
  const beginning = text.length > maxCaption ? `${beginningOf(text, maxCaption).trimEnd()}…` : text;
  const parts = [author, beginning].filter((part) => typeof part === 'string' && part !== '');
  return parts.length === 0 ? null : parts.join(': ');
}
