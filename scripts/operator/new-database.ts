import { join, resolve } from 'node:path';
import { pathExists } from '../../db/embedded/folder.ts';

interface DatabaseSettings {
  database_url: string | null;
  data_dir: string;
}

/**
 * Returns true when a command would create the built-in database, often because DATA_DIR differs from the server's
 * setting.
 */
export async function isNewDatabase({ database_url, data_dir }: DatabaseSettings): Promise<boolean> {
  return database_url === null && !(await pathExists(join(resolve(data_dir), 'postgres')));
}

/** Returns a sentence about a database that a command has created. */
export function newDatabase({ data_dir }: DatabaseSettings): string {
  return `There was no database in ${resolve(data_dir)}, so a new one was created. If the server uses another folder, set DATA_DIR to it.`;
}
