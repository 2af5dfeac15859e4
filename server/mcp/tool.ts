import type { Query } from '../http/query.ts';
import type { Json } from '../openapi/parts.ts';

/** What a call asks the API; `data` instead where the answer is known without it. */
export type Target = { path: string; query: Query } | { path: null; data: Json };

/** Arguments of a tool as query values: each a list of what was sent. */
export type Arguments = Query;

/** A tool as it is offered and called. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  /** JSON Schema of each argument, with its description. */
  parameters: Readonly<Record<string, Json>>;
  required: readonly string[];
  /** JSON Schema of the structured content. */
  output: Json;
  /** Whether it asks beyond this service. */
  open_world: boolean;
  /** Reads objects as they are: their text goes to no route. */
  objects?: readonly string[];
  /** What a call asks; throws INVALID_INPUT. */
  target(args: Arguments, given: Readonly<Record<string, unknown>>): Target;
}

/** How much of a record an answer has. */
export type Projection = 'minimal' | 'full';
