import type { Query } from '../http/query.ts';
import type { Json } from '../openapi/parts.ts';

/**
 * The path and the query of the API request that a tool call makes. When the answer needs no request, `path` is null
 * and `data` is the answer.
 */
export type ToolTarget = { path: string; query: Query } | { path: null; data: Json };

/** The arguments of a tool call in the form of query parameters. */
export type Arguments = Query;

export interface McpTool {
  name: string;
  title: string;
  description: string;
  /** JSON Schema of each argument, with its description. */
  parameters: Readonly<Record<string, Json>>;
  required: readonly string[];
  /** Schema of the structured content that the tool returns. */
  output: Json;
  /** True when a call can make a request to a platform. */
  open_world: boolean;
  /**
   * Names of the arguments whose value is an object. `target` reads these arguments from `input`, because `args`
   * contains only text values.
   */
  objects?: readonly string[];
  /**
   * Converts the arguments of a tool call to the API request to send. Returns the answer itself when no request is
   * needed. Throws INVALID_INPUT.
   */
  target(args: Arguments, input: Readonly<Record<string, unknown>>): ToolTarget;
}

/** `minimal`: the answer has only the most important fields. `full`: it has all fields. */
export type Projection = 'minimal' | 'full';
