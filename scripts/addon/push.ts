import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { InstallKind } from '../../addon/platform/page-replies.ts';
import { buildAddon } from '../build-addon.ts';
import { checkAddon, readBuiltAddon } from '../check-addon.ts';
import { claspPath, outName, type PushPaths, pushObstacle } from './clasp.ts';

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
