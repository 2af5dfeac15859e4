import type { MaxAge } from '../formulas/max-age.ts';
import { asObject } from '../platform/client.ts';
import { PlainError } from '../platform/page-call.ts';
import type { KeyStore } from '../platform/settings.ts';
import type { FillMode } from './table.ts';

/** Maximum bytes of the URLs of one chunk. Apps Script stores at most 9 KB in one property. */
const chunkBytesMax = 8_000;
/** Maximum number of URLs in one chunk. It fits into one request, and the progress bar moves after each chunk. */
export const chunkRowsMax = 20;
const jobProperty = 'fill';
const chunkProperty = 'fill_';

/** The position of the first heading of the table that a fill writes. Row and column count from 1. */
export type TablePosition = { sheet_id: number; row: number; column: number };

/**
 * A fill as it is saved in the properties of the file, so that any editor can resume it. The remaining URLs are saved
 * separately, one property for each chunk. `place`: the position of the table. `gone`: number of rows that users deleted
 * during the fill. `uncertain`: true when the last request may have been charged although its rows were not written. `lease`:
 * the window that works on the next chunk, and until when no other window may.
 */
export type FillJob = {
  id: string;
  mode: FillMode;
  columns: string[];
  max_age: MaxAge;
  place: TablePosition;
  started_ms: number;
  total: number;
  ok: number;
  failed: number;
  gone: number;
  credits: number;
  next_chunk: number;
  chunk_count: number;
  lease: { by: string; until_ms: number } | null;
  uncertain: boolean;
};

/** Splits URLs, in order, into chunks that each fit into one request and one property. */
export function splitChunks(urls: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let bytes = 0;
  for (const url of urls) {
    const size = utf8Bytes(JSON.stringify(url)) + 1;
    const last = chunks[chunks.length - 1];
    if (last !== undefined && last.length < chunkRowsMax && bytes + size <= chunkBytesMax) {
      last.push(url);
      bytes += size;
    } else {
      chunks.push([url]);
      bytes = size;
    }
  }
  return chunks;
}

function utf8Bytes(text: string): number {
  return [...text].reduce((sum, character) => sum + characterBytes(character.codePointAt(0) ?? 0), 0);
}

function characterBytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** Returns the properties of the open file. @throws PlainError when no file is open. */
export function fileStore(store: KeyStore | null): KeyStore {
  if (store === null) throw new PlainError('Open a file first.');
  return store;
}

/** Returns the saved fill of this file; null when no fill is unfinished. */
export function readJob(store: KeyStore): FillJob | null {
  const text = store.getProperty(jobProperty);
  return text === null ? null : (asObject(JSON.parse(text)) as FillJob | null);
}

export function writeJob(store: KeyStore, job: FillJob): void {
  store.setProperty(jobProperty, JSON.stringify(job));
}

/** Returns the URLs of a chunk that have no data yet. */
export function readChunk(store: KeyStore, index: number): string[] {
  const urls: unknown = JSON.parse(store.getProperty(chunkProperty + index) ?? '[]');
  return Array.isArray(urls) ? urls.map(String) : [];
}

/** Saves the URLs of a chunk that have no data yet; removes its property when none remain. */
export function writeChunk(store: KeyStore, index: number, urls: readonly string[]): void {
  if (urls.length === 0) store.deleteProperty(chunkProperty + index);
  else store.setProperty(chunkProperty + index, JSON.stringify(urls));
}

/** Removes a fill and its remaining chunks from the properties of the file. */
export function dropJob(store: KeyStore, job: FillJob): void {
  for (let index = job.next_chunk; index < job.chunk_count; index++) writeChunk(store, index, []);
  store.deleteProperty(jobProperty);
}
