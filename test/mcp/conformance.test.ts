import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRequestMetrics } from '../../server/http/request-metrics.ts';
import { createMcpEndpoint } from '../../server/mcp/endpoint.ts';
import { createProtocolServer, listedTool } from '../../server/mcp/protocol.ts';
import { tools } from '../../server/mcp/tools.ts';
import { addFixtures, callFixture, fixtureTools } from './conformance-tools.ts';
import { type ListeningApp, listen } from './mcp-session.ts';

const root = join(import.meta.dirname, '../..');
const suiteMs = 120_000;

/**
 * Returns the MCP server with the tools of the conformance suite. The server needs no authentication, because the suite
 * cannot send a key.
 */
function openApp(): Hono {
  const endpoint = createMcpEndpoint({
    base_url: 'http://tidemark.test',
    now: () => new Date(),
    requests_per_minute: 1_000_000,
    log: () => undefined,
    metrics: createRequestMetrics(),
    auth: {
      keyHashOf: async () => 'everyone',
      admit: async (hash) => ({ hash, authenticated: null, authenticate: () => Promise.reject(new Error('no key')) }),
    },
    serverOf: () =>
      addFixtures(
        createProtocolServer({
          listed: [...fixtureTools, ...tools.map(listedTool)],
          call: async ({ name }, context) => (await callFixture(name, context)) ?? { isError: true, content: [] },
        }),
      ),
    cancel: () => undefined,
  });
  return new Hono().all('/mcp', (c) => endpoint(c.req.raw, () => ''));
}

/** Runs a command-line program in the folder and waits until it ends. */
async function runProgram(command: string, args: readonly string[], folder: string) {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

describe('the MCP conformance suite', () => {
  let site: ListeningApp;
  let folder: string;
  beforeAll(async () => {
    site = await listen(openApp());
    folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  });
  afterAll(async () => {
    await site.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('the MCP conformance suite passes, except exactly the listed tests that need a session', {
    timeout: suiteMs,
  }, async () => {
    const args = [
      'server',
      '--url',
      `${site.origin}/mcp`,
      '--expected-failures',
      join(import.meta.dirname, 'conformance-expected.yml'),
    ];
    const program = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    const { code, output } = await runProgram(process.execPath, [program, ...args], folder);
    expect(code, output.slice(-8_000)).toBe(0);
    expect(output).toContain('dns-rebinding-protection');
  });
});
