import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { People, SpreadsheetFile } from '../harness/file.ts';
import { type ScriptParts, scriptParts } from '../harness/script-parts.ts';

/**
 * The input of a worker thread. `parts`: the parts of the script, which each thread would otherwise take long to
 * create.
 */
export type FileThread = { dist: string; people: People; parts: ScriptParts };
export type FileCall = { id: number; name: string; args: unknown[] };
export type FileReply = { id: number; value: unknown } | { id: number; error: string };

type FileCalls = Omit<SpreadsheetFile, 'callable' | 'close'>;

export type ThreadedFile = {
  /** Calls a function of the spreadsheet in the other thread. Rejects with the error that the function threw. */
  ask: <Name extends keyof FileCalls>(
    name: Name,
    ...args: Parameters<FileCalls[Name]>
  ) => Promise<ReturnType<FileCalls[Name]>>;
  close: () => Promise<void>;
};

/** Opens a spreadsheet in a separate thread, with the built add-on in the folder `dist`. */
export async function openFileInThread(dist: string, people: People): Promise<ThreadedFile> {
  const parts = scriptParts(await readFile(join(dist, 'Code.js'), 'utf8'));
  const worker = new Worker(new URL('./file-thread.ts', import.meta.url), {
    workerData: { dist, people, parts } satisfies FileThread,
    execArgv: [],
  });
  await once(worker, 'message');
  const waiting = new Map<number, (reply: FileReply) => void>();
  worker.on('message', (reply: FileReply) => waiting.get(reply.id)?.(reply));
  let lastId = 0;
  return {
    ask: (name, ...args) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, (reply) => {
          waiting.delete(reply.id);
          if ('error' in reply) reject(new Error(reply.error));
          else resolve(reply.value as ReturnType<FileCalls[typeof name]>);
        });
        worker.postMessage({ id: lastId, name, args } satisfies FileCall);
      }),
    close: async () => {
      await worker.terminate();
    },
  };
}
