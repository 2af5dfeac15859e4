import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, StartError } from '../start-error.ts';

/** The operating system user who runs PostgreSQL. */
export interface Account {
  uid: number;
  gid: number;
}

/** Returns true when this process runs as root. PostgreSQL refuses to run as root, so another user must run it. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/**
 * Returns the user who runs PostgreSQL: the current user, unless that is root. For root, it is the owner of the
 * database folder (`owner`). If the folder does not exist yet (`owner` is null), it is the unprivileged user that every
 * system has.
 */
export async function chooseAccount(owner: Account | null): Promise<Account> {
  if (!isRoot()) return { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1 };
  return owner ?? parseUnprivileged(await readFile('/etc/passwd', 'utf8'));
}

function parseUnprivileged(passwd: string): Account {
  const fields = passwd
    .split('\n')
    .find((line) => /^nobody:/.test(line))
    ?.split(':');
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
  if (!Number.isInteger(uid) || !Number.isInteger(gid)) {
    throw new StartError(
      'PostgreSQL does not run as root, and this system has no user `nobody` to run it: start Tidemark as an ordinary user or set DATABASE_URL.',
    );
  }
  // macOS stores this user's id as -2, but the system uses unsigned ids.
  return { uid: uid >>> 0, gid: gid >>> 0 };
}

/** Returns the options of `spawn` that run a program as this user. They are empty unless this process runs as root. */
export function spawnAs(account: Account): { uid?: number; gid?: number } {
  return isRoot() ? { uid: account.uid | 0, gid: account.gid | 0 } : {};
}

/** Returns the outermost folder of `path`, or `path` itself, that the user may not enter; null when the user may enter all of them. */
export async function blockedFolder(path: string, account: Account): Promise<string | null> {
  const parent = dirname(path);
  const above = parent === path ? null : await blockedFolder(parent, account);
  if (above !== null) return above;
  try {
    return mayEnter(await stat(path), account) ? null : path;
  } catch (error) {
    if (codeOf(error) === 'EACCES') return parent;
    throw error;
  }
}

function mayEnter(folder: { mode: number; uid: number; gid: number }, account: Account): boolean {
  if (folder.uid === account.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === account.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}
