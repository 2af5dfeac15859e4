import { readFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../server/test-service.ts';
import { calledOf, connect, type ListeningApp, listen, post } from './mcp-session.ts';

let service: TestService;
let site: ListeningApp;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: inventedUpstream().fetch });
  site = await listen(service.app);
  keys = await service.workspace(10);
});
afterAll(async () => {
  await site.close();
  await service.close();
});

const maxListBytes = 26_500;

test('the documentation names every protocol revision that an MCP session can begin with', async () => {
  const guide = readFileSync('docs/mcp.md', 'utf8');
  const sentence =
    guide.split('\n').find((line) => line.startsWith('The server supports the protocol revisions')) ?? '';
  const documented = sentence.match(/\d{4}-\d{2}-\d{2}/g) ?? [];
  const negotiated = async (revision: string) => {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: revision, capabilities: {}, clientInfo };
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const answer = await post(service, message, { 'x-api-key': keys.test_key });
    return (answer.result as { protocolVersion: string }).protocolVersion;
  };
  const older = await Promise.all(SUPPORTED_PROTOCOL_VERSIONS.map(negotiated));
  expect(older).toEqual([...SUPPORTED_PROTOCOL_VERSIONS]);
  // A session of this revision, which begins without initialize, is tested below.
  expect(documented).toEqual([...older, '2026-07-28'].sort());
});

describe.each(['legacy', 'modern'] as const)('a session of the official MCP client, %s revision', (era) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(`${site.origin}/mcp`, keys.live_key, era);
  });
  afterAll(() => client.close());

  test('an MCP session begins with the name of the server and instructions', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'tidemark' });
    expect(client.getInstructions()).toContain('never 0');
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
  });

  test('an MCP session lists fifteen tools on one page, all read-only, each with its price', async () => {
    const { tools, nextCursor } = await client.listTools();
    expect([tools.length, nextCursor]).toEqual([15, undefined]);
    expect(JSON.stringify(tools).length).toBeLessThan(maxListBytes);
    for (const tool of tools) {
      expect(tool.annotations?.readOnlyHint).toBe(true);
      expect(tool.outputSchema).toBeDefined();
      expect(tool.description).toMatch(/credit|[Ff]ree/);
    }
  });

  test('an MCP session calls a tool, is charged its price, and sees the new balance', async () => {
    const before = calledOf(await client.callTool({ name: 'credits' })).data.credits_remaining as number;
    const handle = `kite.${era}`;
    const called = calledOf(await client.callTool({ name: 'profile', arguments: { what: 'photo', handle } }));
    expect(called.data).toMatchObject({ profile: { username: handle, followers: 4321, following: 0 } });
    expect(called.meta).toMatchObject({ credits_charged: 1, credits_remaining: before - 1, projection: 'minimal' });
    const after = calledOf(await client.callTool({ name: 'credits' })).data.credits_remaining;
    expect(after).toBe(before - 1);
  });

  test('an MCP session pages through a list with the unchanged cursor', async () => {
    const sandbox = await connect(`${site.origin}/mcp`, keys.test_key, era);
    const args = { what: 'longvideo', id: 'example0001', limit: 20 };
    const first = calledOf(await sandbox.callTool({ name: 'comments', arguments: args }));
    const { next_cursor } = first.data.pagination as { next_cursor: string };
    const rest = calledOf(await sandbox.callTool({ name: 'comments', arguments: { ...args, cursor: next_cursor } }));
    expect([first.data.items, rest.data.items].map((items) => (items as unknown[]).length)).toEqual([20, 4]);
    await sandbox.close();
  });

  test('an MCP session gets advice on the next call in a tool error', async () => {
    const { error, text, meta } = calledOf(
      await client.callTool({ name: 'profile', arguments: { what: 'photo', handel: 'kite' } }),
    );
    expect(error).toMatchObject({ code: 'INVALID_INPUT', retryable: false });
    expect(text).toContain('did you mean handle?');
    expect(text).toContain('Cost: 0 credits');
    expect(meta.credits_charged).toBe(0);
  });

  test('an MCP session reads all pages of the long list of tools, and calls a typed tool', async () => {
    const long = await connect(`${site.origin}/mcp?tools=all`, keys.test_key, era);
    const { tools } = await long.listTools();
    expect(tools.length).toBe(40);
    const called = calledOf(
      await long.callTool({ name: 'photo_profile', arguments: { handle: 'kite', projection: 'full' } }),
    );
    expect(called.data.profile).toHaveProperty('avatar_variants');
    await long.close();
  });

  test('an MCP session without an API key is refused with 401', async () => {
    await expect(connect(`${site.origin}/mcp`, '', era)).rejects.toThrow(/401|[Uu]nauthorized/);
  });
});
