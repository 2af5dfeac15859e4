import { constants } from 'node:fs';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../operator/command.ts';
import { identityOf, type ManifestEntry } from './exchange-entry.ts';

/** Reads only the members that are needed to find the entries of a request. All other members are kept unchanged. */
const manifestShape = z.looseObject({
  exchanges: z.array(z.looseObject({ file: z.string().optional() })),
});
type Manifest = z.infer<typeof manifestShape>;

export interface RecordedExchange {
  entry: ManifestEntry;
  body: Buffer;
}

/** A folder with recorded answers and their manifest. */
interface RecordingFolder {
  /** Writes the answers and the manifest. New entries come first and replace earlier entries of the same requests. */
  add(exchanges: readonly RecordedExchange[]): Promise<void>;
}

/**
 * Opens a folder; creates it when it does not exist. Throws UsageError when it is not writable or its manifest cannot
 * be read.
 */
export async function openRecordingFolder(folder: string): Promise<RecordingFolder> {
  const path = join(folder, 'manifest.json');
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(`--out must be a folder that can be written: ${(error as Error).message}`);
  }
  const manifest = await readManifest(path);
  return {
    async add(exchanges) {
      const added = new Set(exchanges.map(({ entry }) => identityOf(entry)));
      const isReplaced = (one: Manifest['exchanges'][number]) => added.has(identityOf(one as Partial<ManifestEntry>));
      const kept = manifest.exchanges.filter((one) => !isReplaced(one));
      const entries = [...exchanges.map(({ entry }) => entry), ...kept];
      for (const { entry, body } of exchanges) if (entry.file) await writeFile(join(folder, entry.file), body);
      await writeFile(path, `${JSON.stringify({ ...manifest, exchanges: entries }, null, 2)}\n`);
      const used = new Set(entries.map(({ file }) => file));
      for (const { file } of manifest.exchanges.filter(isReplaced)) {
        if (file !== undefined && !used.has(file)) await rm(join(folder, file), { force: true });
      }
    },
  };
}

async function readManifest(path: string): Promise<Manifest> {
  try {
    return manifestShape.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return { exchanges: [] };
    throw new UsageError(
      `${path} is not a manifest of recorded answers: repair or move it. ${(error as Error).message}`,
    );
  }
}
