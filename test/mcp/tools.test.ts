import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSourcesConfig } from '../../pipeline/collect/sources.ts';
import { catalog } from '../../server/data/catalog.ts';
import { parametersOf, type SourcedRoute } from '../../server/data/route.ts';
import { unservableError } from '../../server/data/servable.ts';
import { allTools } from '../../server/mcp/all-tools.ts';
import { routesTool } from '../../server/mcp/own-tools.ts';
import { listedTool } from '../../server/mcp/protocol.ts';
import type { McpTool } from '../../server/mcp/tool.ts';
import { tools } from '../../server/mcp/tools.ts';
import { workflows } from '../../server/workflows/catalog.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../server/test-service.ts';
import { type Called, call } from './mcp-session.ts';

let service: TestService;
let keys: TestKeys;
const ajv = new Ajv2020({ strict: false });
/** Minimum number of characters per token of a language model. Used to estimate the number of tokens. */
const charactersPerToken = 3.5;

beforeAll(async () => {
  service = await createTestService({ fetch: inventedUpstream().fetch });
  keys = await service.workspace(10, 'pro');
});
afterAll(() => service.close());

type Args = Record<string, unknown>;

/** Returns example arguments for a route: the first identifier and the required parameters, from the route catalog. */
function sampleArguments(path: string, accepted: readonly string[]): Args {
  const workflow = workflows.find((row) => row.path === path);
  if (workflow) {
    const { [workflow.required]: parameter } = workflow.parameters;
    const { example, repeated } = parameter ?? { example: '' };
    return { [workflow.required]: repeated === undefined ? example : [example] };
  }
  const route = catalog.find((row) => row.path === path);
  if (!route) return {};
  const identifier = Object.entries(route.identifiers).find(([name]) => accepted.includes(name));
  const others = Object.entries(route.required ?? {});
  return Object.fromEntries(
    [...(identifier ? [identifier] : []), ...others].map(([name, { example }]) => [name, example]),
  );
}

function expectSchemaMatch(tool: McpTool, { data, meta }: Called): void {
  const validate = ajv.compile(JSON.parse(JSON.stringify(listedTool(tool).outputSchema)));
  expect(validate({ data, meta }), JSON.stringify(validate.errors)).toBe(true);
}

/** Every route that the small set of MCP tools offers: the tool, its arguments and the route's path. */
const options = tools.flatMap((tool) => {
  const what = (tool.parameters.what as { enum?: string[] } | undefined)?.enum;
  if (!tool.open_world || tool.name === 'routes') return [];
  return (what ?? [undefined]).map((option) => {
    const chosen = option === undefined ? {} : { what: option };
    const target = tool.target(option === undefined ? {} : { what: [option] }, {});
    const path = target.path ?? '';
    return { tool, path, args: { ...chosen, ...sampleArguments(path, Object.keys(tool.parameters)) } };
  });
});

