import type { Logger } from 'pino';
import type { OnChild } from '../db/embedded/cluster.ts';
import { openDatabase } from '../db/open.ts';
import { createSources } from '../pipeline/create-sources.ts';
import { createLog } from '../pipeline/log.ts';
import type { Config } from './config.ts';
import { createWriteLog } from './http/write-log.ts';
import { listen } from './listen.ts';

/**
 * Number of milliseconds after the first stop signal in which more signals are ignored. With `npm start`, one Ctrl-C
 * arrives twice: from the terminal and from npm.
 */
const repeatedSignalMs = 3_000;

/**
 * Starts the server and runs it until SIGINT or SIGTERM. Never resolves, because the process then ends. Throws when the
 * start fails.
 */
export async function start(config: Config): Promise<void> {
  const log = createLog();
  const writeLog = createWriteLog();
  const now = () => new Date();
  const stopRequested = stopSignal(log);
  const sources = createSources(config, now);
  // Opens the port before the database, so that a second server on the same port fails before it starts a database.
  const httpServer = await listen(config, writeLog);
  const { promise: childBegan, resolve: childBegins } = Promise.withResolvers<void>();
  const onChild: OnChild = (work) => {
    if (work === 'create') loadSignIn();
    childBegins();
  };
  const opening = openDatabase({ ...config, role: 'server', on_child: onChild }, log);
  try {
    // Loads the rest of the program while the built-in PostgreSQL starts in its own process, but not earlier: while
    // this process loads modules, it cannot start another process.
    await Promise.race([childBegan, opening]);
    const [db, { run }] = await Promise.all([opening, import('./run.ts')]);
    await run(config, {
      db,
      http_server: httpServer,
      stop_requested: stopRequested,
      sources,
      now,
      log,
      write_log: writeLog,
    });
  } catch (error) {
    httpServer.closeNow();
    throw error;
  } finally {
    const db = await opening.catch(() => null);
    await db?.close();
  }
  log.info('stopped');
  process.exit(0);
}

/**
 * Loads the dashboard and its sign-in library while PostgreSQL creates the database. The first start needs them to
 * print a sign-in link, so this saves time. An error is ignored here, because creating the link reports it.
 */
function loadSignIn(): void {
  Promise.all([
    import('./dashboard/dashboard.ts'),
    import('./dashboard/account/accounts.ts').then(({ loadAuth }) => loadAuth()),
  ]).catch(() => undefined);
}

/**
 * Resolves at the first SIGINT or SIGTERM, even while the server is still starting. A signal more than
 * `repeatedSignalMs` later ends the process immediately.
 */
function stopSignal(log: Logger): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stoppingSince: number | null = null;
    const stop = (signal: NodeJS.Signals) => {
      if (stoppingSince !== null && performance.now() - stoppingSince > repeatedSignalMs) process.exit(1);
      if (stoppingSince !== null) return;
      stoppingSince = performance.now();
      log.info('stopping: requests in progress are finished first');
      resolve(signal);
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}
