import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Parameter } from '../data/parameter.ts';
import { dataSchema, type SourcedRoute } from '../data/route.ts';
import { type Json, parameterObject, text, whole, withoutIds } from '../openapi/parts.ts';
import { minimalFields, recordShape } from './projection.ts';

/** An object that may have more than its properties. */
const open = (properties: Json, required?: readonly string[]): Json => ({
  type: 'object',
  properties,
  ...(required ? { required } : {}),
});

/** What every answer says of its price. */
const meta = open({ credits_charged: whole }, ['credits_charged']);

/** The structured content of a tool whose `data` has these properties. */
export const answerSchema = (data: Json): Json => open({ data: open(data), meta }, ['data', 'meta']);

/** A table of a workflow. */
export const tableData: Json = {
  columns: { type: 'array', items: text },
  rows: { type: 'array', items: { type: 'array' } },
};

function argumentSchema(name: string, parameter: Parameter): Json {
  const { schema, description } = parameterObject(name, parameter, false) as { schema: Json; description: string };
  return { ...loosened(schema), description };
}

/** The arguments of a tool for parameters of a route. */
export function argumentSchemas(parameters: Readonly<Record<string, Parameter>>): Record<string, Json> {
  const all = Object.entries(parameters).map(([name, parameter]): [string, Json] => [
    name,
    argumentSchema(name, parameter),
  ]);
  return Object.fromEntries(all);
}

/** One argument for the parameter of the same name of several routes: what they agree on. Each route says its own rule when it is broken. */
export function mergedArgument(schemas: readonly Json[]): Json {
  const shapes = schemas.map(({ description: _, pattern: __, minLength: ___, maxLength: ____, ...shape }) => shape);
  const description = mergedDescription(schemas.map((schema) => String(schema.description)));
  const [first = {}, ...others] = shapes;
  if (others.every((shape) => isDeepStrictEqual(shape, first))) return { ...first, description };
  const types = [...new Set(shapes.map(({ type = 'string' }) => type as string))];
  const items = types.includes('array') ? { items: text } : {};
  return { type: types.length === 1 ? types[0] : types, ...items, description };
}

/** What several descriptions say first, each once. */
function mergedDescription(all: readonly string[]): string {
  const first = [
    ...new Set(all.map((description) => description.split(/[:;]|, (?:with|up to|including|in the) /)[0] as string)),
  ];
  return first.filter((one) => !first.some((other) => other !== one && one.startsWith(other))).join('; or ');
}

/** The structured content of a route's typed tool: every field of the record, none of them bound to be there. */
export function fullOutput(route: SourcedRoute): Json {
  const { $defs, ...data } = loosened(
    withoutIds(z.toJSONSchema(dataSchema(route), { unrepresentable: 'any' }) as Json),
  );
  const answer = answerSchema(data.properties as Json);
  return $defs === undefined ? answer : { ...answer, $defs };
}

/** The `data` of a minimal answer: under its container the record's numbers and flags. It has texts, too, which would make a list of tools long. */
export function minimalData(route: SourcedRoute): Json {
  const shape = recordShape(route);
  const fields = minimalFields(route).map((name): [string, Json] => [name, bare(shape[name] as z.ZodType)]);
  const record = open(Object.fromEntries(fields.filter(([, { type }]) => type !== undefined && !isText(type))));
  if (route.container !== 'items') return { [route.container]: record };
  const pagination = open({ next_cursor: { type: ['string', 'null'] } });
  return { items: { type: 'array', items: record }, pagination };
}

const isText = (type: unknown) => [type].flat().includes('string');

/** The type of a field alone. */
function bare(schema: z.ZodType): Json {
  const { type } = loosened(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Json);
  return type === undefined ? {} : { type };
}

/** The `data` of several routes together; where they differ, any value fits. */
export function mergedData(all: readonly Json[]): Json {
  const merged: Json = {};
  for (const data of all) {
    for (const [name, schema] of Object.entries(data)) merged[name] = both(merged[name], schema);
  }
  return merged;
}

function both(one: unknown, other: unknown): unknown {
  if (one === undefined || JSON.stringify(one) === JSON.stringify(other)) return other;
  const [a, b] = [one as Json, other as Json];
  if (a.type === 'array' && b.type === 'array') return { type: 'array', items: both(a.items, b.items) };
  if (a.properties && b.properties) return open(mergedData([a.properties as Json, b.properties as Json]));
  return {};
}

const largestInteger = Number.MAX_SAFE_INTEGER;

/** Without what an answer of chosen fields would not fit, and as short as it can be said. */
function loosened(schema: Json): Json {
  const { required: _, additionalProperties, id: __, $schema: ___, anyOf, maximum, ...rest } = schema;
  const kept: Json = {};
  for (const [name, value] of Object.entries(rest)) {
    kept[name] = namedSchemas.includes(name) ? loosenedEach(value as Json) : loosenedValue(value);
  }
  if (typeof additionalProperties === 'object') kept.additionalProperties = loosenedValue(additionalProperties);
  if (maximum !== undefined && maximum !== largestInteger) kept.maximum = maximum;
  return Array.isArray(anyOf) ? { ...nullableOf(anyOf.map((one) => loosened(one as Json))), ...kept } : kept;
}

/** Keywords whose value is schemas by a name that is no keyword. */
const namedSchemas = ['properties', '$defs'];

const loosenedEach = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, loosened(schema as Json)]));

function loosenedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(loosenedValue);
  return typeof value === 'object' && value !== null ? loosened(value as Json) : value;
}

/** `{ type: [t, null] }` for what is t or null. */
function nullableOf(forms: Json[]): Json {
  const [form, none] = forms;
  const isNullable = forms.length === 2 && none?.type === 'null' && typeof form?.type === 'string' && !form.enum;
  return isNullable ? { ...form, type: [form?.type, 'null'] } : { anyOf: forms };
}
