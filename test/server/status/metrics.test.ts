import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { readQueueStates } from '../../../db/queue.ts';
import { createReadiness } from '../../../db/readiness.ts';
import { readCanaries } from '../../../db/requests/canary.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import { listJobs } from '../../../pipeline/jobs/all.ts';
import { metricsText } from '../../../pipeline/metrics/text.ts';
import { startQueue } from '../../../pipeline/queue/queue.ts';
import type { MetricFamily } from '../../../pipeline/telemetry/telemetry.ts';
import { readConfig } from '../../../server/config.ts';
import { createService, type Service } from '../../../server/service.ts';
import { createTriggers } from '../../setup/citus.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../../setup/test-database.ts';
import { inventedUpstream } from '../invented-upstream.ts';

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const jobNames = listJobs().map(({ name }) => name);
const namePattern = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const samplePattern = new RegExp(`^(${namePattern})(?:\\{(.*)\\})? (-?[0-9.e+-]+|\\+Inf|-Inf|NaN)$`);
const labelPattern = new RegExp(`^(${namePattern})="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"(?:,|$)`);

const unescaped = (text: string) => text.replace(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter));

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ''; ) {
    const found = labelPattern.exec(rest);
    if (!found) throw new Error(`no label: ${rest}`);
    labels[found[1] as string] = unescaped(found[2] as string);
    rest = rest.slice(found[0].length);
  }
  return labels;
}

/**
 * Parses metrics in Prometheus text format 0.0.4. Throws unless HELP and TYPE precede the values of a metric, these
 * values are consecutive, and each series occurs only once.
 */
function parsed(text: string): Sample[] {
  expect(text.endsWith('\n')).toBe(true);
  const lines = text.slice(0, -1).split('\n');
  const samples: Sample[] = [];
  const names = new Set<string>();
  const series = new Set<string>();
  for (let at = 0; at < lines.length; ) {
    const help = new RegExp(`^# HELP (${namePattern}) .+$`).exec(lines[at] ?? '');
    const name = help?.[1] ?? `no HELP: ${lines[at]}`;
    expect(lines[at + 1]).toMatch(new RegExp(`^# TYPE ${name} (counter|gauge)$`));
    expect(name).toMatch(/^tidemark_/);
    expect(names).not.toContain(name);
    names.add(name);
    const first = at + 2;
    for (at = first; at < lines.length && !lines[at]?.startsWith('#'); at += 1) {
      const line = lines[at] as string;
      const found = samplePattern.exec(line);
      expect([line, found?.[1]]).toEqual([line, name]);
      const one = line.slice(0, line.lastIndexOf(' '));
      expect(series).not.toContain(one);
      series.add(one);
      samples.push({ name, labels: labelsOf(found?.[2] ?? ''), value: Number(found?.[3]) });
    }
    expect(at).toBeGreaterThan(first);
  }
  return samples;
}

describe('the text format of metrics', () => {
  test('the text of metrics escapes labels and help, and leaves out metrics without values', () => {
    const hostile = 'a "quoted" \\ back\\n and\nnew line';
    const families: MetricFamily[] = [
      { name: 'one', help: 'first\nsecond \\ line', type: 'counter', samples: [{ labels: { hostile }, value: 1.5 }] },
      { name: 'none', help: 'nothing', type: 'gauge', samples: [] },
      { name: 'two', help: 'plain', type: 'gauge', samples: [{ value: -3e-7 }] },
    ];
    const text = metricsText(families);
    expect(parsed(text)).toEqual([
      { name: 'tidemark_one', labels: { hostile }, value: 1.5 },
      { name: 'tidemark_two', labels: {}, value: -3e-7 },
    ]);
    expect(text).toContain('# HELP tidemark_one first\\nsecond \\\\ line\n');
  });
});

test('the metrics are off when METRICS_TOKEN is not set or empty', () => {
  expect(readConfig({}).metrics_token).toBeNull();
  expect(readConfig({ METRICS_TOKEN: '' }).metrics_token).toBeNull();
  expect(readConfig({ METRICS_TOKEN: 'invented' }).metrics_token).toBe('invented');
});

