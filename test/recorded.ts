import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'vitest';

const shared = resolve(import.meta.dirname, '../../shared');

/** The folder of the recorded answers, outside the repository because they are data of real people. */
export const recordedFolder = process.env.RECORDED ?? join(shared, 'recorded');
export const recordedManifest = join(recordedFolder, 'manifest.json');

const present = existsSync(recordedManifest);
const expected = process.env.RECORDED !== undefined || (Boolean(process.env.CI) && existsSync(shared));

/**
 * Groups tests that read the recordings. Without recordings the body is not run and the group is reported as skipped.
 * Throws when they are missing although they are expected (RECORDED is set, or CI with a `shared` folder).
 */
export function describeRecorded(name: string, fn: () => void): void {
  if (present) describe(name, fn);
  else if (expected) throw new Error(`The recordings are missing: ${recordedManifest}`);
  else test.skip(`${name}: needs the recordings`);
}
