import type { CallToolResult } from '@modelcontextprotocol/server';
import { isInexact } from './arguments.ts';
import { createMcpAuth, type McpAuthDeps } from './authenticate.ts';
import { type CallDeps, callTool } from './call.ts';
import { createMcpEndpoint, type ServeMcp, type ToolSession } from './endpoint.ts';
import { createInFlightCalls } from './in-flight-calls.ts';
import { type CallListed, createProtocolServer, findTool } from './protocol.ts';
import type { McpTool } from './tool.ts';

export type McpDeps = CallDeps & McpAuthDeps;

/** Creates the handler of `/mcp`, which offers the routes of the API as tools of the Model Context Protocol. */
export function createMcp(deps: McpDeps): ServeMcp {
  const inFlight = createInFlightCalls();

  function callFor({ caller, request_id }: ToolSession, tools: readonly McpTool[]): CallListed {
    return async ({ name, arguments: input = {}, _meta }, { mcpReq }): Promise<CallToolResult> => {
      const tool = findTool(name, tools);
      const { signal: cancelled, done } = inFlight.start(caller.hash, mcpReq.id);
      const idempotencyKey = metaKeyOf(_meta?.idempotency_key);
      const signal = AbortSignal.any([mcpReq.signal, cancelled]);
      const { authenticate } = caller;
      const call = { tool, input, idempotency_key: idempotencyKey, request_id, authenticate, signal };
      return callTool(call, deps).finally(done);
    };
  }

  return createMcpEndpoint({
    ...deps,
    auth: createMcpAuth(deps),
    async serverOf(session) {
      // Loads the tools at the first request. Creating their schemas would take a sixth of the server's startup time.
      const { toolSets } = await import('./tool-sets.ts');
      const { tools, listed } = toolSets[session.tools];
      return createProtocolServer({ listed, call: callFor(session, tools) });
    },
    cancel: (caller, id) => inFlight.cancel(caller.hash, id),
  });
}

/**
 * Returns the idempotency key in `_meta` as text, or null when it was not sent. Returns an empty text, which is refused
 * later, for any value but a text or an exact number: ignored, it would let a repeated call be charged again.
 */
function metaKeyOf(sent: unknown): string | null {
  if (sent === undefined) return null;
  return typeof sent === 'string' || (typeof sent === 'number' && !isInexact(sent)) ? String(sent) : '';
}
