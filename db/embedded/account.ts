import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError, systemErrorCode } from '../start-error.ts';

/** The operating system user who runs the built-in PostgreSQL server. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/** Returns true when this process runs as root. PostgreSQL refuses to run as root, so another user must run it. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/**
 * Returns the operating system user to run PostgreSQL: the current user, unless it is root. For root, returns the owner
 * of the database folder (`owner`). If this folder does not exist yet (`owner` is null), returns the unprivileged user
 * that every system has.
 */
export async function chooseSystemUser(owner: SystemUser | null): Promise<SystemUser> {
  if (!isRoot()) return { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1 };
  return owner ?? parseUnprivileged(await readFile('/etc/passwd', 'utf8'));
}

function parseUnprivileged(passwd: string): SystemUser {
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
  // Converts the ids to unsigned numbers: macOS lists the user `nobody` with the id -2, but the system uses unsigned
  // ids.
  return { uid: uid >>> 0, gid: gid >>> 0 };
}

/**
 * Returns the options with which `spawn` runs a program as this user. The options are empty when this process does not
 * run as root, because only root can change the user.
 */
export function spawnAs(account: SystemUser): { uid?: number; gid?: number } {
  return isRoot() ? { uid: account.uid | 0, gid: account.gid | 0 } : {};
}

/**
 * Returns the first folder in `path`, starting from the root, that the user may not enter. This can be `path` itself.
 * Returns null when the user may enter all folders.
 */
export async function blockedFolder(path: string, account: SystemUser): Promise<string | null> {
  const parent = dirname(path);
  const above = parent === path ? null : await blockedFolder(parent, account);
  if (above !== null) return above;
  try {
    return mayEnter(await stat(path), account) ? null : path;
  } catch (error) {
    if (systemErrorCode(error) === 'EACCES') return parent;
    throw error;
  }
}

function mayEnter(folder: { mode: number; uid: number; gid: number }, account: SystemUser): boolean {
  if (folder.uid === account.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === account.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}
