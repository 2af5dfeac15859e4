import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Sql } from 'postgres';
import type { ItemKey } from '../../db/media/pictures.ts';
import { storedSecret } from '../../db/settings.ts';
import { allowed, pictureHosts } from '../network/http-client.ts';

/**
 * The picture that a signed URL of the picture proxy shows: a picture on a platform's host, or the stored picture of a
 * tracked item (account or post).
 */
export type MediaTarget = { url: string; item: null } | { url: null; item: ItemKey };

/**
 * Creates and reads the URLs of the picture proxy, which shows the platforms' pictures on our pages. The URLs are
 * signed, so that the proxy fetches only pictures that our pages show.
 */
export interface MediaAddresses {
  /**
   * Returns the signed path (below `/media/`) of a platform's picture; null when the URL is not on a known picture
   * host.
   */
  mediaAddress(url: string | null): string | null;
  /**
   * Returns the signed path of the stored picture of a tracked item. The path leads to a gray picture when the item has
   * no picture.
   */
  itemPictureAddress(item: ItemKey): string;
  /** Returns what a signed path names: a tracked item or the URL of a picture. Null when the signature is wrong. */
  read(signature: string, target: string): MediaTarget | null;
}

const maxUrlLength = 4_000;

/**
 * Returns the functions that create and read this server's picture URLs. The key that signs the URLs is generated once
 * and stored in the database, so that all processes use the same key.
 */
export async function openMediaAddresses(sql: Sql): Promise<MediaAddresses> {
  return createMediaAddresses(await storedSecret(sql, 'media_secret'));
}

/**
 * Returns the functions that create and read picture URLs. The URLs are signed with `secret` and stop working when the
 * secret changes.
 */
function createMediaAddresses(secret: string): MediaAddresses {
  const sign = (target: string) => createHmac('sha256', secret).update(target).digest('base64url').slice(0, 22);
  const address = (target: string) => `/media/${sign(target)}/${target}`;
  return {
    mediaAddress: (url) =>
      url !== null && isPictureUrl(url) ? address(`url.${Buffer.from(url).toString('base64url')}`) : null,
    itemPictureAddress: ({ workspace_id, item_id }) => address(`item.${workspace_id}.${item_id}`),
    read(signature, target) {
      const expected = Buffer.from(sign(target));
      const received = Buffer.from(signature);
      if (expected.length !== received.length || !timingSafeEqual(expected, received)) return null;
      const [kind, first = '', itemId = ''] = target.split('.');
      if (kind === 'item') return { url: null, item: { workspace_id: first, item_id: itemId } };
      return { url: Buffer.from(first, 'base64url').toString(), item: null };
    },
  };
}

/** Returns true for an https URL on a picture host of Instagram, TikTok, YouTube or X. */
export function isPictureUrl(text: string): boolean {
  const url = text.length <= maxUrlLength ? URL.parse(text) : null;
  return url !== null && allowed(pictureHosts, url);
}

/**
 * Returns the URL of an account's avatar, or of the preview image of a post or video; null when the record has no
 * picture on a known host.
 */
export function pictureUrlOf({ avatar_url, media_url }: Record<string, unknown>): string | null {
  const url = avatar_url ?? media_url;
  return typeof url === 'string' && isPictureUrl(url) ? url : null;
}

/**
 * Returns a stable name for the picture at a URL, without the signature and the subdomain, which change with every
 * answer of a platform.
 */
export function pictureKeyOf(address: string): string {
  const { hostname, pathname } = new URL(address);
  return `${hostname.split('.').slice(-2).join('.')}${pathname}`;
}

/** Returns true when a picture URL says that it has expired: Instagram in the parameter `oe`, TikTok in `x-expires`. */
export function hasExpired(address: string, now: Date): boolean {
  const { searchParams } = new URL(address);
  const instagram = Number.parseInt(searchParams.get('oe') ?? '', 16);
  const seconds = Number.isNaN(instagram) ? Number(searchParams.get('x-expires') ?? Number.NaN) : instagram;
  return seconds * 1_000 < now.getTime();
}
