import { type Execution, modelled, personOf, requireMode } from './execution.ts';
import { googleTexts } from './google-texts.ts';
import { bytesOf } from './properties.ts';

const maxValueBytes = 100 * 1024;
const maxKeyCharacters = 250;
const maxKeptSeconds = 21_600;
const usualSeconds = 600;

export function cacheService(execution: Execution) {
  return modelled('CacheService', {
    getDocumentCache: () => cache(execution, 'document'),
    getScriptCache: () => cache(execution, 'script'),
    getUserCache: () => cache(execution, `user:${personOf(execution)}`),
  });
}

function cache(execution: Execution, name: string) {
  requireMode(execution, 'CacheService', ['LIMITED', 'CUSTOM_FUNCTION', 'FULL']);
  const getAll = (keys: string[]) => execution.shared({ need: 'cached', cache: name, keys }).values ?? {};
  const putAll = (values: Record<string, string>, seconds = usualSeconds): void => {
    for (const [key, value] of Object.entries(values)) {
      if (key.length > maxKeyCharacters) throw new Error(googleTexts.tooLarge('key'));
      if (bytesOf(value) > maxValueBytes) throw new Error(googleTexts.tooLarge('value'));
    }
    if (seconds < 1 || seconds > maxKeptSeconds) throw new Error('Invalid argument: expirationInSeconds');
    execution.shared({ need: 'cache', cache: name, values, until_ms: execution.world.now_ms + seconds * 1000 });
  };
  const removeAll = (keys: string[]): void => void execution.shared({ need: 'uncache', cache: name, keys });
  return modelled('Cache', {
    ...{ getAll, putAll, removeAll },
    get: (key: string): string | null => getAll([key])[key] ?? null,
    put: (key: string, value: string, seconds?: number) => putAll({ [key]: value }, seconds),
    remove: (key: string) => removeAll([key]),
  });
}
