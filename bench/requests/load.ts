import { fork } from 'node:child_process';
import { join } from 'node:path';
import { nextMessage } from '../child.ts';

/** What one connection sends: its paths one after the other, then from the first again. */
export interface ConnectionPlan {
  headers: Record<string, string>;
  paths: string[];
}

export interface Load {
  origin: string;
  seconds: number;
  /** The limit for an interval that is extended because nothing has answered yet. */
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

/** autocannon in a process of its own, so that it shares no event loop with what is measured. */
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
