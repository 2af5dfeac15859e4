import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { nextMessage } from '../child.ts';

/** The settings of the memory with which `npm start` runs the server, see package.json. */
export const productionFlags = ['--max-semi-space-size=16', '--heap-growing-percent=100'];

export interface Listening {
  origin: string;
  /** The request headers of each workspace. */
  headers: Record<string, string>[];
}

export interface ServedContestant extends Listening, AsyncDisposable {
  /** Returns the resident memory in bytes. */
  memory(): Promise<number>;
}

/** Runs a server in a separate process, so that the measured servers do not share memory. */
export async function serveContestant(name: string, url: string): Promise<ServedContestant> {
  const child = fork(join(import.meta.dirname, 'server-process.ts'), [name, url], {
    execArgv: productionFlags,
  });
  const listening = (await nextMessage(child)) as Listening;
  return {
    ...listening,
    async memory() {
      child.send('memory');
      return (await nextMessage(child)) as number;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
