import type { Tool } from '@modelcontextprotocol/server';
import { allTools } from './all-tools.ts';
import type { ToolSet } from './endpoint.ts';
import { listedTool } from './protocol.ts';
import type { McpTool } from './tool.ts';
import { tools as smallSet } from './tools.ts';

interface ServedSet {
  tools: readonly McpTool[];
  listed: Tool[];
}

const served = (tools: readonly McpTool[]): ServedSet => ({ tools, listed: tools.map(listedTool) });

export const toolSets: Readonly<Record<ToolSet, ServedSet>> = { small: served(smallSet), all: served(allTools) };
