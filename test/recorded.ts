import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe } from 'vitest';

const shared = resolve(import.meta.dirname, '../../shared');

/** Where the recorded answers lie: outside the repository, because they are real people's data. */
export const recordedFolder = process.env.RECORDED ?? join(shared, 'recorded');
export const recordedManifest = join(recordedFolder, 'manifest.json');

const present = existsSync(recordedManifest);
const expected = process.env.RECORDED !== undefined || (Boolean(process.env.CI) && existsSync(shared));

/** A `describe` over the recordings. A clone without them runs the other tests; where they belong, their absence fails. */
export function describeRecorded(name: string, fn: () => void): void {
  if (!present && expected) throw new Error(`The recordings are missing: ${recordedManifest}`);
  describe.runIf(present)(name, fn);
}
