import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { InstallKind } from '../addon/platform/page-replies.ts';
import { buildAddon, readBuildArguments } from './build-addon.ts';
import { checkAddon, readBuiltAddon } from './check-addon.ts';

const addonFolder = join(import.meta.dirname, '..', 'addon');
const outName = 'dist';

/** `addon`: the folder in which clasp, Google's upload tool, runs. `login`: the file that `clasp login` writes. */
type PushPaths = { addon: string; login: string };

export function claspPath(addon: string): string {
  return join(addon, 'node_modules/.bin/clasp');
}

/** Returns a sentence that says what to do before the upload; null when clasp can start. */
export function pushObstacle({ addon, login }: PushPaths): string | null {
  if (!existsSync(claspPath(addon))) return 'clasp is not installed: run `npm install` in addon/ (about 400 MB).';
  const project = readProject(join(addon, '.clasp.json'));
  if (project === null) {
    const example = `{ "scriptId": "the ID in the script's project settings", "rootDir": "${outName}" }`;
    return `addon/.clasp.json does not name your script project: write ${example} into it.`;
  }
  if (project.rootDir !== outName) {
    return `addon/.clasp.json must contain "rootDir": "${outName}". Otherwise clasp pushes other files than the built ones.`;
  }
  return existsSync(login) ? null : 'clasp is not logged in: run `npm run login` in addon/.';
}

function readProject(path: string): { rootDir: unknown } | null {
  if (!existsSync(path)) return null;
  try {
    const { scriptId, rootDir } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    return typeof scriptId === 'string' && scriptId.trim() !== '' ? { rootDir } : null;
  } catch {
    return null;
  }
}

/** `env`: the environment in which clasp runs. */
type Push = { origin: string; install?: InstallKind; paths: PushPaths; env: NodeJS.ProcessEnv };

/**
 * Builds the add-on for one server, checks it, and uploads it with clasp. @throws Error that says what to do when the
 * upload is not possible.
 */
export async function pushAddon({ origin, install, paths, env }: Push): Promise<void> {
  const obstacle = pushObstacle(paths);
  if (obstacle !== null) throw new Error(obstacle);
  const outDir = join(paths.addon, outName);
  await buildAddon({ origin, out_dir: outDir, ...(install && { install }) });
  const faults = checkAddon(await readBuiltAddon(outDir));
  if (faults.length > 0) throw new Error(`The add-on cannot be uploaded. Fix this first:\n${faults.join('\n')}`);
  // With --force, clasp replaces the manifest without asking.
  const clasp = spawn(claspPath(paths.addon), ['push', '--force'], { cwd: paths.addon, stdio: 'inherit', env });
  const [code] = await once(clasp, 'close');
  if (code !== 0) throw new Error('clasp did not push the add-on. Its message is above.');
}

async function main(): Promise<void> {
  const { origin, install } = readBuildArguments();
  if (origin === undefined)
    throw new Error('The origin of your API is missing. Run: npm run addon:push -- https://social.example');
  const login = process.env.clasp_config_auth ?? join(homedir(), '.clasprc.json');
  await pushAddon({ origin, install, paths: { addon: addonFolder, login }, env: process.env });
  console.log(`Pushed the add-on for ${origin}. Reload the spreadsheet.`);
}

if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
