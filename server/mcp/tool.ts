import type { Query } from '../http/query.ts';
import type { Json } from '../openapi/parts.ts';

/** The route and the query of a call, or `data` when the answer needs no route. */
export type Target = { path: string; query: Query } | { path: null; data: Json };

/** The arguments of a tool as query values. */
export type Arguments = Query;

export interface McpTool {
  name: string;
  title: string;
  description: string;
  /** JSON Schema of each argument, with its description. */
  parameters: Readonly<Record<string, Json>>;
  required: readonly string[];
  /** JSON Schema of the structured content. */
  output: Json;
  /** True when a call can reach a platform. */
  open_world: boolean;
  /** Arguments that are objects; `target` reads them itself. */
  objects?: readonly string[];
  /** Returns the request that a call makes; throws INVALID_INPUT. */
  target(args: Arguments, input: Readonly<Record<string, unknown>>): Target;
}

/** `minimal` answers with the main fields, `full` with all of them. */
export type Projection = 'minimal' | 'full';
