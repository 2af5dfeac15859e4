import * as adlibrary from './adlibrary/collectors.ts';
import type { AnyCollector } from './collect/collect.ts';
import * as longvideo from './longvideo/collectors.ts';
import * as microblog from './microblog/collectors.ts';
import * as photo from './photo/collectors.ts';
import * as shortvideo from './shortvideo/collectors.ts';

type Sources = AnyCollector['sources'];

const hasSources = (value: unknown): value is { sources: Sources } =>
  typeof value === 'object' && value !== null && 'sources' in value;

const keyless = [photo, shortvideo, longvideo, adlibrary, microblog]
  .flatMap((platform) => Object.values<unknown>(platform).filter(hasSources))
  .flatMap(({ sources }) => sources.filter(({ credentials }) => credentials === null));

/**
 * The names of all keyless sources, which read public pages of platforms without credentials. The setting
 * KEYLESS_SOURCES switches each of them on or off.
 */
export const keylessSources: readonly string[] = [...new Set(keyless.map(({ name }) => name))].toSorted();

/**
 * Returns the text for docs/operating.md that says which pages a keyless source (one without credentials) reads. Of
 * several sources with the same name, one must have the text. Throws an Error when none has the text.
 */
export function readsOf(name: string): string {
  const source = keyless.find((one) => one.name === name && one.reads !== undefined);
  if (source?.reads === undefined)
    throw new Error(
      `Add "reads" to a source named ${name}: a text that says what the source reads, for docs/operating.md.`,
    );
  return source.reads;
}