describe('the small set of MCP tools', () => {
  test('the small set of MCP tools reaches every available route, by a tool or through the tool "routes", and every workflow', () => {
    const sold = catalog.filter(({ availability }) => availability !== 'planned').map(({ path }) => path);
    const named = new Set(options.map(({ path }) => path));
    const throughRoutes = (path: string) => routesTool.target({ path: [path] }, {}).path === path;
    expect(sold.filter((path) => !named.has(path) && !throughRoutes(path))).toEqual([]);
    expect(['profile', 'posts', 'post'].filter((rows) => !named.has(`/v1/workflows/${rows}`))).toEqual([]);
  });

  test('the MCP tools name every parameter that a route requires, in their descriptions and in the list of routes', async () => {
    const { data } = await call(service, keys.test_key, 'routes', {});
    const listed = new Map((data.routes as { path: string; required?: string[] }[]).map((row) => [row.path, row]));
    const demanding = catalog.filter(({ required }) => required !== undefined);
    expect(demanding.map(({ path }) => path)).toContain('/v1/shortvideo/comment/replies');
    for (const { path, required } of demanding) {
      expect(listed.get(path)?.required).toEqual(Object.keys(required ?? {}));
      const { tool } = options.find((option) => option.path === path) ?? {};
      const lines = tool?.description.split('\n') ?? [];
      expect(lines.find((line) => line.includes('comment_id and video_id'))).toContain('Replies to a TikTok comment');
    }
  });

  test.each(options)(
    'the MCP tool $tool.name answers $path by its schema, minimal and full, free with a development key',
    async ({ tool, args }) => {
      for (const projection of ['minimal', 'full']) {
        const called = await call(service, keys.test_key, tool.name, { ...args, projection });
        expect(called.text).not.toContain('INVALID_INPUT');
        expect(called.error).toBeNull();
        expect(called.meta).toMatchObject({ credits_charged: 0, sandbox: true });
        expectSchemaMatch(tool, called);
      }
    },
  );

  test('the small set of MCP tools estimates every route without a source and without a charge', async () => {
    const estimate = tools.find(({ name }) => name === 'estimate') as McpTool;
    for (const { tool, args, path } of options) {
      const called = await call(service, keys.live_key, 'estimate', { tool: tool.name, arguments: args });
      const route = catalog.find((row) => row.path === path);
      const refused = route !== undefined && unservableError(route as SourcedRoute, readSourcesConfig({})) !== null;
      if (route !== undefined) expect(called.data.cost).toBe(refused ? 0 : route.cost);
      expect(called.meta).toMatchObject({ credits_charged: 0, credits_remaining: 10 });
      expectSchemaMatch(estimate, called);
    }
  });

  test.each([
    ['credits', {}],
    ['tracked_items', { item: ['https://www.instagram.com/tidemark.sample/'] }],
    ['routes', {}],
    ['routes', { about: 'transcript' }],
    ['routes', { path: '/v1/photo/profile', parameters: { handle: 'nasa' } }],
    ['routes', { path: '/v1/workflows/profile', parameters: { url: ['https://www.tiktok.com/@tiktok'] } }],
  ])('the small set of MCP tools has a tool %s that answers %j by its schema', async (name, args) => {
    const called = await call(service, keys.test_key, name, args);
    expect(called.error).toBeNull();
    expectSchemaMatch(tools.find((tool) => tool.name === name) as McpTool, called);
  });

  test('the MCP tool for campaigns lists those of a production key, and refuses a development key', async () => {
    const listed = await call(service, keys.live_key, 'campaign_report');
    expect(listed.data.items).toEqual([]);
    const refused = await call(service, keys.test_key, 'campaign_report');
    expect(refused.error?.code).toBe('PRODUCTION_KEY_REQUIRED');
    const { description } = tools.find(({ name }) => name === 'campaign_report') as McpTool;
    expect(description).toContain('Needs a production key; reports also the tier Pro or higher.');
    const unknown = await call(service, keys.live_key, 'campaign_report', {
      id: '0193481a-0000-7000-8000-000000000000',
    });
    expect(unknown.error?.code).toBe('RESOURCE_NOT_FOUND');
  });

  test('the small set of MCP tools refuses planned routes with SOURCE_NOT_IMPLEMENTED', async () => {
    const { error } = await call(service, keys.test_key, 'routes', {
      path: '/v1/microblog/profile',
      parameters: { handle: 'tidemark' },
    });
    expect(error?.code).toBe('SOURCE_NOT_IMPLEMENTED');
  });
});

