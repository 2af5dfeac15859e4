import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'vitest';
import type { Fetcher } from '../pipeline/network/fetcher.ts';
import { createRecordedFetcher } from '../pipeline/network/recorded-fetcher.ts';

const shared = resolve(import.meta.dirname, '../../shared');

/** Folder of the recorded platform answers, outside the repository because the answers contain data of real people. */
export const recordedFolder = process.env.RECORDED ?? join(shared, 'recorded');
export const recordedManifest = join(recordedFolder, 'manifest.json');

let fetcher: Fetcher | null = null;

/**
 * Returns the HTTP client that answers with recordings. All tests of a process share one client, because it reads a
 * long manifest and caches the answers that it has read.
 */
export function recordedFetcher(): Fetcher {
  fetcher ??= createRecordedFetcher(recordedManifest);
  return fetcher;
}

/**
 * Returns a URL that this recording answers. With it, a test can request the account of a person whom the repository
 * must not name.
 */
export function urlOfRecording(file: string): URL {
  const { exchanges } = JSON.parse(readFileSync(recordedManifest, 'utf8')) as {
    exchanges: { file?: string; example?: { url: string } }[];
  };
  const found = exchanges.find((exchange) => exchange.file === file);
  if (!found?.example) throw new Error(`The manifest has no example of a request for ${file}.`);
  return new URL(found.example.url);
}

const present = existsSync(recordedManifest);
const expected = process.env.RECORDED !== undefined || (Boolean(process.env.CI) && existsSync(shared));

/**
 * Groups tests that read the recorded answers of platforms. Skips the group when the recordings are missing, but throws
 * when recordings are expected (RECORDED is set, or CI has a `shared` folder).
 */
export function describeRecorded(name: string, fn: () => void): void {
  if (present) describe(name, fn);
  else if (expected) throw new Error(`The recordings are missing: ${recordedManifest}`);
  else test.skip(`${name}: needs the recordings`);
}
