import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { until } from '../setup/processes.ts';

const root = join(import.meta.dirname, '../..');
const running = new Set<ChildProcess>();

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  /** Everything written so far, to stdout and to stderr. */
  output(): string;
  ended: Promise<Ended>;
  /** Ends it without warning, as kill -9 does, and waits until it is gone. */
  kill(): Promise<void>;
}

export interface ServiceProcess extends Running {
  base_url: string;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<Ended>;
}

type Environment = Record<string, string>;

/** Runs a program of this repository in a process group of its own, with nothing of this one's environment but PATH, HOME and the cache of compiled modules. */
export function run(command: string, words: readonly string[], env: Environment): Running {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(command, words, {
    cwd: root,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    stdio,
    detached: true,
  });
  running.add(child);
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    running.delete(child);
    return { code, signal, ...written };
  });
  return {
    child,
    output: () => written.stdout + written.stderr,
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs the server until it ends by itself: for starts that must fail. */
export function failingStart(env: Environment): Promise<Ended> {
  return run(process.execPath, ['server/main.ts'], { PORT: '0', ...env }).ended;
}

/** Starts the server and waits until it says where it runs; throws with its output when it ends instead. */
export async function startService(env: Environment): Promise<ServiceProcess> {
  const started = run(process.execPath, ['server/main.ts'], { PORT: '0', ...env });
  const address = () => /Tidemark is running at (http:\S+)/.exec(started.output())?.[1];
  let over = false;
  const ended = started.ended.finally(() => {
    over = true;
  });
  await until(async () => over || address() !== undefined);
  const baseUrl = address();
  if (baseUrl === undefined) throw new Error(`the server did not start: ${started.output()}`);
  return {
    ...started,
    base_url: baseUrl,
    stop() {
      started.child.kill('SIGTERM');
      return ended;
    },
  };
}

/** The operator's command line. */
export function operator(words: readonly string[], env: Environment): Promise<Ended> {
  return run(process.execPath, ['scripts/operator.ts', ...words], env).ended;
}

/** Kills every process of {@link run} that is still there. */
export async function killServices(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const close = once(child, 'close');
      child.kill('SIGKILL');
      await close;
    }),
  );
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
