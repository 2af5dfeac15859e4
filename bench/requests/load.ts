import { fork } from 'node:child_process';
import { join } from 'node:path';
import { nextMessage } from '../child.ts';

/** The requests of one connection: its paths in order, repeated. */
export interface ConnectionPlan {
  headers: Record<string, string>;
  paths: string[];
}

export interface Load {
  origin: string;
  seconds: number;
  /** The limit of an interval that is extended because no answer has arrived yet. */
  longest_seconds?: number;
  plans: ConnectionPlan[];
}

export interface LoadResult {
  answers_per_second: number;
  p50_ms: number;
  /** Status -> answers. */
  statuses: Record<string, number>;
  errors: number;
}

export interface LoadGenerator extends Disposable {
  /** Throws when an answer had another status or a connection failed. */
  run(load: Load, expectedStatus: number): Promise<LoadResult>;
}

/** Starts autocannon in a separate process, so that it does not share an event loop with the measured code. */
export function startLoadGenerator(): LoadGenerator {
  const child = fork(join(import.meta.dirname, 'load-process.ts'), { serialization: 'advanced' });
  return {
    async run(load, expectedStatus) {
      child.send(load);
      const result = (await nextMessage(child)) as LoadResult;
      const statuses = Object.keys(result.statuses);
      if (result.errors > 0 || statuses.length !== 1 || statuses[0] !== String(expectedStatus)) {
        throw new Error(`expected ${expectedStatus} from ${load.origin}, got ${JSON.stringify(result)}`);
      }
      return result;
    },
    [Symbol.dispose]: () => child.kill(),
  };
}
