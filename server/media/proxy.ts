import { LRUCache } from 'lru-cache';
import type { Sql } from 'postgres';
import { hourMs } from '../../db/durations.ts';
import { type KeptPicture, keptByKey, pictureOfItem } from '../../db/media/pictures.ts';
import { hasExpired, type MediaTarget, pictureKeyOf } from '../../pipeline/media/addresses.ts';
import type { FetchPicture } from '../../pipeline/media/pictures.ts';

const cacheBytes = 16 * 1024 * 1024;
/** Number of milliseconds for which a picture stays in the memory cache. */
const pictureTtlMs = hourMs;
/** Number of milliseconds before a picture that could not be loaded is requested again. */
const missingTtlMs = 60_000;
/** Estimated number of bytes of a cache entry without the picture itself. */
const entryBytes = 300;

interface MediaProxyDeps {
  sql: Sql;
  now: () => Date;
  fetchPicture: FetchPicture;
}

/** Returns the picture of a tracked item, or the picture at a URL. Returns null when it cannot be shown. */
export type MediaProxy = (target: MediaTarget) => Promise<KeptPicture | null>;

/**
 * Creates the picture proxy. Simultaneous requests for one picture share one fetch. Recent pictures and failures are
 * cached in memory.
 */
export function createMediaProxy(deps: MediaProxyDeps): MediaProxy {
  const memory = new LRUCache<string, { picture: KeptPicture | null }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ picture }, key) => (picture?.bytes.length ?? 0) + key.length + entryBytes,
  });
  const running = new Map<string, Promise<KeptPicture | null>>();

  async function load(key: string, target: MediaTarget): Promise<KeptPicture | null> {
    const picture = target.item ? await ofItem(target.item, deps) : await ofUrl(target.url, deps);
    memory.set(key, { picture }, { ttl: picture ? pictureTtlMs : missingTtlMs });
    return picture;
  }

  return (target) => {
    const key = target.item ? `${target.item.workspace_id} ${target.item.item_id}` : target.url;
    const known = memory.get(key);
    if (known) return Promise.resolve(known.picture);
    const loading = running.get(key) ?? load(key, target).finally(() => running.delete(key));
    running.set(key, loading);
    return loading;
  };
}

async function ofItem(item: NonNullable<MediaTarget['item']>, deps: MediaProxyDeps): Promise<KeptPicture | null> {
  const stored = await pictureOfItem(deps.sql, item);
  if (stored?.kept) return stored.kept;
  return stored?.pending_url ? ofUrl(stored.pending_url, deps) : null;
}

async function ofUrl(url: string, { sql, now, fetchPicture }: MediaProxyDeps): Promise<KeptPicture | null> {
  const fetched = hasExpired(url, now()) ? null : await fetchPicture(url);
  return fetched ?? keptByKey(sql, pictureKeyOf(url));
}
