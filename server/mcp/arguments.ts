import { type ErrorDetail, invalidInput } from '../http/errors.ts';
import { idempotencyKeyProblem } from '../http/idempotency-key.ts';
import { nearest } from '../http/nearest.ts';
import type { Json } from '../openapi/parts.ts';
import type { Arguments, McpTool, Projection } from './tool.ts';

/** Arguments that only the MCP server reads. A route never gets these arguments as parameters. */
export const ownArguments: Readonly<Record<string, Json>> = {
  projection: { type: 'string', enum: ['minimal', 'full'], default: 'minimal' },
  idempotency_key: {
    type: 'string',
    description: 'repeating a call with the same key is free',
  },
};

interface ReadArguments {
  values: Arguments;
  projection: Projection;
  idempotency_key: string | null;
}

type Input = Readonly<Record<string, unknown>>;

/** Maximum characters of an unknown argument's name that an error message quotes. */
const maxShownCharacters = 60;
/** Maximum number of invalid arguments that an error lists. */
const maxDetails = 10;

/**
 * Returns the arguments of a call as query parameters. Throws INVALID_INPUT, which names each unknown, malformed or
 * missing argument.
 */
export function readArguments(tool: McpTool, input: Input): ReadArguments {
  const details: ErrorDetail[] = [];
  const values: Arguments = Object.create(null);
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(tool.parameters, name)) details.push(unknownArgument(name, tool));
    else if (!tool.objects?.includes(name)) readValue(name, value, tool, values, details);
    if (details.length === maxDetails) break;
  }
  const { projection = ['minimal'], idempotency_key = [], ...others } = values;
  if (!['minimal', 'full'].includes(projection[0] ?? '')) {
    details.push({ parameter: 'projection', message: 'must be minimal or full' });
  }
  const [key = null] = idempotency_key;
  const problem = key === null ? null : idempotencyKeyProblem(key, 'idempotency_key');
  if (problem) details.push(problem);
  for (const name of tool.required) {
    if (Object.hasOwn(input, name)) continue;
    const { enum: choices } = tool.parameters[name] as Json;
    const message = Array.isArray(choices) ? `is required: ${choices.join(', ')}` : 'is required';
    details.push({ parameter: name, message });
  }
  if (details.length > 0) throw invalidInput(details);
  return { values: others, projection: projection[0] as Projection, idempotency_key: key };
}

function unknownArgument(name: string, { parameters, name: tool }: McpTool): ErrorDetail {
  const parameter = name.slice(0, maxShownCharacters);
  const near = nearest(parameter, Object.keys(parameters));
  return { parameter, message: `is not an argument of ${tool}: ${near ? `did you mean ${near}?` : 'leave it out'}` };
}

function readValue(name: string, value: unknown, tool: McpTool, values: Arguments, details: ErrorDetail[]): void {
  const schema = tool.parameters[name] as Json;
  const isRepeatable = [schema.type].flat().includes('array');
  const list = Array.isArray(value) ? value : [value];
  if (value === null) details.push({ parameter: name, message: 'must not be null: leave it out' });
  else if (!list.every(isScalar) || list.length === 0) {
    details.push({ parameter: name, message: `must be ${expectedType(schema)}` });
  } else if (list.some(isInexact)) {
    const message = 'must be text in quotation marks, because a number with so many digits cannot be read exactly';
    details.push({ parameter: name, message });
  } else {
    // Replaces a lone surrogate (half of a UTF-16 pair) by U+FFFD, as in the query of a URL.
    const texts = list.map((one) => String(one).toWellFormed());
    values[name] = isRepeatable ? texts : [texts.join(',')];
  }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Returns true for a number that was rounded when its JSON was parsed, which an ID of more than 15 digits can be. */
export const isInexact = (value: unknown) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;

function expectedType({ type, enum: choices }: Json): string {
  if (Array.isArray(choices)) return `one of ${choices.join(', ')}`;
  const types = [type ?? 'string'].flat().map((name) => (name === 'string' ? 'text' : String(name)));
  return types.join(' or ').replace('array', 'a list of strings');
}
