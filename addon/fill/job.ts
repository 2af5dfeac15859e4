import type { MaxAge } from '../formulas/max-age.ts';
import { asObject } from '../platform/client.ts';
import { PlainError } from '../platform/page-call.ts';
import type { KeyStore } from '../platform/settings.ts';
import type { FillMode } from './table.ts';

/** A property of a file holds 9 KB; JSON of other scripts takes up to three bytes a character. */
const chunkBytesMax = 8_000;
/** One request of a chunk, and a progress that moves. */
export const chunkRowsMax = 20;
const jobProperty = 'fill';
const chunkProperty = 'fill_';

/** Where the headings of the filled table begin. */
export type TablePlace = { sheet_id: number; row: number; column: number };

/**
 * A fill as it is kept in the file, so that it can be taken up again. The URLs that are still to do are kept beside it,
 * a property for each chunk. `unsure`: what was last asked may have been bought without having been written.
 */
export type FillJob = {
  id: string;
  mode: FillMode;
  columns: string[];
  max_age: MaxAge;
  place: TablePlace;
  started_ms: number;
  total: number;
  ok: number;
  failed: number;
  gone: number;
  credits: number;
  next_chunk: number;
  chunk_count: number;
  lease: { by: string; until_ms: number } | null;
  unsure: boolean;
};

/** Spreads URLs over chunks that fit a request and a property, in order. */
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

/** The store of the open file. @throws PlainError outside one. */
export function fileStore(store: KeyStore | null): KeyStore {
  if (store === null) throw new PlainError('Open a file first.');
  return store;
}

/** The fill that this file keeps; null when there is none. */
export function readJob(store: KeyStore): FillJob | null {
  const text = store.getProperty(jobProperty);
  return text === null ? null : (asObject(JSON.parse(text)) as FillJob | null);
}

export function writeJob(store: KeyStore, job: FillJob): void {
  store.setProperty(jobProperty, JSON.stringify(job));
}

/** The URLs of a chunk that are still to do. */
export function readChunk(store: KeyStore, index: number): string[] {
  const urls: unknown = JSON.parse(store.getProperty(chunkProperty + index) ?? '[]');
  return Array.isArray(urls) ? urls.map(String) : [];
}

/** Keeps what is still to do of a chunk; a chunk that is done leaves nothing behind. */
export function writeChunk(store: KeyStore, index: number, urls: readonly string[]): void {
  if (urls.length === 0) store.deleteProperty(chunkProperty + index);
  else store.setProperty(chunkProperty + index, JSON.stringify(urls));
}

/** Forgets a fill with all it had still to do. */
export function dropJob(store: KeyStore, job: FillJob): void {
  for (let index = job.next_chunk; index < job.chunk_count; index++) writeChunk(store, index, []);
  store.deleteProperty(jobProperty);
}
