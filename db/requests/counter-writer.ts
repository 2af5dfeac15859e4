/** A statement that writes some of the counters. */
interface CounterStatement<C> {
  counters: readonly C[];
  run(): Promise<unknown>;
}

interface CounterOptions<C> {
  /** The subject of the counts, such as `usage`. The error about full counters names it. */
  name: string;
  flush_every_ms: number;
  /**
   * Maximum number of counters in memory. If the database is unavailable so long that the limit is reached, counts that
   * need another counter are dropped and an error is reported.
   */
  max_counters: number;
  /** Returns the text that is the same for all counts that one counter adds up. */
  idOf(counter: C): string;
  /** Adds the counts of `more` to the counter. `more` may be older than the counter. */
  merge(counter: C, more: C): void;
  /** Returns the statements that write these counters. When one of them fails, the others still count. */
  statements(counters: readonly C[]): readonly CounterStatement<C>[];
  on_error(error: unknown): void;
}

export interface CounterWriter<C> {
  /** Adds up counts in memory. The writer keeps the objects and changes them. */
  add(counts: readonly C[]): void;
  /** Writes all counts to the database. Never throws: counts that cannot be written are kept and written next time. */
  flush(): Promise<void>;
  /** Writes all counts to the database and stops the timer. */
  close(): Promise<void>;
}

/**
 * Creates a writer that adds up counts in memory and writes them from time to time, so that requests do not wait for
 * the database.
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
