import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstallKind } from '../../addon/platform/page-replies.ts';
import { buildFiles } from '../../scripts/build-addon.ts';
import { originMark } from '../../server/addon/built-files.ts';

type Built = ReturnType<typeof buildFiles>;

const built = new Map<InstallKind, Built>();

/**
 * Writes the add-on for a server into a folder. Builds each kind of installation only once per process. For each
 * server, replaces only the address in that build, as a server does with the committed build. test/addon/build tests
 * that building and replacing give the same files.
 */
export async function writeAddon(origin: string, folder: string, install: InstallKind = 'addon'): Promise<void> {
  const files = Object.entries(await buildOnce(install));
  await mkdir(folder, { recursive: true });
  await Promise.all(files.map(([name, text]) => writeFile(join(folder, name), text.replaceAll(originMark, origin))));
}

function buildOnce(install: InstallKind): Built {
  const files = built.get(install) ?? buildFiles(originMark, install);
  built.set(install, files);
  return files;
}
