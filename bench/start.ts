import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchOptions, median, table } from './benchmark.ts';

const main = resolve(import.meta.dirname, '../server/main.ts');
const default_rounds = 5;
const poll_ms = 10;
const start_timeout_ms = 60_000;
const warm_goal_seconds = 2;

/** From the command to the first 200 of /readyz: with an empty data folder, and again with the database in it. */
export async function start({ rounds = default_rounds, signal, print }: BenchOptions): Promise<void> {
  const [cold, warm]: number[][] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    signal.throwIfAborted();
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-start-'));
    await chmod(folder, 0o711);
    cold?.push(await startedIn(folder));
    warm?.push(await startedIn(folder));
    await rm(folder, { recursive: true, force: true });
  }
  const seconds = (times: readonly number[] = []) => median(times).toFixed(2);
  const reached = median(warm ?? []) <= warm_goal_seconds ? 'yes' : 'no';
  print(
    table([
      ['start', `seconds, median of ${rounds}`, 'goal', 'reached'],
      ['first ever', seconds(cold), '', ''],
      ['warm', seconds(warm), `<= ${warm_goal_seconds}`, reached],
    ]),
  );
}

async function startedIn(data_dir: string): Promise<number> {
  const started = performance.now();
  // Nothing of the surroundings decides what is started: an empty variable is as good as none.
  const env = { ...process.env, DATA_DIR: data_dir, PORT: '0', DATABASE_URL: '', BASE_URL: '', NODE_ENV: 'production' };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const origin = await announced(child.stdout);
    while ((await fetch(`${origin}/readyz`)).status !== 200) {
      if (performance.now() - started > start_timeout_ms) throw new Error('the server is not ready');
      await pause(poll_ms);
    }
    return (performance.now() - started) / 1000;
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

async function announced(output: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += chunk;
    const found = /running at (http:\/\/\S+)/.exec(text);
    if (found?.[1]) {
      output.resume();
      return found[1];
    }
  }
  throw new Error(`the server did not start: ${text}`);
}
