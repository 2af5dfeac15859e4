export interface JoinOptions {
  /** Statements of this kind on their way at once; calls made meanwhile wait and leave together. */
  slots: number;
  /** Calls joined into one statement at most. */
  max_calls: number;
}

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Joins concurrent calls into one statement: `run` gets the items of all calls that arrived while the slots were busy
 * and returns their results in the same order. A failure of `run` fails every call of that batch.
 */
export function joinCalls<T, R>(run: (items: T[]) => Promise<R[]>, options: JoinOptions): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let underWay = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || underWay >= options.slots || waiting.length === 0) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    const batch = waiting.slice(0, options.max_calls);
    waiting = waiting.slice(options.max_calls);
    if (batch.length === 0) return;
    underWay += 1;
    send(batch).finally(() => {
      underWay -= 1;
      schedule();
    });
    schedule();
  }

  async function send(batch: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await run(batch.map((call) => call.item));
      if (results.length !== batch.length)
        throw new Error(`a joined statement answered ${results.length} of ${batch.length} calls`);
      for (const [index, call] of batch.entries()) call.resolve(results[index] as R);
    } catch (error) {
      for (const call of batch) call.reject(error);
    }
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