describe('GET /metrics', () => {
  const token = 'invented-metrics-token';
  const upstream = inventedUpstream();
  const errors: unknown[] = [];
  const services: Service[] = [];
  let db: TestDatabase;

  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.close()));
    errors.length = 0;
    Object.assign(upstream, { answer: null, hold: Promise.resolve() });
  });
  afterAll(() => db.close());

  async function start(options: { token: string | null; database_down?: true } = { token }): Promise<Service['app']> {
    const queueStates = () =>
      options.database_down ? Promise.reject(new Error('invented')) : readQueueStates(db.sql, jobNames);
    const now = () => new Date();
    const service = await createService({
      db,
      now,
      base_url: 'http://tidemark.test',
      requests_per_minute: 1_000,
      sources: { fetch: upstream.fetch, config: readSourcesConfig({}), now, breakers: createBreakers({ now }) },
      metrics_access: {
        token: options.token,
        queue_states: queueStates,
        canaries: () => readCanaries(db.sql),
        can_store: createReadiness(db.sql),
      },
      log: () => undefined,
      on_error: (error) => errors.push(error),
      sleep: async () => undefined,
    });
    services.push(service);
    return service.app;
  }

  const ask = (app: Service['app'], authorization?: string) =>
    app.request('http://tidemark.test/metrics', authorization ? { headers: { authorization } } : {});

  async function read(app: Service['app']) {
    const response = await ask(app, `Bearer ${token}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    const samples = parsed(await response.text());
    return {
      samples,
      value(name: string, labels: Record<string, string> = {}): number | undefined {
        const wanted = Object.entries(labels);
        return samples.find(
          (sample) =>
            sample.name === `tidemark_${name}` && wanted.every(([label, text]) => sample.labels[label] === text),
        )?.value;
      },
    };
  }

  test('GET /metrics does not exist without METRICS_TOKEN', async () => {
    const app = await start({ token: null });
    expect((await ask(app, `Bearer ${token}`)).status).toBe(404);
  });

  test.each([
    ['nothing', undefined],
    ['another token', 'Bearer invented'],
    ['a beginning of the token', `Bearer ${token.slice(0, -1)}`],
    ['more than the token', `Bearer ${token}x`],
    ['the token in another scheme', `Basic ${token}`],
    ['no token', 'Bearer '],
  ])('GET /metrics with %s answers 401 without any metric', async (_, authorization) => {
    const response = await ask(await start(), authorization);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="metrics"']);
    expect(await response.text()).not.toContain('tidemark_');
  });

  test('GET /metrics counts requests by route and outcome, charges, and requests in flight', async () => {
    const { live_key, test_key } = await inTransaction(db.sql, (tx) =>
      createWorkspace(tx, { name: 'measured', credits: 10 }),
    );
    const app = await start();
    const get = (path: string, key: string) =>
      app.request(`http://tidemark.test${path}`, { headers: { 'x-api-key': key } });
    const route = '/v1/photo/profile';
    await get(`${route}?handle=one.kite`, live_key);
    await get(`${route}?handle=two.kite`, live_key);
    await get(`${route}?handle=one.kite&cache_max_age=1d`, live_key);
    await get(`${route}?handle=tidemark.sample`, test_key);
    await get(`${route}?handle=no handle`, live_key);
    await get(`${route}?handle=one.kite`, 'no-key');
    await get('/v1/photo/profil', live_key);
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const held = get(`${route}?handle=three.kite`, live_key);
    await expect.poll(() => upstream.asked.length).toBe(3);

    const during = await read(app);
    const outcomes = { OK: 2, HIT: 1, SANDBOX: 1, INVALID_INPUT: 1, INVALID_API_KEY: 1 };
    for (const [outcome, count] of Object.entries(outcomes)) {
      expect([outcome, during.value('requests_total', { route, outcome })]).toEqual([outcome, count]);
    }
    expect(during.value('requests_total', { route: 'unknown', outcome: 'ROUTE_NOT_FOUND' })).toBe(1);
    expect(during.value('charges_total')).toBe(2);
    expect(during.value('charged_credits_total')).toBe(2);
    expect(during.value('requests_in_flight')).toBe(1);
    resolve();
    await held;
    const after = await read(app);
    expect([after.value('requests_in_flight'), after.value('charges_total')]).toEqual([0, 3]);
    expect(JSON.stringify(after.samples)).not.toMatch(/kite|tide_/);
  });

  test('GET /metrics reports the state of the circuit breaker of each source that was requested', async () => {
    const { live_key } = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'measured', credits: 10 }));
    const app = await start();
    expect((await read(app)).value('source_breaker')).toBeUndefined();
    upstream.answer = () => ({ status: 502, body: Buffer.from('') });
    for (let n = 0; n < 5; n += 1) {
      await app.request(`http://tidemark.test/v1/photo/profile?handle=down.${n}`, {
        headers: { 'x-api-key': live_key },
      });
    }
    const { value } = await read(app);
    const states = ['closed', 'open', 'probing'].map((state) =>
      value('source_breaker', { source: 'instagram-web', state }),
    );
    expect(states).toEqual([0, 1, 0]);
    expect(value('source_consecutive_failures', { source: 'instagram-web' })).toBe(5);
  });

  test('GET /metrics reports depth and lag of every queue', async () => {
    const app = await start();
    const queue = await startQueue({ sql: db.sql, jobs: listJobs(), log: silentLog, work: null });
    await queue.send('track-check', [
      { key: 'one', data: {} },
      { key: 'two', data: {} },
    ]);
    await queue.send('track-check', [{ key: 'later', data: {}, start_after: new Date(Date.now() + 3_600_000) }]);
    await queue.stop();
    await db.sql`update jobs.job set start_after = start_after - interval '1 minute' where singleton_key = 'one'`;
    const finished = new Date('2026-11-09T08:00:00Z');
    await db.sql`
      insert into jobs.job (name, state, completed_on) values ('track-sweep', 'completed', ${finished}),
        ('track-sweep', 'completed', ${finished}::timestamptz - interval '1 hour'),
        ('evaluate-alerts', 'failed', ${finished})`;
    const { value } = await read(app);
    const depth = ['queued', 'active', 'deferred', 'failed'].map((state) =>
      value('queue_items', { job: 'track-check', state }),
    );
    expect(depth).toEqual([2, 0, 1, 0]);
    expect(value('queue_lag_seconds', { job: 'track-check' })).toBeGreaterThanOrEqual(60);
    for (const job of jobNames) expect(value('queue_items', { job, state: 'queued' })).toBeTypeOf('number');
    expect(value('queue_lag_seconds', { job: 'cleanup' })).toBe(0);
    const lastOf = (job: string) => value('queue_last_finished_timestamp_seconds', { job });
    expect(lastOf('track-sweep')).toBe(finished.getTime() / 1000);
    expect(lastOf('evaluate-alerts'), 'a job that only failed').toBeUndefined();
    expect(value('database_up')).toBe(1);
  });

  test('GET /metrics works without the database, and reports that the database is down', async () => {
    const { value } = await read(await start({ token, database_down: true }));
    expect([value('database_up'), value('queue_lag_seconds')]).toEqual([0, undefined]);
    expect(value('requests_in_flight')).toBe(0);
    expect(errors).toHaveLength(1);
  });

  test('GET /metrics reports that the database is down when it is read-only, and still shows the queues', async () => {
    const app = await start();
    await createTriggers(db.sql, [
      `create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'cannot execute INSERT in a read-only transaction' using errcode = '25006'; end $$`,
      'create trigger refuse before insert or update on settings execute function refuse()',
    ]);
    const { value } = await read(app);
    await db.sql.unsafe('drop function refuse cascade');
    expect([value('database_up'), value('queue_lag_seconds', { job: 'cleanup' })]).toEqual([0, 0]);
    expect(errors).toHaveLength(1);
  });

  test('GET /metrics reports memory, CPU time and the lag of the event loop', async () => {
    const { value } = await read(await start());
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
    const started = value('process_start_time_seconds') ?? 0;
    expect(Math.abs(Date.now() / 1_000 - process.uptime() - started)).toBeLessThan(5);
    await expect
      .poll(async () =>
        (await read(services[0]?.app as Service['app'])).value('event_loop_lag_seconds', { statistic: 'max' }),
      )
      .toBeGreaterThanOrEqual(0);
  });
});
