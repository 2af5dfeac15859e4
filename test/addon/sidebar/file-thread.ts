import { parentPort, workerData } from 'node:worker_threads';
import { openFile } from '../harness/file.ts';
import type { FileCall, FileReply } from './file-worker.ts';

/** A spreadsheet in a thread of its own: what runs in it blocks while it waits for an answer, and the browser must not. */
const { dist, people } = workerData as { dist: string; people: { owner: string; user: string } };
const file = await openFile(dist, people);
const doors = file as unknown as Record<string, (...args: unknown[]) => unknown>;

parentPort?.on('message', ({ id, name, args }: FileCall) => {
  let reply: FileReply;
  try {
    reply = { id, value: doors[name]?.(...args) };
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});
parentPort?.postMessage({ id: 0, value: 'open' } satisfies FileReply);
