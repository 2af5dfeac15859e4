import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder inside `addon/` that clasp, Google's upload tool, pushes. */
export const outName = 'dist';

/** `addon`: the folder in which clasp runs. `login`: the file that `clasp login` writes. */
export type PushPaths = { addon: string; login: string };

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
