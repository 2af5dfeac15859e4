import { type Execution, modelled, personOf, requireMode } from './execution.ts';
import { googleTexts } from './google-texts.ts';
import { bytesOf } from './properties.ts';

const valueBytesMax = 100 * 1024;
const keyCharactersMax = 250;
const keptSecondsMax = 21_600;
const usualSeconds = 600;

/** As documented: when more than 1,000 items are written, the cache keeps the 900 that expire last. */
const itemsMax = 1_000;
const itemsKept = 900;

function dropSoonest(kept: Record<string, { until_ms: number }>): void {
  const keys = Object.keys(kept);
  if (keys.length <= itemsMax) return;
  const soonest = keys.sort((a, b) => (kept[a]?.until_ms ?? 0) - (kept[b]?.until_ms ?? 0));
  for (const key of soonest.slice(0, keys.length - itemsKept)) delete kept[key];
}

export function cacheService(execution: Execution) {
  return modelled('CacheService', {
    getDocumentCache: () => cache(execution, 'document'),
    getScriptCache: () => cache(execution, 'script'),
    getUserCache: () => cache(execution, `user:${personOf(execution)}`),
  });
}

function cache(execution: Execution, name: string) {
  const { world } = execution;
  requireMode(execution, 'CacheService', ['LIMITED', 'CUSTOM_FUNCTION', 'FULL']);
  world.caches[name] ??= {};
  const kept = world.caches[name];
  const get = (key: string): string | null => {
    const entry = kept[key];
    return entry !== undefined && entry.until_ms > world.now_ms ? entry.value : null;
  };
  const put = (key: string, value: string, seconds = usualSeconds): void => {
    if (key.length > keyCharactersMax) throw new Error(googleTexts.tooLarge('key'));
    if (bytesOf(value) > valueBytesMax) throw new Error(googleTexts.tooLarge('value'));
    if (seconds < 1 || seconds > keptSecondsMax) throw new Error('Invalid argument: expirationInSeconds');
    kept[key] = { value, until_ms: world.now_ms + seconds * 1000 };
    dropSoonest(kept);
  };
  return modelled('Cache', {
    get,
    put,
    getAll: (keys: string[]) => Object.fromEntries(keys.flatMap((key) => (get(key) === null ? [] : [[key, get(key)]]))),
    putAll: (values: Record<string, string>, seconds?: number) => {
      for (const [key, value] of Object.entries(values)) put(key, value, seconds);
    },
    remove: (key: string) => {
      delete kept[key];
    },
    removeAll: (keys: string[]) => {
      for (const key of keys) delete kept[key];
    },
  });
}
