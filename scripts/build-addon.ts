import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundleEntry, formulaStubs, readFormulas } from './addon-formulas.ts';
import { checkBundle } from './check-addon-code.ts';
import { checkPage } from './check-addon-page.ts';

const sourceFolder = join(import.meta.dirname, '..', 'addon');

/** Files with the functions at the top level of Code.js for the menu, the sidebar and triggers. Those of formulas are generated. */
const stubFiles = ['entry-points.js', 'sheet-entry-points.js'];

/** `origin`: scheme and host of the API. `out_dir`: the folder to write Code.js, Sidebar.html and appsscript.json to. */
export type AddonBuild = { origin: string; out_dir: string };

/**
 * Builds the files for Apps Script: Code.js (the formulas and the bundled code of the add-on), the sidebar page, and a
 * manifest that allows requests only to the address of the server.
 *
 * @throws Error when the origin is not usable, or a file would not work in Apps Script.
 */
export async function buildAddon({ origin, out_dir }: AddonBuild): Promise<void> {
  const apiOrigin = readOrigin(origin);
  const code = await buildCode(apiOrigin);
  const page = await buildPage(apiOrigin);
  const faults = [...checkBundle(code), ...checkPage(page)];
  if (faults.length > 0) throw new Error(`The add-on cannot be pushed:\n${faults.join('\n')}`);
  const manifest: Record<string, unknown> = JSON.parse(await readFile(join(sourceFolder, 'appsscript.json'), 'utf8'));
  manifest.urlFetchWhitelist = [`${apiOrigin}/`];
  await mkdir(out_dir, { recursive: true });
  await writeFile(join(out_dir, 'Code.js'), code);
  await writeFile(join(out_dir, 'appsscript.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(out_dir, 'Sidebar.html'), page);
}

async function buildCode(apiOrigin: string): Promise<string> {
  const formulas = readFormulas();
  const stubs = await Promise.all(stubFiles.map((name) => readFile(join(sourceFolder, name), 'utf8')));
  const stdin = { contents: bundleEntry(formulas), resolveDir: sourceFolder, loader: 'ts' } as const;
  // Without indentation and comments, Apps Script starts each formula sooner. Names stay, so that an error can be understood.
  const small = { minifySyntax: true, minifyWhitespace: true, lineLimit: 120 };
  return [formulaStubs(formulas), ...stubs, await bundle(apiOrigin, { stdin, globalName: 'Addon_', ...small })].join(
    '\n',
  );
}

/** Returns the sidebar page. It contains its style and its script, because a page of Apps Script cannot load files. */
async function buildPage(apiOrigin: string): Promise<string> {
  const folder = join(sourceFolder, 'sidebar');
  const page = await readPage(folder);
  const style = await readFile(join(folder, 'style.css'), 'utf8');
  const script = await bundle(apiOrigin, { entryPoints: [join(folder, 'main.ts')] });
  return fillIn(fillIn(page, '<!-- style -->', 'style', style), '<!-- script -->', 'script', script);
}

/** Returns sidebar.html with the sections that are in their own files, such as `<!-- sections/imports.html -->`. */
async function readPage(folder: string): Promise<string> {
  let page = await readFile(join(folder, 'sidebar.html'), 'utf8');
  for (const [mark, name = ''] of page.matchAll(/<!-- (sections\/[a-z]+\.html) -->/g)) {
    page = page.replace(mark, (await readFile(join(folder, name), 'utf8')).trimEnd());
  }
  return page;
}

function fillIn(page: string, mark: string, element: string, content: string): string {
  const parts = page.split(mark);
  if (parts.length !== 2) throw new Error(`sidebar.html must have ${mark} once.`);
  return parts.join(`<${element}>\n${content.trimEnd()}\n</${element}>`);
}

/** Returns the checked origin. It must use https, because Google's servers send the API key to it; only tests may use this computer. */
function readOrigin(text: string): string {
  if (!URL.canParse(text)) throw new Error(`"${text}" is not an origin such as https://social.example.`);
  const url = new URL(text);
  const loopback = url.protocol === 'http:' && url.hostname === '127.0.0.1';
  if (url.protocol !== 'https:' && !loopback) throw new Error(`${text} must begin with https://.`);
  if (url.href !== `${url.origin}/`)
    throw new Error(`${text} must be an origin only, without a path, query or user name.`);
  return url.origin;
}

async function bundle(apiOrigin: string, options: BuildOptions): Promise<string> {
  const built = await build({
    ...options,
    // addon/tsconfig.json is not used: because of its `strict`, "use strict" would be written where it has no effect.
    tsconfigRaw: {},
    absWorkingDir: sourceFolder,
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    // Template literals are replaced, because HtmlService removes everything in them that looks like a comment.
    supported: { 'template-literal': false },
    define: { API_ORIGIN: JSON.stringify(apiOrigin) },
  });
  const [output] = built.outputFiles;
  if (output === undefined) throw new Error('esbuild returned no bundle.');
  return output.text;
}

async function main(): Promise<void> {
  const origin = process.argv[2] ?? process.env.TIDEMARK_ORIGIN;
  if (origin === undefined) {
    throw new Error('The origin of your API is missing. Run: npm run addon:build -- https://social.example');
  }
  const outDir = join(sourceFolder, 'dist');
  await buildAddon({ origin, out_dir: outDir });
  console.log(`Built ${outDir} for ${origin}.`);
}

if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
