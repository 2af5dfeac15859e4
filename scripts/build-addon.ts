import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import type { InstallKind } from '../addon/platform/page-replies.ts';
import { type AddonFile, originMark } from '../server/addon/built-files.ts';
import { sidebarPage } from './addon/sidebar-page.ts';
import { bundleEntry, formulaStubs, readFormulas } from './addon-formulas.ts';
import { checkBundle } from './check-addon-code.ts';
import { checkPage } from './check-addon-page.ts';

const sourceFolder = join(import.meta.dirname, '..', 'addon');

/**
 * Source files with the functions of Code.js that the menu, the sidebar and triggers call. The functions that formulas
 * call are generated.
 */
const stubFiles = ['entry-points.js', 'sheet-entry-points.js'];

/**
 * `origin`: scheme and host of the API. `out_dir`: the folder to write Code.js, Sidebar.html and appsscript.json to.
 * `install`: the kind of installation; default `bound`, which protects keys best.
 */
type AddonBuild = { origin: string; out_dir: string; install?: InstallKind };

/** Writes the files for Apps Script into a folder. @throws Error as `buildFiles` does. */
export async function buildAddon({ origin, out_dir, install }: AddonBuild): Promise<void> {
  const files = Object.entries(await buildFiles(origin, install));
  await mkdir(out_dir, { recursive: true });
  await Promise.all(files.map(([name, text]) => writeFile(join(out_dir, name), text)));
}

/**
 * Builds the files for Apps Script: Code.js (the formulas and the bundled code of the add-on), the sidebar page, and a
 * manifest that allows requests only to the address of the server.
 *
 * @throws Error when the origin is not usable, or a file would not work in Apps Script.
 */
export async function buildFiles(origin: string, install: InstallKind = 'bound'): Promise<Record<AddonFile, string>> {
  const apiOrigin = readOrigin(origin);
  // Builds with a placeholder for the server address, and replaces the placeholder afterwards. A server does the same
  // with the committed build, so both ways give the same files.
  const constants = { API_ORIGIN: JSON.stringify(originMark), INSTALL: JSON.stringify(install) };
  const [code, page] = (await Promise.all([buildCode(constants), buildPage(constants)])).map((text) =>
    text.replaceAll(originMark, apiOrigin),
  ) as [string, string];
  const faults = [...checkBundle(code), ...checkPage(page)];
  if (faults.length > 0) throw new Error(`The add-on cannot be uploaded. Fix this first:\n${faults.join('\n')}`);
  const manifest: Record<string, unknown> = JSON.parse(await readFile(join(sourceFolder, 'appsscript.json'), 'utf8'));
  manifest.urlFetchWhitelist = [`${apiOrigin}/`];
  return { 'Code.js': code, 'Sidebar.html': page, 'appsscript.json': `${JSON.stringify(manifest, null, 2)}\n` };
}

/** Names in the code of the add-on, and the values that replace them in the build. */
type Constants = Record<string, string>;

async function buildCode(constants: Constants): Promise<string> {
  const formulas = readFormulas();
  const stubs = await Promise.all(stubFiles.map((name) => readFile(join(sourceFolder, name), 'utf8')));
  const stdin = { contents: bundleEntry(formulas), resolveDir: sourceFolder, loader: 'ts' } as const;
  // Apps Script reads the whole file for each formula, so a small file starts sooner. The length of lines is not
  // limited, because esbuild would then split strings, including the server address in them.
  const small = { minify: true };
  return [formulaStubs(formulas), ...stubs, await bundle(constants, { stdin, globalName: 'Addon_', ...small })].join(
    '\n',
  );
}

async function buildPage(constants: Constants): Promise<string> {
  const entryPoints = [join(sourceFolder, 'sidebar/main.ts')];
  // Names are not shortened, because the check of the page reads the names of the functions that the page calls.
  return sidebarPage(await bundle(constants, { entryPoints, minifyWhitespace: true, minifySyntax: true }));
}

/**
 * Returns the checked origin. The origin must use https, because Google's servers send the API key to it. Tests may
 * also use http://127.0.0.1.
 */
function readOrigin(text: string): string {
  if (!URL.canParse(text)) throw new Error(`"${text}" is not an origin such as https://social.example.`);
  const url = new URL(text);
  const loopback = url.protocol === 'http:' && url.hostname === '127.0.0.1';
  if (url.protocol !== 'https:' && !loopback) throw new Error(`${text} must begin with https://.`);
  if (url.href !== `${url.origin}/`)
    throw new Error(`${text} must be an origin only, without a path, query or user name.`);
  return url.origin;
}

async function bundle(constants: Constants, options: BuildOptions): Promise<string> {
  const built = await build({
    ...options,
    // addon/tsconfig.json is not used, because its option `strict` would add "use strict" in a position where it has no
    // effect.
    tsconfigRaw: {},
    absWorkingDir: sourceFolder,
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    // Template literals are replaced, because HtmlService removes everything in them that looks like a comment.
    supported: { 'template-literal': false },
    define: constants,
  });
  const [output] = built.outputFiles;
  if (output === undefined) throw new Error('esbuild returned no bundle.');
  return output.text;
}

/**
 * Reads the origin and the kind of installation from the command line. Without `--standalone`, the build is for a
 * script that is attached to one spreadsheet.
 */
export function readBuildArguments(args = process.argv.slice(2)): { origin: string | undefined; install: InstallKind } {
  const standalone = args.includes('--standalone');
  const [address] = args.filter((argument) => argument !== '--standalone');
  return { origin: address ?? process.env.TIDEMARK_ORIGIN, install: standalone ? 'addon' : 'bound' };
}

async function main(): Promise<void> {
  const { origin, install } = readBuildArguments();
  if (origin === undefined) {
    throw new Error('The origin of your API is missing. Run: npm run addon:build -- https://social.example');
  }
  const outDir = join(sourceFolder, 'dist');
  await buildAddon({ origin, out_dir: outDir, install });
  console.log(`Built ${outDir} for ${origin}.`);
}

if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
