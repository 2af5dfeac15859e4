import { type ErrorDetail, invalidInput } from '../http/errors.ts';
import { nearest } from '../http/nearest.ts';
import type { Json } from '../openapi/parts.ts';
import type { Arguments, McpTool, Projection } from './tool.ts';

/** The arguments that are ours and not the route's. */
export const ownArguments: Readonly<Record<string, Json>> = {
  projection: { type: 'string', enum: ['minimal', 'full'], default: 'minimal' },
  idempotency_key: { type: 'string', description: 'same key, same answer, paid once' },
};

export interface ReadArguments {
  values: Arguments;
  projection: Projection;
  idempotency_key: string | null;
}

type Given = Readonly<Record<string, unknown>>;

/** An unknown name is quoted so far. */
const maxShownCharacters = 60;
/** A call with more faults is told of these. */
const maxDetails = 10;

/** The arguments of a call as query values; throws INVALID_INPUT naming the unknown and the malformed ones. */
export function readArguments(tool: McpTool, given: Given): ReadArguments {
  const details: ErrorDetail[] = [];
  const values: Arguments = Object.create(null);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(tool.parameters, name)) details.push(unknownArgument(name, tool));
    else if (!tool.objects?.includes(name)) readValue(name, value, tool, values, details);
    if (details.length === maxDetails) break;
  }
  const { projection = ['minimal'], idempotency_key = [], ...others } = values;
  if (!['minimal', 'full'].includes(projection[0] ?? '')) {
    details.push({ parameter: 'projection', message: 'must be minimal or full' });
  }
  const [key = null] = idempotency_key;
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
    details.push({ parameter: 'idempotency_key', message: 'must be printable characters without spaces' });
  }
  for (const name of tool.required) {
    if (!Object.hasOwn(given, name)) details.push({ parameter: name, message: 'is required' });
  }
  if (details.length > 0) throw invalidInput(details);
  return { values: others, projection: projection[0] as Projection, idempotency_key: key };
}

function unknownArgument(name: string, { parameters, name: tool }: McpTool): ErrorDetail {
  const parameter = name.slice(0, maxShownCharacters);
  const near = nearest(parameter, Object.keys(parameters));
  return { parameter, message: `is not an argument of ${tool}${near ? `: did you mean ${near}?` : ''}` };
}

function readValue(name: string, value: unknown, tool: McpTool, values: Arguments, details: ErrorDetail[]): void {
  const schema = tool.parameters[name] as Json;
  const several = [schema.type].flat().includes('array');
  const list = Array.isArray(value) ? value : [value];
  if (value === null) details.push({ parameter: name, message: 'must not be null: leave it out' });
  else if (!list.every(isPlain) || list.length === 0) {
    details.push({ parameter: name, message: `must be ${wanted(schema)}` });
  } else {
    const texts = list.map(String);
    values[name] = several ? texts : [texts.join(',')];
  }
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function wanted({ type, enum: choices }: Json): string {
  if (Array.isArray(choices)) return `one of ${choices.join(', ')}`;
  const types = [type ?? 'string'].flat().map((name) => (name === 'string' ? 'text' : String(name)));
  return types.join(' or ').replace('array', 'a list of texts');
}
