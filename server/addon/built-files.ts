import { readFileSync } from 'node:fs';

/** The files that a script project of Apps Script needs. */
export const addonFiles = ['Code.js', 'Sidebar.html', 'appsscript.json'] as const;

export type AddonFile = (typeof addonFiles)[number];

/** The folder of the committed build, from the root of the repository. `npm run docs` writes it. */
export const builtFolder = 'addon/built';

/** The address that the committed build has instead of a server's. `.invalid` is never a real host (RFC 2606). */
export const originMark = 'https://address-of-the-server.invalid';

/** Returns a file of the add-on that calls the server at `baseUrl`. */
export function addonFile(name: AddonFile, baseUrl: string): string {
  const built = readFileSync(new URL(`../../${builtFolder}/${name}`, import.meta.url), 'utf8');
  return built.replaceAll(originMark, new URL(baseUrl).href.replace(/\/+$/, ''));
}
