import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addonFiles } from '../server/addon/built-files.ts';
import { buildAddon } from './build-addon.ts';
import { callable, checkCallable } from './check-addon-callable.ts';
import { checkBundle } from './check-addon-code.ts';
import { checkManifest } from './check-addon-manifest.ts';
import { checkPage, serverCalls } from './check-addon-page.ts';

/** The only files that are uploaded to Apps Script. */
const pushedFiles: readonly string[] = addonFiles;
/** Maximum bytes of Code.js. Apps Script loads the file for every formula and every click. */
const maxCodeBytes = 160_000;
const maxPageBytes = 128 * 1024;
/** The server address for the build that is checked. No request is sent to this address. */
const exampleOrigin = 'https://social.example';

/** `files`: the text of each built file, by its name. `claspignore`: the text of .claspignore. */
type BuiltAddon = { files: Record<string, string>; claspignore: string };

/** Reads all files of a built add-on, and addon/.claspignore of the repository. */
export async function readBuiltAddon(outDir: string): Promise<BuiltAddon> {
  const names = await readdir(outDir);
  const texts = await Promise.all(names.map((name) => readFile(join(outDir, name), 'utf8')));
  const claspignore = await readFile(join(import.meta.dirname, '../addon/.claspignore'), 'utf8');
  return { files: Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ''])), claspignore };
}

/** Checks everything that could fail after the upload. Returns one sentence for each mistake. */
export function checkAddon({ files, claspignore }: BuiltAddon): string[] {
  const { 'Code.js': code = '', 'Sidebar.html': page = '', 'appsscript.json': manifest = '{}' } = files;
  const faults = [...fileFaults(Object.keys(files), claspignore), ...checkBundle(code), ...checkPage(page)];
  // Stops after a mistake, because the next checks need code that can be parsed and loaded.
  if (faults.length > 0) return faults;
  return [
    ...checkCallable(code, serverCalls(page), callable),
    ...checkManifest(manifest, code),
    ...sizeFaults('Code.js', code, maxCodeBytes),
    ...sizeFaults('Sidebar.html', page, maxPageBytes),
  ];
}

function fileFaults(names: readonly string[], claspignore: string): string[] {
  const faults: string[] = [];
  if (names.toSorted().join() !== pushedFiles.join()) {
    faults.push(`dist must contain ${pushedFiles.join(', ')} and no more, but contains ${names.join(', ')}.`);
  }
  const lines = claspignore.split('\n').filter((line) => line !== '');
  if (lines[0] !== '**/**' || lines.slice(1).toSorted().join() !== pushedFiles.map((name) => `!${name}`).join()) {
    faults.push(`.claspignore must exclude everything (**/**) except ${pushedFiles.join(', ')}.`);
  }
  return faults;
}

function sizeFaults(name: string, text: string, maxBytes: number): string[] {
  const bytes = Buffer.byteLength(text);
  return bytes > maxBytes ? [`${name} has ${bytes} bytes; the limit is ${maxBytes}.`] : [];
}

async function main(): Promise<void> {
  const outDir = await mkdtemp(join(tmpdir(), 'addon-check-'));
  try {
    await buildAddon({ origin: exampleOrigin, out_dir: outDir });
    const built = await readBuiltAddon(outDir);
    const faults = checkAddon(built);
    for (const fault of faults) console.error(fault);
    const sizes = Object.entries(built.files).map(([name, text]) => `${name} ${Buffer.byteLength(text)} bytes`);
    if (faults.length === 0) console.log(`The add-on can be pushed: ${sizes.join(', ')}`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await rm(outDir, { recursive: true });
  }
}

if (import.meta.main) await main();
