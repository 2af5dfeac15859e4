import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'vitest';

const shared = resolve(import.meta.dirname, '../../shared');

/** Where the recorded answers lie: outside the repository, because they are real people's data. */
export const recordedFolder = process.env.RECORDED ?? join(shared, 'recorded');
export const recordedManifest = join(recordedFolder, 'manifest.json');

const present = existsSync(recordedManifest);
const expected = process.env.RECORDED !== undefined || (Boolean(process.env.CI) && existsSync(shared));

/**
 * Groups tests that read the recordings. Without recordings its body is not even run, and the group is reported as skipped;
 * where they are expected (RECORDED is set, or CI with a `shared` folder), their absence fails.
 */
export function describeRecorded(name: string, fn: () => void): void {
  if (present) describe(name, fn);
  else if (expected) throw new Error(`The recordings are missing: ${recordedManifest}`);
  else test.skip(`${name}: needs the recordings`);
}
