import { parentPort, workerData } from 'node:worker_threads';
import { openFile } from '../harness/file.ts';
import type { FileCall, FileReply, FileThread } from './file-worker.ts';

/** Runs a spreadsheet in a separate thread, because its script blocks the thread while it waits for an HTTP answer. */
const { dist, people, parts } = workerData as FileThread;
const file = await openFile(dist, people, parts);
const fileCalls = file as unknown as Record<string, (...args: unknown[]) => unknown>;

parentPort?.on('message', ({ id, name, args }: FileCall) => {
  let reply: FileReply;
  try {
    reply = { id, value: fileCalls[name]?.(...args) };
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});
parentPort?.postMessage({ id: 0, value: 'open' } satisfies FileReply);
