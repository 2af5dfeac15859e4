import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nextMessage } from '../child.ts';

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
/** The memory options of Node that `npm start` uses for the server. */
export const productionFlags: readonly string[] = scripts.start.match(/--(?:max|heap)-\S+/g);

export interface Listening {
  origin: string;
  /** The request headers of each workspace. */
  headers: Record<string, string>[];
}

/** Memory and CPU time of a server process. */
export interface Usage {
  /** Resident memory in bytes. */
  memory: number;
  cpu_seconds: number;
}

/** Requests that a server process makes to its own handler, without HTTP. */
export interface Work {
  paths: string[];
  at_once: number;
  /** The HTTP status that each answer must have. */
  status: number;
}

export interface WorkDone {
  /** CPU time of the process for each request, in microseconds. */
  cpu_us: number;
}

export interface ServedContestant extends Listening, AsyncDisposable {
  pid: number;
  usage(): Promise<Usage>;
  work(work: Work): Promise<WorkDone>;
}

/** Runs a server in a separate process, so that the measured servers do not share memory. */
export async function serveContestant(name: string, url: string): Promise<ServedContestant> {
  const child = fork(join(import.meta.dirname, 'server-process.ts'), [name, url], {
    execArgv: [...productionFlags],
  });
  const listening = (await nextMessage(child)) as Listening;
  return {
    ...listening,
    pid: child.pid ?? 0,
    async usage() {
      child.send(null as never);
      return (await nextMessage(child)) as Usage;
    },
    async work(work) {
      child.send(work);
      return (await nextMessage(child)) as WorkDone;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
