import postgres from 'postgres';
import { StartError } from './start-error.ts';

/** Equals `tidemarkPatch` in patches/postgres+3.4.9.patch. Increase both when the patch changes. */
const requiredPatch = 2;

/** Throws StartError when postgres.js is not patched: it would hang or crash when a connection is lost (docs/adr/0009). */
export function requirePatchedDriver(): void {
  const installed = 'tidemarkPatch' in postgres ? postgres.tidemarkPatch : null;
  if (installed === requiredPatch) return;
  throw new StartError(
    'The database driver (postgres.js) is installed without the patch that it needs to survive lost connections: run npm ci again, without --ignore-scripts.',
  );
}
