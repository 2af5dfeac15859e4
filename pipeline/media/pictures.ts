import type { KeptPicture } from '../../db/media/pictures.ts';
import { createConcurrencyLimit } from '../network/concurrency-limit.ts';
import type { Fetcher } from '../network/exchange.ts';
import { isPictureUrl } from './addresses.ts';
import { pictureType } from './picture-type.ts';

/**
 * Fetches a picture from a platform. Returns null when the picture has expired, is too large, is not a picture, or does
 * not arrive in time.
 */
export type FetchPicture = (url: string) => Promise<KeptPicture | null>;

interface PictureLimits {
  timeout_ms: number;
  max_bytes: number;
}

export const pictureLimits: PictureLimits = { timeout_ms: 5_000, max_bytes: 2 * 1024 * 1024 };
/**
 * Maximum numbers of pictures that are being fetched and that wait to be fetched. 8 pictures of at most 2 MB need at
 * most 16 MB of memory.
 */
const atOnce = { in_flight: 8, waiting: 200 };

/**
 * Creates a function that fetches pictures of the platforms. The function accepts only URLs on known picture hosts and
 * follows no redirects.
 */
export function createPictureFetcher(fetcher: Fetcher, limits: PictureLimits = pictureLimits): FetchPicture {
  const limited = createConcurrencyLimit(atOnce);
  return async (url) => {
    if (!isPictureUrl(url)) return null;
    try {
      const signal = AbortSignal.timeout(limits.timeout_ms);
      const headers = { accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif' };
      const answer = await limited(signal, () => fetcher({ url, headers, max_bytes: limits.max_bytes }, signal));
      const type = answer.status === 200 ? pictureType(answer.body) : null;
      return type === null ? null : { type, bytes: answer.body };
    } catch {
      return null;
    }
  };
}
