import { readFileSync } from 'node:fs';

/** Names of the files that an Apps Script project needs to run the add-on. */
export const addonFiles = ['Code.js', 'Sidebar.html', 'appsscript.json'] as const;

export type AddonFile = (typeof addonFiles)[number];

/**
 * Folder with the built files of the Google Sheets add-on, from the root of the repository. The files are committed,
 * and `npm run docs` writes them.
 */
export const builtFolder = 'addon/built';

/**
 * Placeholder for the server address in the committed add-on files. A host that ends with `.invalid` never exists (RFC
 * 2606).
 */
export const originMark = 'https://address-of-the-server.invalid';

/** Returns the text of an add-on file, with `baseUrl` as the server that the add-on calls. */
export function addonFile(name: AddonFile, baseUrl: string): string {
  const built = readFileSync(new URL(`../../${builtFolder}/${name}`, import.meta.url), 'utf8');
  return built.replaceAll(originMark, new URL(baseUrl).href.replace(/\/+$/, ''));
}
