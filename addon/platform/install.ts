import type { InstallKind } from './page-replies.ts';

/**
 * Returns the kind of installation of this add-on. Apps Script offers no function for this, so the build inserts the
 * value.
 */
export function installKind(): InstallKind {
  return INSTALL;
}
