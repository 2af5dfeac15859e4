import { type Execution, modelled, personOf, requireMode } from './execution.ts';
import { bytesOf } from './properties.ts';

const valueBytesMax = 100 * 1024;
const keyCharactersMax = 250;
const keptSecondsMax = 21_600;
const usualSeconds = 600;

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
    if (key.length > keyCharactersMax) throw new Error('Argument too large: key');
    if (bytesOf(value) > valueBytesMax) throw new Error('Argument too large: value');
    if (seconds < 1 || seconds > keptSecondsMax) throw new Error('Invalid argument: expirationInSeconds');
    kept[key] = { value, until_ms: world.now_ms + seconds * 1000 };
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
