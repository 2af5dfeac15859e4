import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Quality } from '../../../pipeline/collect/quality.ts';
import { recordedFolder, recordedManifest } from '../../recorded.ts';

export interface Exchange {
  status: number;
  file?: string;
  example: { url: string };
}

const recorded: Exchange[] = existsSync(recordedManifest)
  ? JSON.parse(readFileSync(recordedManifest, 'utf8')).exchanges
  : [];
/** TikTok's recorded answers, each with an example request. */
export const exchanges = recorded.filter(({ example }) => new URL(example.url).hostname === 'www.tiktok.com');

/** Returns the value at a dotted path of parsed JSON; null for missing and empty values. */
export function at(value: unknown, path: string): unknown {
  const found = path
    .split('.')
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | null | undefined)?.[key], value);
  return found === undefined || found === '' ? null : found;
}

/** Returns the JSON in a recorded file: that of the page's script with this id, or the whole file. */
export function recordedJson(file: string, script?: string): unknown {
  const text = readFileSync(join(recordedFolder, file), 'utf8');
  if (script === undefined) return JSON.parse(text);
  const found = new RegExp(`<script[^>]*id="${script}"[^>]*>(.*?)</script>`, 's').exec(text)?.[1];
  return found === undefined ? null : JSON.parse(found);
}

/** Compares each field of a record with the value at its path in the recorded file. */
export function expectFields(record: object, raw: unknown, paths: Record<string, string>) {
  for (const [field, path] of Object.entries(paths)) {
    expect([field, at(record, field)]).toEqual([field, at(raw, path)]);
  }
}

/**
 * Compares the counts of a record with the recorded file. Each count must be that in `statsV2`, or that in `stats` when
 * `statsV2` has none. A count must be marked as rounded when both recorded counts are equal and end in zeros, because
 * it may then be rounded.
 */
export function expectCounts(
  record: object,
  quality: Quality | undefined,
  raw: unknown,
  paths: Record<string, string>,
) {
  for (const [field, key] of Object.entries(paths)) {
    const shown = at(raw, `stats.${key}`);
    const exact = at(raw, `statsV2.${key}`);
    const count = exact ?? shown;
    expect([field, at(record, field)]).toEqual([field, count === null ? null : Number(count)]);
    const step = Number(count) < 1e6 ? 100 : 1e5;
    const same = exact === null || shown === null || Number(exact) === Number(shown);
    const rounded = Number(count) >= 1e4 && same && Number(count) % step === 0;
    expect([field, quality?.[field]]).toEqual([field, rounded ? 'rounded' : undefined]);
  }
}
