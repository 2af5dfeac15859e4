import { createKey } from '../../db/accounts/keys.ts';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import type { Tier } from '../../db/tier.ts';
import { inTransaction } from '../../db/transaction.ts';

import { createBreakers } from '../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../pipeline/collect/sources.ts';
import type { Fetcher } from '../../pipeline/network/fetcher.ts';
import type { RequestLog } from '../../server/http/handle-request.ts';
import { createService } from '../../server/service.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

/**
 * The JSON body of an API answer, limited to the members that tests read. Each test asserts the members that it
 * expects.
 */
export interface Body {
  data: {
    profile: Record<string, unknown>;
    item: Record<string, unknown>;
    items: Record<string, unknown>[];
    pagination: { next_cursor: string | null; limit: number };
    columns: string[];
    rows: unknown[][];
    [other: string]: unknown;
  };
  meta: Record<string, unknown>;
  error: {
    code: string;
    message: string;
    status: number;
    retryable: boolean;
    retry_after_seconds: number | null;
    documentation_url: string;
    details: { parameter: string; message: string }[];
  };
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: Body;
}

export interface TestServiceOptions {
  fetch: Fetcher;
  requests_per_minute?: number;
  security_contact?: string;
  /** Enables circuit breakers as in production. By default, failures never pause a source. */
  breakers?: true;
  env?: Record<string, string>;
  db?: TestDatabase;
}

export interface TestKeys {
  workspace_id: string;
  live_key: string;
  test_key: string;
}

/** The services that use each test database. All services must stop writing before their database closes. */
const servicesOn = new WeakMap<TestDatabase, { close(): Promise<void> }[]>();

/** Creates the real service over its own database, with the network and the clock of the test. */
export async function createTestService(options: TestServiceOptions) {
  const db = options.db ?? (await createTestDatabase());
  const clock = { now: new Date('2026-11-20T10:00:00.000Z') };
  const now = () => clock.now;
  const logs: RequestLog[] = [];
  const slept: number[] = [];
  const service = await createService({
    db,
    now,
    base_url: 'http://tidemark.test',
    requests_per_minute: options.requests_per_minute ?? 1_000_000,
    security_contact: options.security_contact ?? null,
    sources: {
      fetch: options.fetch,
      config: readSourcesConfig(options.env ?? {}),
      now,
      breakers: createBreakers({ now, enabled: options.breakers === true }),
    },
    log: (entry) => logs.push(entry),
    on_error: (error) => {
      throw error;
    },
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
    },
  });

  servicesOn.set(db, [...(servicesOn.get(db) ?? []), service]);

  async function ask(path: string, key?: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (key !== undefined) headers.set('x-api-key', key);
    const response = await service.app.request(`http://tidemark.test${path}`, { ...init, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null };
  }

  return {
    db,
    clock,
    logs,
    slept,
    ask,
    app: service.app,
    readMetrics: service.readMetrics,
    workspace: (credits: number, tier: Tier = 'air'): Promise<TestKeys> =>
      inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'test', credits, tier })),
    key: (workspaceId: string, key: Parameters<typeof createKey>[2]) => createKey(db.sql, workspaceId, key),
    /** Stops this service and leaves the database open. */
    stop: () => service.close(),
    /** Closes every service on this database, then the database. */
    async close() {
      await Promise.all([...(servicesOn.get(db) ?? [])].map((one) => one.close()));
      await db.close();
    },
  };
}

export type TestService = Awaited<ReturnType<typeof createTestService>>;
