import { expect, test } from 'vitest';
import type { RequestLog } from '../../server/http/handle-request.ts';
import { createMcpEndpoint } from '../../server/mcp/endpoint.ts';

const listTools = { jsonrpc: '2.0', id: 7, method: 'tools/list' };

/** Sends `body` to an MCP endpoint that fails to create its MCP server. Returns the answer and the log entry. */
async function sendTo(body: object) {
  const entries: RequestLog[] = [];
  const caller = { hash: 'a', authenticated: null, authenticate: () => Promise.reject(new Error('not called')) };
  const serve = createMcpEndpoint({
    base_url: 'http://tidemark.test',
    now: () => new Date(0),
    requests_per_minute: 60,
    log: (entry: RequestLog) => entries.push(entry),
    auth: { keyHashOf: async () => 'a', admit: async () => caller },
    serverOf: () => Promise.reject(new Error('the tools cannot be loaded')),
    cancel: () => undefined,
  } as never);
  const request = new Request('http://tidemark.test/mcp', {
    method: 'POST',
    headers: {
      host: 'tidemark.test',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-request-id': 'lost-cause',
    },
    body: JSON.stringify(body),
  });
  const answer = await serve(request, () => '127.0.0.1');
  return { status: answer.status, text: await answer.text(), entries };
}

test('a failure in the MCP library is logged with its cause and the id of the request', async () => {
  const { status, text, entries } = await sendTo(listTools);
  expect([status, JSON.parse(text).error.code]).toEqual([500, -32_603]);
  expect(entries).toEqual([expect.objectContaining({ request_id: 'lost-cause', status: 500, code: 'INTERNAL' })]);
  expect(String(entries[0]?.error)).toContain('the tools cannot be loaded');
});

test('a mistake of the client that the MCP library refuses is logged without an error', async () => {
  const { status, entries } = await sendTo({ jsonrpc: '1.0', id: 7, method: 'tools/list' });
  expect(status).toBe(400);
  expect(entries).toEqual([expect.objectContaining({ status: 400, code: null })]);
  expect(entries[0]).not.toHaveProperty('error');
});
