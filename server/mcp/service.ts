import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Authentication } from '../http/authenticate.ts';
import { allTools } from './all-tools.ts';
import { createMcpAuth, type McpAuthDeps } from './authenticate.ts';
import { type CallDeps, callTool } from './call.ts';
import { createEndpoint, type ToolSession, type ToolSet } from './endpoint.ts';
import { createInFlightCalls } from './in-flight-calls.ts';
import { type CallListed, createProtocolServer, findTool, listedTool } from './protocol.ts';
import type { McpTool } from './tool.ts';
import { tools as smallSet } from './tools.ts';

export type McpDeps = CallDeps & Pick<Authentication, 'authenticateHash'> & Pick<McpAuthDeps, 'hashOfToken'>;

const sets: Readonly<Record<ToolSet, readonly McpTool[]>> = { small: smallSet, all: allTools };

/** Creates the handler of `/mcp`: the routes of the API as tools of the Model Context Protocol. */
export function createMcp(deps: McpDeps): (request: Request) => Promise<Response> {
  const inFlight = createInFlightCalls();
  const listed = { small: smallSet.map(listedTool), all: allTools.map(listedTool) };

  function callFor({ caller, tools, request_id }: ToolSession): CallListed {
    return async ({ name, arguments: input = {}, _meta }, { mcpReq }): Promise<CallToolResult> => {
      const tool = findTool(name, sets[tools]);
      const { signal: cancelled, done } = inFlight.start(caller.hash, mcpReq.id);
      const idempotencyKey = typeof _meta?.idempotency_key === 'string' ? _meta.idempotency_key : null;
      const signal = AbortSignal.any([mcpReq.signal, cancelled]);
      const { authenticate } = caller;
      const call = { tool, input, idempotency_key: idempotencyKey, request_id, authenticate, signal };
      return callTool(call, deps).finally(done);
    };
  }

  return createEndpoint({
    ...deps,
    auth: createMcpAuth(deps),
    serverOf: (session) => createProtocolServer({ listed: listed[session.tools], call: callFor(session) }),
    cancel: (caller, id) => inFlight.cancel(caller.hash, id),
  });
}
