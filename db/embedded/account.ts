import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, StartError } from '../start-error.ts';

/** The user as which PostgreSQL runs. */
export interface Account {
  uid: number;
  gid: number;
}

/** Whether this process is root: PostgreSQL refuses to run as root, so it is given another account. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/**
 * Who runs the cluster: an ordinary user itself; for root the owner of a cluster that exists, else `nobody`, which every
 * system has, so that no user is created. `owner` is the owner of the cluster, null before there is one.
 */
export async function chooseAccount(owner: Account | null): Promise<Account> {
  if (!isRoot()) return { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1 };
  return owner ?? parseNobody(await readFile('/etc/passwd', 'utf8'));
}

function parseNobody(passwd: string): Account {
  const fields = passwd
    .split('\n')
    .find((line) => line.startsWith('nobody:'))
    ?.split(':');
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
  if (!Number.isInteger(uid) || !Number.isInteger(gid)) {
    throw new StartError(
      'PostgreSQL does not run as root and this system has no user nobody to run it as: start Tidemark as an ordinary user or set DATABASE_URL.',
    );
  }
  // macOS writes nobody as -2; the system counts users without a sign.
  return { uid: uid >>> 0, gid: gid >>> 0 };
}

/** What to give `spawn` so that a program runs as the account: nothing for an ordinary user. */
export function spawnAs(account: Account): { uid?: number; gid?: number } {
  return isRoot() ? { uid: account.uid | 0, gid: account.gid | 0 } : {};
}

/** The outermost folder on the way into `path` (itself included) that the account may not enter; null when it gets there. */
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
