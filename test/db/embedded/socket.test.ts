import { execFile } from 'node:child_process';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyDataFolder } from '../../harness/data-folder.ts';
import { attachProcess, killProcesses, openFolder, removeFolder } from '../../setup/processes.ts';

const isRoot = process.geteuid?.() === 0;
/** User id of `daemon`, an ordinary user that every system has. It is neither root nor the user who runs PostgreSQL. */
const otherUser = 1;
const connect = `require('node:net').connect(process.argv[1])
  .on('connect', () => { console.log('connected'); process.exit() })
  .on('error', (error) => console.log(error.code))`;

let folder: string;
let dataDir: string;

beforeEach(async () => {
  folder = await openFolder();
});
afterEach(async () => {
  await killProcesses();
  await removeFolder(folder, dataDir);
});

/** Returns what another user of this machine gets when it connects to a Unix socket: `connected` or an error code. */
async function connectAs(uid: number, path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', connect, path], { uid, gid: uid, cwd: '/' });
  return stdout.trim();
}

test.runIf(isRoot).each([
  ['in the database folder', 'data'],
  ['in /tmp', join('with space, and a long path', 'data')],
])(
  'other users of the machine cannot connect to the socket %s, which needs no password, even if somebody opens its folder',
  async (_, name) => {
    dataDir = join(folder, name);
    if (dirname(name) !== '.') await mkdir(dirname(dataDir), { mode: 0o711 });
    await copyDataFolder(dataDir);
    const attached = await attachProcess(dataDir);
    const sockets = await attached.ask('show unix_socket_directories');
    const socket = join(sockets, '.s.PGSQL.5432');
    const { uid } = await stat(sockets);
    expect(await connectAs(uid, socket)).toBe('connected');
    expect(await connectAs(otherUser, socket)).toBe('EACCES');
    await chmod(sockets, 0o711);
    expect(await connectAs(otherUser, socket)).toBe('EACCES');
    await chmod(sockets, 0o700);
    expect(await attached.ask('stop')).toBe('stopped');
  },
);
