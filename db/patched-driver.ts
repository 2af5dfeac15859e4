import postgres from 'postgres';
import { StartError } from './start-error.ts';

/**
 * The required version of Tidemark's patch of the database driver, equal to `tidemarkPatch` in
 * patches/postgres+3.4.9.patch. Increase both numbers when the patch changes.
 */
const requiredPatch = 6;

/**
 * Throws StartError when the database driver postgres.js is installed without Tidemark's patch. Without the patch, the
 * driver hangs or crashes when a connection is lost (docs/adr/0009).
 */
export function requirePatchedDriver(): void {
  const installed = 'tidemarkPatch' in postgres ? postgres.tidemarkPatch : null;
  if (installed === requiredPatch) return;
  throw new StartError(
    'The database driver (postgres.js) is installed without the patch that it needs to survive lost connections: run npm ci again, without --ignore-scripts.',
  );
}
