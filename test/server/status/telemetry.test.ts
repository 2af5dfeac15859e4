import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { copyDataFolder, tidyUp, withDatabase } from '../../harness/data-folder.ts';
import { writeInventedManifest } from '../../harness/invented-manifest.ts';
import { runProgram, type ServiceProcess, startService } from '../../harness/service-process.ts';
import { openFolder, until } from '../../setup/processes.ts';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
  status: { code?: number };
}

let folder: string;
let dataDir: string;
let collector: Server;
let server: ServiceProcess;
let env: Record<string, string>;
let key: string;
const received: { path: string; text: string }[] = [];

beforeAll(async () => {
  folder = await openFolder();
  dataDir = join(folder, 'data');
  await copyDataFolder(dataDir);
  collector = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    received.push({ path: request.url ?? '', text: Buffer.concat(parts).toString() });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await until(async () => collector.listening);
  env = {
    DATA_DIR: dataDir,
    UPSTREAM_REPLAY: await writeInventedManifest(folder),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-secret',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  server = await startService({ ...env, PIPELINE: 'off' });
  key = await withDatabase(dataDir, (sql) =>
    inTransaction(sql, async (tx) => (await createWorkspace(tx, { name: 'traced', credits: 100 })).live_key),
  );
}, 60_000);
afterAll(async () => {
  await server?.stop();
  collector?.close();
  await tidyUp(folder, dataDir);
});

const sent = (path: string) => received.filter((one) => one.path === path).map(({ text }) => text);
const spans = (): Span[] =>
  sent('/v1/traces').flatMap((text) =>
    JSON.parse(text).resourceSpans.flatMap((resource: { scopeSpans: { spans: Span[] }[] }) =>
      resource.scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
const attributeOf = ({ attributes }: Span, name: string) => {
  const { stringValue, intValue } = attributes.find((one) => one.key === name)?.value ?? {};
  return stringValue ?? (intValue === undefined ? undefined : Number(intValue));
};

test('a request is a telemetry span with its route and status, below the trace of the caller, and the platform request is its child', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const answer = await fetch(`${server.base_url}/v1/photo/profile?handle=traced_handle`, {
    headers: { 'x-api-key': key, 'x-request-id': 'traced_1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  });
  expect(answer.status).toBe(200);
  const find = () => spans().find((span) => attributeOf(span, 'tidemark.request_id') === 'traced_1');
  await until(async () => find() !== undefined);
  const span = find() as Span;
  expect(span).toMatchObject({ name: 'GET /v1/photo/profile', traceId, parentSpanId: '00f067aa0ba902b7' });
  expect([attributeOf(span, 'http.route'), attributeOf(span, 'http.response.status_code')]).toEqual([
    '/v1/photo/profile',
    200,
  ]);
  const child = spans().find(({ parentSpanId }) => parentSpanId === span.spanId);
  expect(child?.name).toMatch(/^GET .*instagram\.com$/);
  expect(attributeOf(child as Span, 'http.response.status_code')).toBe(200);
});

test('telemetry metrics arrive with the same names as in /metrics', async () => {
  await until(async () => sent('/v1/metrics').some((text) => text.includes('"tidemark_charged_credits_total"')));
  const text = sent('/v1/metrics').at(-1) ?? '';
  expect(text).toContain('"tidemark_database_up"');
  expect(text).toContain('"tidemark_requests_total"');
  expect(text).toContain('tidemark-server');
});

test('a pipeline sends its own metrics, apart from those of the server', async () => {
  const pipeline = runProgram(['pipeline/main.ts'], env);
  const from = (service: string) => sent('/v1/metrics').filter((text) => text.includes(`"${service}"`));
  await until(async () => from('tidemark-pipeline').length > 0 && from('tidemark-server').length > 0);
  expect(from('tidemark-pipeline').at(-1)).toContain('"tidemark_process_cpu_seconds_total"');
  const idsOf = (service: string) =>
    from(service).map((text) => /"service\.instance\.id","value":\{"stringValue":"([^"]+)"/.exec(text)?.[1]);
  const ids = new Set([...idsOf('tidemark-server'), ...idsOf('tidemark-pipeline')]);
  expect([ids.size, ids.has(undefined)]).toEqual([2, false]);
  pipeline.child.kill('SIGTERM');
  expect((await pipeline.ended).code).toBe(0);
}, 60_000);

test('no telemetry span contains the key, the handle or the header of the collector', async () => {
  const all = sent('/v1/traces').join('');
  expect(all).toContain('GET /v1/photo/profile');
  for (const secret of [key, 'traced_handle', 'collector-secret']) expect(all).not.toContain(secret);
});

test('the service answers while the telemetry collector cannot be reached, and stops in time', async () => {
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
  const answer = await fetch(`${server.base_url}/v1/photo/profile?handle=another_one`, {
    headers: { 'x-api-key': key },
  });
  expect(answer.status).toBe(200);
  await until(async () => server.output().includes('telemetry could not be sent'));
  expect(server.output()).not.toContain('collector-secret');
  const started = performance.now();
  expect((await server.stop()).code).toBe(0);
  expect(performance.now() - started).toBeLessThan(10_000);
}, 40_000);
