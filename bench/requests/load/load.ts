import { fork } from 'node:child_process';
import { join } from 'node:path';
import { nextMessage } from '../../child.ts';

/** The requests of one connection. The connection requests its paths in order, repeatedly. */
export interface ConnectionPlan {
  headers: Record<string, string>;
  paths: string[];
}

export interface Load {
  origin: string;
  seconds: number;
  /** Maximum seconds of the measurement, counted from its start, if no answer arrives within `seconds`. */
  max_seconds?: number;
  /** Requests per second over all connections. Default: as many as possible. */
  rate?: number;
  /**
   * True when connections may break, because the server closes connections that a busy load generator leaves idle.
   * Broken connections are counted in `errors`.
   */
  may_break?: true;
  plans: ConnectionPlan[];
}

export interface LoadResult {
  answers_per_second: number;
  p50_ms: number;
  p99_ms: number;
  p999_ms: number;
  longest_ms: number;
  /** Number of CPU cores that the load generator used. 1 is a whole core. */
  generator_cores: number;
  /** Number of answers by HTTP status. */
  statuses: Record<string, number>;
  errors: number;
}

export interface LoadGenerator extends Disposable {
  /**
   * Sends requests and returns the measurement. Throws when an answer has none of the expected statuses, or a
   * connection failed.
   */
  run(load: Load, expected: number | readonly number[]): Promise<LoadResult>;
}

/** Starts autocannon in a separate process, so that it does not slow down the event loop that is measured. */
export function startLoadGenerator(): LoadGenerator {
  const child = fork(join(import.meta.dirname, 'load-process.ts'), { serialization: 'advanced' });
  return {
    async run(load, expected) {
      child.send(load);
      const result = (await nextMessage(child)) as LoadResult;
      const statuses = Object.keys(result.statuses);
      const isExpected = (status: string) => [expected].flat().includes(Number(status));
      if ((result.errors > 0 && !load.may_break) || statuses.length === 0 || !statuses.every(isExpected)) {
        throw new Error(`Expected ${expected} from ${load.origin}, got ${JSON.stringify(result)}.`);
      }
      return result;
    },
    [Symbol.dispose]: () => child.kill(),
  };
}
