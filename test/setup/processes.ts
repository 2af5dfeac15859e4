import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const program = join(import.meta.dirname, 'attached-process.ts');
const waitLimitMs = process.env.CI ? 60_000 : 20_000;

/** A process that has attached to a data folder or was refused (see `greeting`). */
export interface AttachedProcess {
  child: ChildProcess;
  /** The first line of the process's output: `attached`, or `refused: ` with the reason. */
  greeting: string;
  /** Sends SQL or the command `stop` to the process. Returns the first row or the error message. */
  ask(line: string): Promise<string>;
  /** Kills the process (SIGKILL) and waits until it has ended. */
  kill(): Promise<void>;
}

export interface AttachOptions {
  /** Folder that the process uses in place of /var/lib/tidemark. */
  system_folder?: string;
  /** User and group id to which the process switches before it attaches. */
  account?: number;
  /** Path of a different copy of the program to start. */
  program?: string;
}

const running = new Set<AttachedProcess>();

/** Starts a process that attaches to the data folder `dataDir`, and waits for its greeting. */
export async function attachProcess(dataDir: string, options: AttachOptions = {}): Promise<AttachedProcess> {
  const { system_folder = '', account } = options;
  const parameters = [
    options.program ?? program,
    dataDir,
    system_folder,
    ...(account === undefined ? [] : [String(account)]),
  ];
  const child = spawn(process.execPath, parameters, { stdio: 'pipe', detached: true });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { done, value } = await lines.next();
    return done ? `ended: ${errors}` : value;
  };
  const attached: AttachedProcess = {
    child,
    greeting: await nextLine(),
    ask(line) {
      child.stdin.write(`${line}\n`);
      return nextLine();
    },
    async kill() {
      running.delete(attached);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
  running.add(attached);
  return attached;
}

/** Kills all processes of {@link attachProcess} that are still running. */
export async function killProcesses(): Promise<void> {
  await Promise.all([...running].map((attached) => attached.kill()));
}

/** Creates a temporary folder that other users may pass through. */
export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-data-'));
  await chmod(folder, 0o711);
  return folder;
}

/** Returns the process id in the postmaster.pid of a data folder; null when the file does not exist. */
export async function postmasterPid(dataDir: string): Promise<number | null> {
  const text = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => null);
  return text === null ? null : Number(text.split('\n')[0]);
}

/**
 * Returns the process id of a data folder's postmaster (main process of PostgreSQL); null until the postmaster accepts
 * connections. By then, the child processes of a killed postmaster have ended.
 */
export async function readyPostmasterPid(dataDir: string): Promise<number | null> {
  const text = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return lines[7]?.trim() === 'ready' ? Number(lines[0]) : null;
}

/** Returns true while a process runs whose command line contains this folder. */
export async function isRunningIn(folder: string, pid: number): Promise<boolean> {
  const command =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/cmdline`, 'utf8')
      : promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).then(({ stdout }) => stdout);
  return (await command.catch(() => '')).includes(folder);
}

/** Kills a data folder's postmaster (main process of PostgreSQL), if running, and removes the folder. */
export async function removeFolder(folder: string, dataDir: string): Promise<void> {
  const pid = await postmasterPid(dataDir);
  if (pid !== null && (await isRunningIn(folder, pid))) process.kill(pid, 'SIGKILL');
  await until(async () => pid === null || !(await isRunningIn(folder, pid)));
  await rm(folder, { recursive: true, force: true });
}

/** Waits until a condition is true. Throws when it is not true within `limitMs`, by default twenty seconds. */
export async function until(condition: () => Promise<boolean>, limitMs = waitLimitMs): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`The condition was not true within ${limitMs} ms: ${condition}`);
    await pause(20);
  }
}
