import { sqlStateOf } from './distribution/error-code.ts';
import { isDeadline, isLockTimeout } from './unavailable.ts';

export interface CombineOptions {
  /** Maximum number of combined SQL statements that run at the same time. Further calls wait. */
  slots: number;
  /** Maximum number of calls that one statement combines. */
  max_calls: number;
}

interface WaitingCall<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Returns a function that combines concurrent calls into one SQL statement. `run` receives the items of these calls and
 * must return their results in the same order. If `run` fails with an error that a single row can cause, each call is
 * repeated alone, so that only the faulty call fails. After any other error, all calls of the statement fail.
 */
export function combineCalls<T, R>(
  run: (items: T[]) => Promise<R[]>,
  options: CombineOptions,
): (item: T) => Promise<R> {
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
    const calls = waiting.slice(0, options.max_calls);
    waiting = waiting.slice(options.max_calls);
    if (calls.length === 0) return;
    inProgress += 1;
    send(calls).finally(() => {
      inProgress -= 1;
      schedule();
    });
    schedule();
  }

  async function send(calls: WaitingCall<T, R>[]): Promise<void> {
    try {
      const results = await run(calls.map((call) => call.item));
      if (results.length !== calls.length)
        throw new Error(`A combined statement returned ${results.length} results for ${calls.length} calls.`);
      for (const [index, call] of calls.entries()) call.resolve(results[index] as R);
    } catch (error) {
      if (calls.length > 1 && isOfOneRow(error)) {
        for (const call of calls) await send([call]);
        return;
      }
      // After a time-out of the database, all waiting calls fail immediately, because each of them would time out too.
      const failed = isDeadline(error) ? [...calls, ...waiting.splice(0)] : calls;
      for (const call of failed) call.reject(error);
    }
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}

/**
 * Returns true for an SQL error that a single invalid row can cause for a combined statement: invalid values (SQLSTATE
 * class 22), violated constraints (23) and values over a limit (54). PostgreSQL has then rolled back the whole
 * statement.
 */
function isOfOneRow(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code !== null && /^(?:22|23|54)[0-9A-Z]{3}$/.test(code);
}

interface OwnerOptions<T> extends CombineOptions {
  /** Returns the id of the owner (such as a workspace) whose rows this call locks. */
  ownerOf(item: T): string;
}

/**
 * Maximum number of owners (such as workspaces) whose calls run in separate statements because of locked rows. With
 * more owners, single locked rows cannot be the cause, so all owners return to the shared statements.
 */
const maxApart = 1_000;

/**
 * Combines calls as {@link combineCalls} does, but a locked row delays only the calls of its owner, such as a
 * workspace. If the shared statement `together` waits too long for a lock, its calls are repeated with `apart`, in
 * separate statements for each owner. After a successful call with `apart`, the owner returns to `together`.
 */
export function combineUnlessLocked<T, R>(
  together: (items: T[]) => Promise<R[]>,
  apart: (items: T[]) => Promise<R[]>,
  { ownerOf, ...options }: OwnerOptions<T>,
): (item: T) => Promise<R> {
  const callTogether = combineCalls(together, options);
  const owners = new Map<string, (item: T) => Promise<R>>();

  function setApart(owner: string): (item: T) => Promise<R> {
    if (owners.size >= maxApart) owners.clear();
    const call = owners.get(owner) ?? combineCalls(apart, { ...options, slots: 1 });
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

/**
 * Combines calls as {@link combineCalls} does, but each statement has calls of only one owner, such as a workspace. The
 * statements of one owner run one after the other. Statements of different owners run at the same time.
 */
export function combineByOwner<T, R>(
  run: (items: T[]) => Promise<R[]>,
  { ownerOf, max_calls }: Omit<OwnerOptions<T>, 'slots'>,
): (item: T) => Promise<R> {
  const owners = new Map<string, { call: (item: T) => Promise<R>; inProgress: number }>();
  return async (item) => {
    const owner = ownerOf(item);
    const entry = owners.get(owner) ?? { call: combineCalls(run, { slots: 1, max_calls }), inProgress: 0 };
    owners.set(owner, entry);
    entry.inProgress += 1;
    try {
      return await entry.call(item);
    } finally {
      entry.inProgress -= 1;
      if (entry.inProgress === 0) owners.delete(owner);
    }
  };
}
