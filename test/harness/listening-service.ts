import { inspect } from 'node:util';
import { createAdaptorServer } from '@hono/node-server';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { createBreakers } from '../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../pipeline/collect/sources.ts';
import type { Fetcher } from '../../pipeline/network/fetcher.ts';
import { createClientAddress, type TrustedProxies } from '../../server/http/client-address.ts';
import type { RequestLog } from '../../server/http/handle-request.ts';
import { createService } from '../../server/service.ts';
import { isCitusRun } from '../setup/citus.ts';
import { patientMs } from '../setup/test-database.ts';
import { listenLocally } from './local-server.ts';

export interface ListeningOptions {
  database_url: string;
  fetch: Fetcher;
  now?: () => Date;
  requests_per_minute?: number;
  /** The address on which the service listens. Default: 127.0.0.1. */
  host?: string;
  /** Proxies whose forwarding headers are trusted. Default: no proxy. */
  trust_proxy?: TrustedProxies;
  /** Name of the connections in pg_stat_activity: `tidemark-<role>`. */
  role?: string;
  /** Time limit of a charge in milliseconds; see ServiceDeps. */
  charge_limit_ms?: number;
  /** Maximum time (ms) to wait for the database. Default: {@link patientMs}. */
  database_timeout_ms?: number;
  /** Receives errors of background work. Default: such an error fails the test. */
  on_error?: (error: unknown) => void;
}

export interface ListeningService {
  base_url: string;
  port: number;
  logs: RequestLog[];
  /** Returns the distinct causes of all answers with a status of 500 or higher. */
  failures(): string;
  close(): Promise<void>;
}

/**
 * Starts a service inside the test process that behaves like a separate process: it has its own database connections,
 * caches and socket.
 */
export async function listeningService(options: ListeningOptions): Promise<ListeningService> {
  const { now = () => new Date(), requests_per_minute = 1_000_000, role = 'server', on_error = fail } = options;
  const { host = '127.0.0.1', trust_proxy = 0 } = options;
  const { database_timeout_ms = patientMs } = options;
  const db = connectClients(parseDatabaseUrl(options.database_url), role, {
    distributed: isCitusRun,
    database_timeout_ms,
  });
  const logs: RequestLog[] = [];
  const breakers = createBreakers({ now, enabled: false });
  const service = await createService({
    db,
    now,
    base_url: 'http://tidemark.test',
    requests_per_minute,
    client_address: createClientAddress(trust_proxy),
    ...(options.charge_limit_ms === undefined ? {} : { charge_limit_ms: options.charge_limit_ms }),
    sources: { fetch: options.fetch, config: readSourcesConfig({}), now, breakers },
    log: (entry) => logs.push(entry),
    on_error,
    sleep: async () => undefined,
  });
  const server = createAdaptorServer({ fetch: service.app.fetch });
  const port = await listenLocally(server, host);
  return {
    base_url: `http://127.0.0.1:${port}`,
    port,
    logs,
    failures: () => [...new Set(logs.filter(({ status }) => status >= 500).map(causeOf))].join('\n'),
    async close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await service.close();
      await db.close();
    },
  };
}

function causeOf({ status, code, error }: RequestLog): string {
  return `${status} ${code}: ${inspect(error, { depth: 3 })}`;
}

function fail(error: unknown): never {
  throw error;
}
