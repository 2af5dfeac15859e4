import type { ChildProcess } from 'node:child_process';

/** Returns the next message of a child process. Throws when the process ends first. */
export function nextMessage(child: ChildProcess): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const ended = (code: number | null) => reject(new Error(`A process of the benchmark ended with code ${code}.`));
  child.once('message', resolve);
  child.once('exit', ended);
  return promise.finally(() => child.off('message', resolve).off('exit', ended));
}
