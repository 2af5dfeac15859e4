import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type BenchOptions, goalColumns, table } from './benchmark.ts';
import { startBenchServer } from './database.ts';
import { startLoadGenerator } from './requests/load/load.ts';
import { newHandles } from './requests/paths.ts';
import { serveContestant } from './requests/servers.ts';
import { withServer } from './start.ts';

const defaultSeconds = 120;
const parts = 12;
const minSeconds = 0.2;
const connections = 32;
/**
 * Number of different paths per second for one connection. The server answers fewer requests, so no handle is requested
 * twice.
 */
const pathsPerSecond = 400;
const megabyte = 1024 * 1024;
const goalsMb = { first: 150, warm: 120, charges: 220 };
/**
 * Milliseconds to wait before the memory of an idle server is measured. Two seconds after its start, a server frees
 * memory that only the start needed.
 */
const idleMs = 10_000;
const run = promisify(execFile);

/**
 * Measures the resident memory of an idle server after its first start and a later one. Then sends charged requests
 * without a pause, and compares memory and speed at the end with those at the beginning.
 */
export async function memory({ seconds = defaultSeconds, signal, print }: BenchOptions): Promise<void> {
  const { first, warm } = await idleMemory(Math.min(idleMs, seconds * 1000));
  await using database = await startBenchServer();
  using load = startLoadGenerator();
  await using served = await serveContestant('charged', await database.createDatabase('memory'));
  const partSeconds = Math.max(minSeconds, seconds / parts);
  const rates: number[] = [];
  const sizes: number[] = [];
  for (let part = 0; part < parts; part += 1) {
    signal.throwIfAborted();
    const plans = Array.from({ length: connections }, (_, index) => ({
      headers: served.headers[index % served.headers.length] ?? {},
      paths: newHandles(Math.ceil(partSeconds * pathsPerSecond)),
    }));
    const result = await load.run({ origin: served.origin, seconds: partSeconds, plans }, 200);
    rates.push(result.answers_per_second);
    sizes.push((await served.usage()).memory / megabyte);
  }
  const third = parts / 3;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const speed = mean(rates.slice(-third)) / mean(rates.slice(0, third));
  const largest = Math.max(...sizes);
  print(
    table([
      [`${(parts * partSeconds).toFixed(0)} s of charges`, 'measured', 'goal', 'reached'],
      ['speed, last third / first', speed.toFixed(2), ...goalColumns(speed, { at: 'least', ratio: 0.9 })],
      ['memory, MB', largest.toFixed(0), ...goalColumns(largest, { at: 'most', ratio: goalsMb.charges })],
      ['idle after the first start, MB', first.toFixed(0), ...goalColumns(first, { at: 'most', ratio: goalsMb.first })],
      ['idle after a warm start, MB', warm.toFixed(0), ...goalColumns(warm, { at: 'most', ratio: goalsMb.warm })],
      ['memory over time, MB', sizes.map((size) => size.toFixed(0)).join(' '), '', ''],
    ]),
  );
}

async function idleMemory(waitMs: number): Promise<{ first: number; warm: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-memory-'));
  await chmod(folder, 0o711);
  const measure = async (pid: number) => {
    await pause(waitMs);
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
    return (Number(stdout) * 1024) / megabyte;
  };
  try {
    return { first: await withServer(folder, measure), warm: await withServer(folder, measure) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
