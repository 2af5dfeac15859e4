import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { until } from '../setup/processes.ts';
import { patientMs } from '../setup/test-database.ts';

const root = join(import.meta.dirname, '../..');
const compileCache = join(root, 'pipeline/compile-cache.mjs');
const running = new Set<ChildProcess>();

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  /** Returns everything that the process has written to stdout and stderr so far. */
  output(): string;
  ended: Promise<Ended>;
  /** Kills the process (SIGKILL) and waits until it has ended. */
  kill(): Promise<void>;
}

export interface ServiceProcess extends Running {
  base_url: string;
  /** Stops the process (SIGTERM) and waits until it has ended. */
  stop(): Promise<Ended>;
}

type Environment = Record<string, string>;

/**
 * Runs a program in its own process group, in this repository or in another folder. Passes to the program only the
 * variables in `env`, and PATH, HOME and the compile cache of this process.
 */
export function run(command: string, words: readonly string[], env: Environment, cwd = root): Running {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(command, words, {
    cwd,
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

/**
 * Runs a program of this repository together with the module that every npm script loads first. `words`: the program's
 * path and arguments.
 */
export function runProgram(words: readonly string[], env: Environment): Running {
  return run(process.execPath, ['--import', compileCache, ...words], env);
}

/** Runs a server that must fail to start, and waits until it ends. */
export function failingStart(env: Environment): Promise<Ended> {
  return runProgram(['server/main.ts'], { PORT: '0', ...env }).ended;
}

/**
 * Time limit of a server's startup in milliseconds. It is much longer than a startup takes, because tests also run on
 * busy machines.
 */
const startLimitMs = 60_000;

/** Default settings of a server that a test starts. */
const defaults = { PORT: '0', STOP_DELAY_SECONDS: '0', DATABASE_TIMEOUT_MS: String(patientMs) };

/**
 * Starts the server as a process and waits until it prints its address. If the server ends instead, throws with its
 * output.
 */
export async function startService(env: Environment): Promise<ServiceProcess> {
  const started = runProgram(['server/main.ts'], { ...defaults, ...env });
  const address = () => /Tidemark is running at (http:\S+)/.exec(started.output())?.[1];
  let hasEnded = false;
  const ended = started.ended.finally(() => {
    hasEnded = true;
  });
  await until(async () => hasEnded || address() !== undefined, startLimitMs);
  const baseUrl = address();
  if (baseUrl === undefined) throw new Error(`The server did not start: ${started.output()}`);
  return {
    ...started,
    base_url: baseUrl,
    stop() {
      started.child.kill('SIGTERM');
      return ended;
    },
  };
}

/**
 * Runs the operator's command line as a program. `operator` in operator.ts runs it in this process, in a tenth of the
 * time.
 */
export function operatorProcess(words: readonly string[], env: Environment): Promise<Ended> {
  return runProgram(['scripts/operator.ts', ...words], env).ended;
}

/** Kills every process of {@link run} that is still running. */
export async function killServices(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const close = once(child, 'close');
      child.kill('SIGKILL');
      await close;
    }),
  );
}

/** Returns a network port that no program uses now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
