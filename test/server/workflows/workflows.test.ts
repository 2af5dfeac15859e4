import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openApi } from '../../../server/openapi/document.ts';
import { workflows } from '../../../server/workflows/catalog.ts';
import { column, workflowPath } from '../data/tables.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch });
});
beforeEach(async () => {
  upstream.asked.length = 0;
  keys = await service.workspace(100, 'pro');
});
afterAll(() => service.close());

interface Documented {
  parameters: { name: string; in: string; required: boolean }[];
}

const rows = workflows.map((workflow) => [workflow.path, workflow] as const);
const photo = 'https://www.instagram.com/invented/';

describe.each(rows)('the workflow route %s', (path, { required, parameters, columns }) => {
  const example = `${path}?${required}=${encodeURIComponent(parameters[required]?.example ?? '')}`;

  test('a workflow reports all bad parameters together, with the nearest known parameter or column', async () => {
    const answer = await service.ask(`${path}?formt=csv&format=xml&fields=mesage,statuss`, keys.live_key);
    const said = (parameter: string, message: unknown) => ({ parameter, message });
    expect(answer.status).toBe(400);
    expect(answer.json.error.details).toEqual([
      said('formt', 'is not a parameter of this route: did you mean format?'),
      said('format', expect.stringContaining('json')),
      said(required, expect.stringContaining('is required')),
      said('fields', 'mesage is not a column: did you mean message?'),
      said('fields', 'statuss is not a column: did you mean status?'),
    ]);
    const plural = await service.ask(`${path}?${required}s=x`, keys.live_key);
    expect(plural.json.error.details[0]?.message).toContain(`did you mean ${required}?`);
  });

  test('a workflow accepts every parameter of its table, and OpenAPI lists these parameters and all columns', async () => {
    const { paths } = openApi('http://tidemark.test') as { paths: Record<string, { get: Documented }> };
    const documented = (paths[path]?.get.parameters ?? []).filter((parameter) => parameter.in === 'query');
    expect(documented.map(({ name }) => name)).toEqual(Object.keys(parameters));
    expect(documented.filter((parameter) => parameter.required).map(({ name }) => name)).toEqual([required]);
    for (const column of columns) expect(JSON.stringify(paths[path])).toContain(`"${column}"`);
  });

  test('a workflow is in the reference and in llms.txt, made from the same table', async () => {
    const reference = (await service.ask('/docs/api')).text;
    expect(reference).toContain(`<code>${path}</code>`);
    for (const { description } of Object.values(parameters)) expect(reference).toContain(description.split(/['"<]/)[0]);
    expect((await service.ask('/llms.txt')).text).toContain(`GET ${path}?${required}=`);
  });

  test.each(['HEAD', 'POST'])('a workflow answers only GET, not %s', async (method) => {
    const { status, headers } = await service.ask(example, keys.test_key, { method });
    expect([status, headers.get('allow'), headers.get('x-credits-charged')]).toEqual([405, 'GET', '0']);
  });

  test('a workflow accepts a sheet key and rejects an unknown key', async () => {
    const { key } = await service.key(keys.workspace_id, { kind: 'sheet', name: 'sheet', monthly_cap: 10 });
    expect((await service.ask(example, key)).status).toBe(200);
    expect((await service.ask(example)).json.error.code).toBe('INVALID_API_KEY');
  });

  test('a workflow gives a development key rows of samples, free, with every column in order', async () => {
    const answer = await service.ask(example, keys.test_key);
    expect(answer.json.data.columns).toEqual([...columns]);
    expect(answer.json.data.rows.length).toBeGreaterThan(0);
    expect(new Set(column(answer, 'status'))).toEqual(new Set(['OK']));
    expect(answer.json.meta).toMatchObject({ sandbox: true, credits_charged: 0 });
    expect(upstream.asked).toEqual([]);
  });

  test('a workflow with format=csv gives the same rows under a header, safe from formulas', async () => {
    const json = await service.ask(`${example}&fields=status,message`, keys.test_key);
    const csv = await service.ask(`${example}&fields=status,message&format=csv`, keys.test_key);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z]+\.csv"$/);
    expect(csv.text.split('\r\n')).toHaveLength(json.json.data.rows.length + 2);
    expect(csv.text.startsWith('status,message\r\nOK,')).toBe(true);
  });
});

describe('a sheet key', () => {
  test('a sheet key can call the workflow routes and the balance, but no data route', async () => {
    const { key } = await service.key(keys.workspace_id, { kind: 'sheet', name: 'sheet', monthly_cap: 10 });
    for (const path of ['/v1/credit/balance', '/v1/workflows/campaigns']) {
      expect((await service.ask(path, key)).status).toBe(200);
    }
    const report = await service.ask('/v1/workflows/campaign-report?id=00000000-0000-7000-8000-000000000000', key);
    expect(report.json.error.code).toBe('RESOURCE_NOT_FOUND');
    const data = await service.ask('/v1/photo/profile?handle=invented', key);
    expect([data.status, data.json.error.code]).toEqual([403, 'SHEET_KEY_RESTRICTED']);
  });

  test('a sheet key over its monthly cap gets rows that say so, and nothing is charged', async () => {
    const { key } = await service.key(keys.workspace_id, { kind: 'sheet', name: 'sheet', monthly_cap: 1 });
    const answer = await service.ask(workflowPath('posts', 'url', [photo]), key);
    expect(column(answer, 'status')).toEqual(['INSUFFICIENT_CREDITS']);
    expect(column(answer, 'message')[0]).toContain('monthly cap');
    expect(answer.json.meta).toMatchObject({ credits_charged: 0, credits_remaining: 100 });
  });
});

describe('a development key', () => {
  const handle = (suffix: string) => `https://www.instagram.com/sandbox_${suffix}/`;

  test.each([
    ['profile', handle('404'), 'RESOURCE_NOT_FOUND'],
    ['posts', handle('403'), 'SOURCE_RESTRICTED'],
    ['posts', 'https://www.youtube.com/@sandbox_408', 'SOURCE_TIMEOUT'],
    ['posts', 'https://www.youtube.com/channel/UCsandbox-422-0000000000', 'SOURCE_RESPONSE_CHANGED'],
    ['post', 'https://www.instagram.com/p/sandbox-429/', 'RATE_LIMITED'],
    ['post', 'https://www.tiktok.com/@x/video/9999999999040200000', 'INSUFFICIENT_CREDITS'],
    ['post', 'https://youtu.be/sandbox-503', 'SOURCE_UNAVAILABLE'],
    ['profile', handle('500'), 'INTERNAL'],
  ])('a development key gets the failures of %s as a row: %s', async (name, url, code) => {
    const answer = await service.ask(workflowPath(name, 'url', [url]), keys.test_key);
    expect([answer.status, column(answer, 'status'), column(answer, 'url')]).toEqual([200, [code], [url]]);
  });

  test.each([
    ['profile', handle('500')],
    ['posts', 'https://www.youtube.com/channel/UCsandbox-422-0000000000'],
  ])('a row of the workflow %s that mentions the request id contains this id', async (name, url) => {
    const answer = await service.ask(workflowPath(name, 'url', [url]), keys.test_key);
    expect(column(answer, 'message')[0]).toContain(`the request id ${answer.json.meta.request_id}`);
  });

  test('a development key gets rounded, hidden and null counts in rows', async () => {
    const quality = async (suffix: string) => {
      const url = `https://www.youtube.com/channel/UCsandbox-${suffix}-0000000000`;
      const answer = await service.ask(workflowPath('posts', 'url', [url], '&limit=1'), keys.test_key);
      return [column(answer, 'counts_quality')[0], column(answer, 'likes')[0]];
    };
    expect(await quality('rnd')).toEqual(['views rounded', expect.any(Number)]);
    expect(await quality('hid')).toEqual(['likes hidden', null]);
    expect(await quality('nul')).toEqual([null, null]);
  });

  test('a development key gets captions that begin like formulas, unchanged in JSON and escaped in CSV', async () => {
    const url = 'https://www.instagram.com/tidemark.sample/';
    const path = workflowPath('posts', 'url', [url], '&fields=caption&limit=20');
    const { json } = await service.ask(path, keys.test_key);
    const formulas = json.data.rows.filter(([caption]) => /^[=+\-@]/.test(String(caption)));
    expect(formulas.length).toBeGreaterThan(0);
    const csv = await service.ask(`${path}&format=csv`, keys.test_key);
    for (const line of csv.text.split('\r\n')) expect(line).not.toMatch(/^"?[=+\-@]/);
  });
});

test('fresh=true and cache_max_age together are refused by a workflow', async () => {
  for (const name of ['profile', 'posts', 'post']) {
    const answer = await service.ask(workflowPath(name, 'url', [photo], '&fresh=true&cache_max_age=1d'), keys.live_key);
    expect(answer.json.error.details).toEqual([
      { parameter: 'fresh', message: 'must not be combined with cache_max_age' },
    ]);
  }
});

test('the posts workflow takes one url, and a limit of 1 to 20', async () => {
  const two = await service.ask(`${workflowPath('posts', 'url', [photo, photo])}&limit=21`, keys.live_key);
  expect(two.json.error.details.map(({ parameter }) => parameter)).toEqual(['url', 'limit']);
});

test('over a real socket, fifty urls of 8 kB together are one workflow request with fifty rows', async () => {
  const server = createServer({ maxHeaderSize: 16 * 1024 }, getRequestListener(service.app.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const urls = Array.from({ length: 50 }, (_, index) => `https://www.instagram.com/p/Fifty${100 + index}/`);
  const path = workflowPath(
    'post',
    'url',
    urls.map((url) => `${url}?${'x'.repeat(110)}`),
    '&fields=status',
  );
  expect(path.length).toBeGreaterThan(8_000);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': keys.test_key } });
  const { data } = (await response.json()) as { data: { rows: unknown[] } };
  expect([response.status, data.rows]).toEqual([200, Array(50).fill(['OK'])]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
