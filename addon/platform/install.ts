import type { InstallKind } from './page-replies.ts';

/** Returns how this add-on is installed. Apps Script has no way to ask, so the build inserts it. */
export function installKind(): InstallKind {
  return INSTALL;
}
