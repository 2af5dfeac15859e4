import { createAdaptorServer } from '@hono/node-server';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { listenLocally } from '../harness/local-server.ts';
import type { TestService } from '../server/test-service.ts';

export interface ListeningApp {
  origin: string;
  close(): Promise<void>;
}

/** Serves an app on a real socket until it is closed. */
export async function listen(app: { fetch(request: Request): Response | Promise<Response> }): Promise<ListeningApp> {
  const server = createAdaptorServer({ fetch: (request: Request) => app.fetch(request) });
  const port = await listenLocally(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}

/** Connects the official MCP client with this API key. `era` selects the revision of the protocol. */
export async function connect(url: string, key: string, era: 'legacy' | 'modern' = 'legacy'): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** The result of an MCP tool call: structured content, or an error. */
export interface Called {
  data: Record<string, unknown>;
  meta: Record<string, unknown>;
  error: { code: string; message: string; retryable: boolean; retry_after_seconds: number | null } | null;
  text: string;
}

interface RawResult {
  isError?: boolean;
  structuredContent?: { data: Record<string, unknown>; meta: Record<string, unknown> };
  content: { type: string; text: string }[];
  _meta?: Record<string, unknown> & { error: Called['error'] };
}

export interface RpcAnswer {
  status: number;
  headers: Headers;
  text: string;
  result: unknown;
  error: { code: number; message: string } | null;
}

/** Posts one message of the 2025 revision of MCP to the service, without a socket. */
export async function post(
  service: Pick<TestService, 'app'>,
  message: unknown,
  headers: Record<string, string>,
  path = '/mcp',
): Promise<RpcAnswer> {
  const response = await service.app.request(`http://tidemark.test${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      host: 'tidemark.test',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = await response.text();
  const body = response.headers.get('content-type')?.includes('event-stream')
    ? /^data: (.+)$/m.exec(text)?.[1]
    : text || undefined;
  const { result = null, error = null } = body ? JSON.parse(body) : {};
  return { status: response.status, headers: response.headers, text, result, error };
}

/** Calls an MCP tool with a single posted message. */
export async function call(
  service: Pick<TestService, 'app'>,
  key: string,
  name: string,
  args: Record<string, unknown> = {},
  { path = '/mcp', meta = {} }: { path?: string; meta?: Record<string, unknown> } = {},
): Promise<Called> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: meta } };
  const { result, text } = await post(service, message, { 'x-api-key': key }, path);
  if (result === null) throw new Error(text);
  return calledOf(result);
}

export function calledOf(result: unknown): Called {
  const { structuredContent, content, _meta, isError } = result as RawResult;
  const text = content[0]?.text ?? '';
  if (isError) return { data: {}, meta: _meta ?? {}, error: _meta?.error ?? null, text };
  return { data: structuredContent?.data ?? {}, meta: structuredContent?.meta ?? {}, error: null, text };
}
