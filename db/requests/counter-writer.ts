/** A statement that writes some of the counters to the database. */
interface CounterStatement<C> {
  counters: readonly C[];
  run(): Promise<unknown>;
}

interface CounterOptions<C> {
  /** Name of the counters, such as `usage`, for the error about too many counters. */
  name: string;
  flush_every_ms: number;
  /**
   * Maximum number of counters in memory. When the database is unavailable for so long that the limit is reached,
   * counts that need a new counter are dropped and an error is reported.
   */
  max_counters: number;
  /** Returns the identity of a counter. Counts with the same text are added up in one counter. */
  idOf(counter: C): string;
  /** Adds the counts of `more` to the counter. `more` may be older than the counter. */
  merge(counter: C, more: C): void;
  /** Returns the statements that write these counters. A failed statement does not affect the counts of the others. */
  statements(counters: readonly C[]): readonly CounterStatement<C>[];
  on_error(error: unknown): void;
}

export interface CounterWriter<C> {
  /** Adds up counts in memory. The writer takes ownership of the objects and may change them. */
  add(counts: readonly C[]): void;
  /** Writes all counts to the database. Never throws: counts that cannot be written are kept for the next call. */
  flush(): Promise<void>;
  /** Writes all counts to the database and stops the timer. */
  close(): Promise<void>;
}

/**
 * Creates a writer that adds up counts in memory and writes them at intervals, so that requests do not wait for the
 * database.
 */
export function createCounterWriter<C>(options: CounterOptions<C>): CounterWriter<C> {
  let counters = new Map<string, C>();
  let writing: Promise<unknown> = Promise.resolve();
  const timer = setInterval(flush, options.flush_every_ms);
  timer.unref();

  function add(counts: readonly C[]): void {
    const dropped = counts.filter((count) => !addOne(count));
    if (dropped.length > 0)
      options.on_error(
        new Error(
          `The ${options.name} counters are full, so some counts are dropped. They have space again after the next write.`,
        ),
      );
  }

  function addOne(count: C): boolean {
    const id = options.idOf(count);
    const counter = counters.get(id);
    if (counter) options.merge(counter, count);
    else if (counters.size < options.max_counters) counters.set(id, count);
    else return false;
    return true;
  }

  async function flush(): Promise<void> {
    if (counters.size > 0) {
      const statements = options.statements([...counters.values()]);
      counters = new Map();
      writing = writing.then(() => Promise.all(statements.map(runOrKeep)));
    }
    await writing;
  }

  async function runOrKeep({ counters: unwritten, run }: CounterStatement<C>): Promise<void> {
    try {
      await run();
    } catch (error) {
      options.on_error(error);
      add(unwritten);
    }
  }

  return {
    add,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
