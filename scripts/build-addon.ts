import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { checkBundle } from './check-addon-code.ts';
import { checkPage } from './check-addon-page.ts';

const sourceFolder = join(import.meta.dirname, '..', 'addon');

/** Documented functions at the top level, in the order in which Code.js has them. */
const stubFiles = ['formulas/functions.js', 'entry-points.js', 'sheet-entry-points.js'];

/** `origin`: scheme and host of the API. `out_dir`: where Code.js, Sidebar.html and appsscript.json go. */
export type AddonBuild = { origin: string; out_dir: string };

/**
 * Builds what is pushed to Apps Script: the documented stubs, behind them the bundle, the sidebar as one page, and the
 * manifest that allows requests to the same origin and to nothing else.
 *
 * @throws Error when the origin is not usable or a file would break in Apps Script.
 */
export async function buildAddon({ origin, out_dir }: AddonBuild): Promise<void> {
  const apiOrigin = readOrigin(origin);
  const code = `${await readStubs()}\n${await bundle(apiOrigin, 'index.ts', 'Addon_')}`;
  const page = await sidebarPage(apiOrigin);
  const faults = [...checkBundle(code), ...(page === null ? [] : checkPage(page))];
  if (faults.length > 0) throw new Error(`The add-on is not fit to push:\n${faults.join('\n')}`);
  const manifest: Record<string, unknown> = JSON.parse(await readFile(join(sourceFolder, 'appsscript.json'), 'utf8'));
  manifest.urlFetchWhitelist = [`${apiOrigin}/`];
  await mkdir(out_dir, { recursive: true });
  await writeFile(join(out_dir, 'Code.js'), code);
  await writeFile(join(out_dir, 'appsscript.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  if (page === null) await rm(join(out_dir, 'Sidebar.html'), { force: true });
  else await writeFile(join(out_dir, 'Sidebar.html'), page);
}

async function readStubs(): Promise<string> {
  const paths = stubFiles.map((name) => join(sourceFolder, name)).filter((path) => existsSync(path));
  return (await Promise.all(paths.map((path) => readFile(path, 'utf8')))).join('\n');
}

/** The sidebar with its style and script inside, for a page of Apps Script cannot load files; null while there is none. */
async function sidebarPage(apiOrigin: string): Promise<string | null> {
  const folder = join(sourceFolder, 'sidebar');
  if (!existsSync(join(folder, 'main.ts'))) return null;
  const page = await readFile(join(folder, 'sidebar.html'), 'utf8');
  const style = await readFile(join(folder, 'style.css'), 'utf8');
  const script = await bundle(apiOrigin, 'sidebar/main.ts');
  return fillIn(fillIn(page, '<!-- style -->', 'style', style), '<!-- script -->', 'script', script);
}

function fillIn(page: string, mark: string, element: string, content: string): string {
  const parts = page.split(mark);
  if (parts.length !== 2) throw new Error(`sidebar.html must have ${mark} once`);
  return parts.join(`<${element}>\n${content.trimEnd()}\n</${element}>`);
}

/** Google's servers send the key there, so it must be https; loopback is for tests, which no Google server reaches. */
function readOrigin(text: string): string {
  if (!URL.canParse(text)) throw new Error(`"${text}" is not the origin of an API, such as https://social.example`);
  const url = new URL(text);
  const loopback = url.protocol === 'http:' && url.hostname === '127.0.0.1';
  if (url.protocol !== 'https:' && !loopback) throw new Error(`${text} must begin with https://`);
  if (url.href !== `${url.origin}/`) throw new Error(`${text} must be an origin alone, without path, query or name`);
  return url.origin;
}

async function bundle(apiOrigin: string, entry: string, globalName?: string): Promise<string> {
  const built = await build({
    entryPoints: [join(sourceFolder, entry)],
    // Not the folder's own: its `strict` would put a "use strict" behind the stubs, where it is no directive.
    tsconfigRaw: {},
    absWorkingDir: sourceFolder,
    bundle: true,
    write: false,
    format: 'iife',
    ...(globalName === undefined ? {} : { globalName }),
    target: 'es2020',
    charset: 'utf8',
    // HtmlService strips what looks like a comment inside template literals; one rule serves both sides.
    supported: { 'template-literal': false },
    define: { API_ORIGIN: JSON.stringify(apiOrigin) },
  });
  const [output] = built.outputFiles;
  if (output === undefined) throw new Error('esbuild gave no bundle');
  return output.text;
}

async function main(): Promise<void> {
  const origin = process.argv[2] ?? process.env.TIDEMARK_ORIGIN;
  if (origin === undefined) {
    throw new Error('Name the origin of your API: node scripts/build-addon.ts https://social.example');
  }
  const outDir = join(sourceFolder, 'dist');
  await buildAddon({ origin, out_dir: outDir });
  console.log(`Built ${outDir} for ${origin}`);
}

if (import.meta.main) await main();
