import { type ChildProcess, fork } from 'node:child_process';
import cluster from 'node:cluster';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, maxPort } from '../pipeline/config.ts';
import { readConfig } from './config.ts';

const usage =
  'Usage: npm run up -- [--servers N] [--pipelines N]\nRuns N servers on one port and N pipelines, 1 to 64 of each; without options, 2 and 1. Restarts a process that ends. SIGTERM stops all of them.';
const maxProcesses = 64;
const firstPauseMs = 1_000;
const maxPauseMs = 30_000;
/** After a process has run for longer than this, the pause before its next restart is only `firstPauseMs`. */
const stableMs = 60_000;
/**
 * When a process ends with code 1 within this time after the start, all processes are stopped, because a setting or the
 * database is probably wrong.
 */
const firstStartMs = 15_000;

const root = join(import.meta.dirname, '..');
const running = new Map<ChildProcess, string>();
let stopping = false;
let exitCode = 0;

const { servers, pipelines } = readCounts();
const metricsPort = checkSettings();
cluster.setupPrimary({ exec: join(root, 'server/main.ts') });
// The servers share one port, which this process opens. The servers end when this process is killed.
for (let n = 1; n <= servers; n += 1) keepRunning(`server ${n}`, () => startServer(ownPort(n)));
for (let n = 1; n <= pipelines; n += 1) keepRunning(`pipeline ${n}`, () => startPipeline(ownPort(servers + n)));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);

function readCounts(): { servers: number; pipelines: number } {
  try {
    const options = { servers: { type: 'string', default: '2' }, pipelines: { type: 'string', default: '1' } } as const;
    const { values } = parseArgs({ options });
    return { servers: countOf(values.servers), pipelines: countOf(values.pipelines) };
  } catch {
    return fail(usage);
  }
}

function countOf(text: string): number {
  const count = Number(text);
  if (!/^\d{1,2}$/.test(text) || count < 1 || count > maxProcesses) throw new Error(usage);
  return count;
}

/** Checks the settings before any process starts. Returns the first port for metrics; null without METRICS_PORT. */
function checkSettings(): number | null {
  try {
    const { port, metrics_port } = readConfig(process.env);
    if (port === 0)
      fail(
        'PORT must not be 0, because each server would choose a different port: set PORT to a number from 1 to 65535.',
      );
    if (metrics_port === null) return null;
    const last = metrics_port.port + servers + pipelines - 1;
    if (last > maxPort || (metrics_port.port < port && port <= last))
      fail(
        `METRICS_PORT ${metrics_port.port} leaves no port for each process: it must be followed by ${servers + pipelines - 1} ports other than PORT.`,
      );
    return metrics_port.port;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return fail(error.message);
  }
}

/** Returns the settings that give process number `n` its own port for metrics, so that each process can be read. */
function ownPort(n: number): Record<string, string> {
  return metricsPort === null ? {} : { METRICS_PORT: String(metricsPort + n - 1) };
}

function startPipeline(settings: Record<string, string>): ChildProcess {
  return fork(join(root, 'pipeline/main.ts'), { env: { ...process.env, ...settings } });
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

/**
 * Starts a server. When the server is killed, closes the connection that was just being passed to it, because
 * node:cluster would keep this connection open and its client would wait forever. There is at most one such connection,
 * because the next one is passed only after the server's reply.
 */
function startServer(settings: Record<string, string>): ChildProcess {
  const child = cluster.fork({ PIPELINE: 'off', ...settings }).process;
  const send = child.send.bind(child) as (...sent: unknown[]) => boolean;
  let connection: { close(): void } | undefined;
  child.send = (...sent: unknown[]) => {
    connection = (sent[1] as typeof connection) ?? connection;
    return send(...sent);
  };
  child.once('exit', () => connection?.close());
  return child;
}

/** Starts a process, and restarts it whenever it ends. The pauses between starts grow up to 30 seconds. */
function keepRunning(name: string, start: () => ChildProcess, pauseMs = firstPauseMs): void {
  if (stopping) return;
  const child = start();
  const startedMs = performance.now();
  running.set(child, name);
  child.once('exit', (code, signal) => {
    running.delete(child);
    if (stopping) return endWhenStopped();
    if (code === 1 && performance.now() < firstStartMs) {
      exitCode = 1;
      return stop();
    }
    const isStable = performance.now() - startedMs > stableMs;
    const waitMs = isStable ? firstPauseMs : pauseMs;
    console.error(`${name} ended (${signal ?? code}): starting it again in ${waitMs / 1_000} s.`);
    setTimeout(() => keepRunning(name, start, Math.min(waitMs * 2, maxPauseMs)), waitMs);
  });
}

/** Stops all processes with SIGTERM. The second call, after a second signal, kills them with SIGKILL. */
function stop(): void {
  for (const child of running.keys()) child.kill(stopping ? 'SIGKILL' : 'SIGTERM');
  stopping = true;
  endWhenStopped();
}

function endWhenStopped(): void {
  if (running.size === 0) process.exit(exitCode);
}
