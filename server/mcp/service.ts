import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Gates } from '../http/authenticate.ts';
import { allTools } from './all-tools.ts';
import { createDoor, type DoorDeps } from './authenticate.ts';
import { type CallDeps, callTool } from './call.ts';
import { createEndpoint, type ToolsAsked, type Visit } from './endpoint.ts';
import { createRunning } from './in-flight-calls.ts';
import { type CallListed, createProtocolServer, findTool, listedTool } from './protocol.ts';
import type { McpTool } from './tool.ts';
import { tools as smallSet } from './tools.ts';

export type McpDeps = CallDeps & Pick<Gates, 'gateOf'> & Pick<DoorDeps, 'hashOfToken'>;

const sets: Readonly<Record<ToolsAsked, readonly McpTool[]>> = { small: smallSet, all: allTools };

/** `/mcp`: the routes of the API as tools of the Model Context Protocol. */
export function createMcp(deps: McpDeps): (request: Request) => Promise<Response> {
  const running = createRunning();
  const listed = { small: smallSet.map(listedTool), all: allTools.map(listedTool) };

  function callFor({ caller, tools, request_id }: Visit): CallListed {
    return async ({ name, arguments: input = {}, _meta }, { mcpReq }): Promise<CallToolResult> => {
      const tool = findTool(name, sets[tools]);
      const { signal, over } = running.start(caller.hash, mcpReq.id);
      const idempotencyKey = typeof _meta?.idempotency_key === 'string' ? _meta.idempotency_key : null;
      const either = AbortSignal.any([mcpReq.signal, signal]);
      const call = { tool, input, idempotency_key: idempotencyKey, request_id, gate: caller.gate, signal: either };
      return callTool(call, deps).finally(over);
    };
  }

  return createEndpoint({
    ...deps,
    door: createDoor(deps),
    serverOf: (visit) => createProtocolServer({ listed: listed[visit.tools], call: callFor(visit) }),
    cancel: (caller, id) => running.cancel(caller.hash, id),
  });
}
