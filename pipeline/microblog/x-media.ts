import { dig, toList, toSize, toText } from '../parse/values.ts';
import type { MediaVariant } from '../records/shared.ts';

/**
 * Returns the files of an X post's attachments: pictures, and for each video its preview and all encodings. Null when
 * there are no files.
 */
export function mediaAssets(attachments: readonly unknown[]): MediaVariant[] | null {
  const variants = attachments.flatMap((media) => [...pictures(media), ...encodings(media)]);
  return variants.length === 0 ? null : variants;
}

/** Returns the URL of the first picture or video preview of an X post. */
export function previewUrl(attachments: readonly unknown[]): string | null {
  return mediaAssets(attachments)?.find(({ asset_type }) => asset_type === 'image')?.url ?? null;
}

/** Returns the duration in seconds of the first attachment of an X post that has a duration. */
export function firstDurationSeconds(attachments: readonly unknown[]): number | null {
  const milliseconds = attachments.map((media) => toSize(dig(media, 'duration_ms'))).find((length) => length !== null);
  return milliseconds === undefined ? null : milliseconds / 1000;
}

function pictures(media: unknown): MediaVariant[] {
  const size = { width: toSize(dig(media, 'width')), height: toSize(dig(media, 'height')) };
  return ['url', 'preview_image_url'].flatMap((key) => {
    const url = toText(dig(media, key));
    return url === null ? [] : [{ url, ...size, asset_type: 'image' as const, variant: key, expires_at: null }];
  });
}

function encodings(media: unknown): MediaVariant[] {
  return (toList(dig(media, 'variants')) ?? []).flatMap((encoding) => {
    const url = toText(dig(encoding, 'url'));
    if (url === null) return [];
    const variant = [toText(dig(encoding, 'content_type')), toText(dig(encoding, 'bit_rate'))];
    const named = variant.filter((part) => part !== null).join(' ');
    return [{ url, width: null, height: null, asset_type: 'video' as const, variant: named || null, expires_at: null }];
  });
}
