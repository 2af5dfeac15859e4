import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { checkBundle } from './check-addon.ts';

const source_folder = join(import.meta.dirname, '..', 'addon');

/** `origin`: scheme and host of the API. `out_dir`: where Code.js and appsscript.json go. */
export type AddonBuild = { origin: string; out_dir: string };

/**
 * Builds what is pushed to Apps Script: the documented stubs, behind them the bundle, and the manifest that allows
 * requests to the same origin and to nothing else.
 *
 * @throws Error when the origin is not usable or the bundle would break in Apps Script.
 */
export async function buildAddon({ origin, out_dir }: AddonBuild): Promise<void> {
  const api_origin = readOrigin(origin);
  const stubs = await readFile(join(source_folder, 'functions.js'), 'utf8');
  const code = `${stubs}\n${await bundle(api_origin)}`;
  const faults = checkBundle(code);
  if (faults.length > 0) throw new Error(`The add-on is not fit to push:\n${faults.join('\n')}`);
  const manifest: Record<string, unknown> = JSON.parse(await readFile(join(source_folder, 'appsscript.json'), 'utf8'));
  manifest.urlFetchWhitelist = [`${api_origin}/`];
  await mkdir(out_dir, { recursive: true });
  await writeFile(join(out_dir, 'Code.js'), code);
  await writeFile(join(out_dir, 'appsscript.json'), `${JSON.stringify(manifest, null, 2)}\n`);
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

async function bundle(api_origin: string): Promise<string> {
  const built = await build({
    entryPoints: [join(source_folder, 'index.ts')],
    // Not the folder's own: its `strict` would put a "use strict" behind the stubs, where it is no directive.
    tsconfigRaw: {},
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'Addon_',
    target: 'es2020',
    charset: 'utf8',
    // HtmlService strips what looks like a comment inside template literals; one rule serves both sides.
    supported: { 'template-literal': false },
    define: { API_ORIGIN: JSON.stringify(api_origin) },
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
  const out_dir = join(source_folder, 'dist');
  await buildAddon({ origin, out_dir });
  console.log(`Built ${out_dir} for ${origin}`);
}

if (import.meta.main) await main();
