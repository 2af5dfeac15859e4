import type { InstallKind } from './page-replies.ts';

/** Returns how this add-on is installed. Apps Script does not know it, so the build inserts the value. */
export function installKind(): InstallKind {
  return INSTALL;
}
