import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchOptions, goalColumns, median, table } from './benchmark.ts';
import { productionFlags } from './requests/servers.ts';

const main = resolve(import.meta.dirname, '../server/main.ts');
const defaultRounds = 5;
const pollMs = 10;
const startTimeoutMs = 60_000;
const firstGoalSeconds = 2.5;
const warmGoalSeconds = 0.8;
const compileCache = resolve(import.meta.dirname, '../pipeline/compile-cache.mjs');

/**
 * Measures the time from the command to the first 200 of /readyz, with an empty data folder and again with an existing
 * database.
 */
export async function start({ rounds = defaultRounds, signal, print }: BenchOptions): Promise<void> {
  const [cold, warm]: number[][] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    signal.throwIfAborted();
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-start-'));
    await chmod(folder, 0o711);
    cold?.push(await measureStart(folder));
    warm?.push(await measureStart(folder));
    await rm(folder, { recursive: true, force: true });
  }
  const row = (name: string, times: readonly number[] = [], goal: number) => {
    const middle = median(times);
    return [name, middle.toFixed(2), ...goalColumns(middle, { at: 'most', ratio: goal })];
  };
  print(
    table([
      ['start', `seconds, median of ${rounds}`, 'goal', 'reached'],
      row('first', cold, firstGoalSeconds),
      row('warm', warm, warmGoalSeconds),
    ]),
  );
}

function measureStart(dataDir: string): Promise<number> {
  return withServer(dataDir, async (_pid, seconds) => seconds);
}

/**
 * Starts a server as `npm start` does, calls `use` with its process id and the seconds until it was ready, and stops
 * it.
 */
export async function withServer<T>(dataDir: string, use: (pid: number, seconds: number) => Promise<T>): Promise<T> {
  const started = performance.now();
  // Variables of the environment are set to empty, which counts as not set, so that they do not change the result.
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', DATABASE_URL: '', BASE_URL: '', NODE_ENV: 'production' };
  const child = spawn(process.execPath, [...productionFlags, '--import', compileCache, main], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const origin = await readAddress(child.stdout);
    while ((await fetch(`${origin}/readyz`)).status !== 200) {
      if (performance.now() - started > startTimeoutMs)
        throw new Error(`The server was not ready after ${startTimeoutMs} ms.`);
      await pause(pollMs);
    }
    return await use(child.pid ?? 0, (performance.now() - started) / 1000);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

async function readAddress(output: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += chunk;
    const found = /running at (http:\/\/\S+)/.exec(text);
    if (found?.[1]) {
      output.resume();
      return found[1];
    }
  }
  throw new Error(`The server did not start: ${text}`);
}
