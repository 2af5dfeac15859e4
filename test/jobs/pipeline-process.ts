import { type Ended, type Running, run } from '../harness/service-process.ts';
import { until } from '../setup/processes.ts';
import { patientMs } from '../setup/test-database.ts';

export interface PipelineProcess extends Running {
  /** Sends SIGTERM to the pipeline and waits for the end of its process. */
  stop(): Promise<Ended>;
}

/** Starts `node pipeline/main.ts` and waits until the pipeline runs. Throws with its output when it ends instead. */
export async function startPipelineProcess(env: Record<string, string>): Promise<PipelineProcess> {
  const started = run(process.execPath, ['pipeline/main.ts'], { DATABASE_TIMEOUT_MS: String(patientMs), ...env });
  let over = false;
  const ended = started.ended.finally(() => {
    over = true;
  });
  const isRunning = () => started.output().includes('pipeline started');
  await until(async () => over || isRunning());
  if (!isRunning()) throw new Error(`the pipeline did not start: ${started.output()}`);
  return {
    ...started,
    stop() {
      started.child.kill('SIGTERM');
      return ended;
    },
  };
}