describe('a minimal answer of an MCP tool', () => {
  test.each(['photo', 'shortvideo', 'longvideo'])(
    'a minimal answer about a %s profile has less than 1,500 tokens',
    async (what) => {
      const { text } = await call(service, keys.test_key, 'profile', { what, handle: 'tidemark' });
      expect(text.length / charactersPerToken).toBeLessThan(1_500);
    },
  );

  test('a minimal answer keeps null apart from zero, and lists those of its fields that are hidden', async () => {
    const { data, meta } = await call(service, keys.test_key, 'posts', { what: 'photo', handle: 'nasa' });
    expect((data.items as { likes: unknown }[])[2]?.likes).toBeNull();
    expect(meta.quality).toEqual({ '2.likes': 'hidden' });
  });

  test.each([
    ['profile', 'sandbox_rnd', 'followers_quality', 'rounded'],
    ['profile', 'sandbox_hid', 'followers_quality', 'hidden'],
    ['posts', 'sandbox_rnd', 'counts_quality', 'views rounded'],
    ['posts', 'sandbox_hid', 'counts_quality', 'likes hidden'],
  ])(
    'a minimal answer with rows has the quality of inexact numbers: %s of %s',
    async (tool, handle, column, quality) => {
      const url = `https://www.tiktok.com/@${handle}`;
      const { data } = await call(service, keys.test_key, tool, { what: 'rows', url });
      const { columns, rows } = data as { columns: string[]; rows: unknown[][] };
      expect(rows.map((row) => row[columns.indexOf(column)])).toContain(quality);
      expect(rows.every((row) => row.length === columns.length)).toBe(true);
    },
  );

  test('a minimal answer with rows omits the quality when all numbers are exact', async () => {
    const url = 'https://www.instagram.com/nasa/';
    const { data } = await call(service, keys.test_key, 'profile', { what: 'rows', url });
    const { columns, rows } = data as { columns: string[]; rows: unknown[][] };
    expect(columns).not.toContain('followers_quality');
    expect(rows[0]?.[columns.indexOf('followers')]).toEqual(expect.any(Number));
    const full = await call(service, keys.test_key, 'profile', { what: 'rows', url, projection: 'full' });
    expect(full.data.columns).toContain('followers_quality');
  });

  test('a minimal answer has exactly the fields of the caller when these are given', async () => {
    const args = { what: 'photo', handle: 'nasa', fields: 'followers,avatar_url' };
    const { data, meta } = await call(service, keys.test_key, 'profile', args);
    expect(Object.keys(data.profile as object).sort()).toEqual(['avatar_url', 'followers', 'id', 'username']);
    expect(meta.projection).toBeUndefined();
  });

  test('a minimal answer about a transcript has the text but not the segments', async () => {
    const { data } = await call(service, keys.test_key, 'transcript', { id: 'example0001' });
    expect(Object.keys(data.transcript as object)).toContain('text');
    expect(Object.keys(data.transcript as object)).not.toContain('segments');
  });
});

test('every argument of every MCP tool has a type', () => {
  const untyped = [...tools, ...allTools].flatMap(({ name, parameters }) =>
    Object.entries(parameters)
      .filter(([, schema]) => schema.type === undefined)
      .map(([argument]) => `${name}.${argument}`),
  );
  expect(untyped).toEqual([]);
});

describe('the long list of MCP tools', () => {
  const typed = allTools.map((tool) => ({ name: tool.name, tool }));

  test('the long list of MCP tools has one tool for each available route, each under its own name', () => {
    const sold = catalog.filter(({ availability }) => availability !== 'planned');
    expect(new Set(allTools.map(({ name }) => name)).size).toBe(sold.length + workflows.length + 2);
  });

  test.each(typed)('the MCP tool $name answers by its schema', async ({ name, tool }) => {
    const target = tool.target({}, {});
    const args = sampleArguments(target.path ?? '', Object.keys(tool.parameters));
    const key = name === 'campaign_report' ? keys.live_key : keys.test_key;
    const projections = 'projection' in tool.parameters ? [{ projection: 'minimal' }, { projection: 'full' }] : [{}];
    for (const projection of projections) {
      const called = await call(service, key, name, { ...args, ...projection }, { path: '/mcp?tools=all' });
      expect(called.error).toBeNull();
      expectSchemaMatch(tool, called);
    }
    if (!('estimate' in tool.parameters)) return;
    const estimated = await call(service, key, name, { ...args, estimate: true }, { path: '/mcp?tools=all' });
    expect(estimated.data.cost).toBe(0);
    expectSchemaMatch(tool, estimated);
  });

  test('the long list of MCP tools describes every parameter of a route as the route catalog does', () => {
    const route = catalog.find(({ path }) => path === '/v1/shortvideo/comment/replies');
    const tool = allTools.find(({ name }) => name === 'shortvideo_comment_replies');
    for (const [name, { description }] of Object.entries(route ? parametersOf(route) : {})) {
      expect(tool?.parameters[name]?.description).toBe(description);
    }
    expect(tool?.required).toEqual(['comment_id', 'video_id']);
  });
});
