import type { World } from './world.ts';

/** A request of an execution to the services that all executions of a file share. */
export type SharedRequest = CacheRequest | { need: 'sleep' | 'lock'; wait_ms: number } | { need: 'unlock' };
type CacheRequest =
  | { need: 'cached'; cache: string; keys: string[] }
  | { need: 'uncache'; cache: string; keys: string[] }
  | { need: 'cache'; cache: string; values: Record<string, string>; until_ms: number };

/**
 * The answer of a shared service. `now_ms`: the time after the request. `values`: the values read from the cache.
 * `held`: true when the execution now holds the lock.
 */
export type SharedAnswer = { now_ms: number; values?: Record<string, string>; held?: boolean };

export type SharedServices = (request: SharedRequest, nowMs: number) => SharedAnswer;

/**
 * Maximum number of items in a cache. According to Google's documentation, a cache with more items keeps only the 900
 * that expire last.
 */
const maxItems = 1_000;
const itemsKept = 900;

/**
 * Returns the services (cache, lock) of a file in which one execution runs at a time. Waiting for the lock takes
 * virtual time.
 */
export function servicesOfOne(world: Pick<World, 'caches' | 'lock_held_until_ms'>): SharedServices {
  return (request, nowMs) => {
    if ('cache' in request) return { now_ms: nowMs, values: useCache(world.caches, request, nowMs) };
    if (request.need === 'unlock') return { now_ms: nowMs };
    if (request.need === 'sleep') return { now_ms: nowMs + request.wait_ms };
    const freeInMs = Math.max(0, world.lock_held_until_ms - nowMs);
    return { now_ms: nowMs + Math.min(freeInMs, request.wait_ms), held: freeInMs <= request.wait_ms };
  };
}

/**
 * Reads or changes a cache in one step, so that other executions never see an incomplete change. Returns the values
 * read.
 */
export function useCache(caches: World['caches'], request: CacheRequest, nowMs: number): Record<string, string> {
  caches[request.cache] ??= {};
  const kept = caches[request.cache] ?? {};
  if (request.need === 'cached') {
    const alive = request.keys.filter((key) => (kept[key]?.until_ms ?? 0) > nowMs);
    return Object.fromEntries(alive.map((key) => [key, kept[key]?.value ?? '']));
  }
  if (request.need === 'uncache') {
    for (const key of request.keys) delete kept[key];
    return {};
  }
  for (const [key, value] of Object.entries(request.values)) kept[key] = { value, until_ms: request.until_ms };
  dropSoonest(kept);
  return {};
}

function dropSoonest(kept: Record<string, { until_ms: number }>): void {
  const keys = Object.keys(kept);
  if (keys.length <= maxItems) return;
  const soonest = keys.sort((a, b) => (kept[a]?.until_ms ?? 0) - (kept[b]?.until_ms ?? 0));
  for (const key of soonest.slice(0, keys.length - itemsKept)) delete kept[key];
}
