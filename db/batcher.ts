import { isDeadline, isLockTimeout } from './unavailable.ts';

export interface BatchOptions {
  /** Statements of this kind in progress at once. Calls made meanwhile wait for the next batch. */
  slots: number;
  /** Most calls in one statement. */
  max_calls: number;
}

interface WaitingCall<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Returns a function that batches concurrent calls into one statement: `run` receives the items of all calls made while the
 * slots were busy and returns their results in the same order. An error of `run` rejects every call of that batch, but after an error
 * that one row can cause, each call runs alone, so that only the faulty one fails.
 */
export function batchCalls<T, R>(run: (items: T[]) => Promise<R[]>, options: BatchOptions): (item: T) => Promise<R> {
  let waiting: WaitingCall<T, R>[] = [];
  let inProgress = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || inProgress >= options.slots || waiting.length === 0) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    const batch = waiting.slice(0, options.max_calls);
    waiting = waiting.slice(options.max_calls);
    if (batch.length === 0) return;
    inProgress += 1;
    send(batch).finally(() => {
      inProgress -= 1;
      schedule();
    });
    schedule();
  }

  async function send(batch: WaitingCall<T, R>[]): Promise<void> {
    try {
      const results = await run(batch.map((call) => call.item));
      if (results.length !== batch.length)
        throw new Error(`A batched statement returned ${results.length} results for ${batch.length} calls.`);
      for (const [index, call] of batch.entries()) call.resolve(results[index] as R);
    } catch (error) {
      if (batch.length > 1 && isOfOneRow(error)) {
        for (const call of batch) await send([call]);
        return;
      }
      // Calls that waited while the database was silent would wait as long again.
      const failed = isDeadline(error) ? [...batch, ...waiting.splice(0)] : batch;
      for (const call of failed) call.reject(error);
    }
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}

/** Returns true for invalid values (SQLSTATE class 22), broken constraints (23) and values over a limit (54). They undo the whole statement. */
function isOfOneRow(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^(?:22|23|54)[0-9A-Z]{3}$/.test(code);
}

export interface OwnerOptions<T> extends BatchOptions {
  /** Whose rows a call locks. */
  ownerOf(item: T): string;
}

/** Owners that are called apart at once. More than this means that the cause is not their rows. */
const maxApart = 1_000;

/**
 * Like {@link batchCalls}, but a locked row delays only its owner. When `together` fails on a lock, each owner of that batch is
 * called with `apart`, in statements of its own, until one of them succeeds.
 */
export function batchByOwner<T, R>(
  together: (items: T[]) => Promise<R[]>,
  apart: (items: T[]) => Promise<R[]>,
  { ownerOf, ...options }: OwnerOptions<T>,
): (item: T) => Promise<R> {
  const callTogether = batchCalls(together, options);
  const owners = new Map<string, (item: T) => Promise<R>>();

  function setApart(owner: string): (item: T) => Promise<R> {
    if (owners.size >= maxApart) owners.clear();
    const call = owners.get(owner) ?? batchCalls(apart, { ...options, slots: 1 });
    owners.set(owner, call);
    return call;
  }

  async function callApart(owner: string, item: T): Promise<R> {
    try {
      const result = await setApart(owner)(item);
      owners.delete(owner);
      return result;
    } catch (error) {
      if (!isLockTimeout(error)) owners.delete(owner);
      throw error;
    }
  }

  return async (item) => {
    const owner = ownerOf(item);
    if (owners.has(owner)) return callApart(owner, item);
    try {
      return await callTogether(item);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return callApart(owner, item);
    }
  };
}
