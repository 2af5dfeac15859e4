import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Parameter } from '../data/parameter.ts';
import { dataSchema, type SourcedRoute } from '../data/route.ts';
import { type Json, parameterObject, textType, withoutIds } from '../openapi/parts.ts';
import { minimalFields, recordShape } from './projection.ts';

/** Returns the schema of an object that can also have properties other than `properties`. */
const open = (properties: Json, required?: readonly string[]): Json => ({
  type: 'object',
  properties,
  ...(required ? { required } : {}),
});

/**
 * Schema of `meta` with `credits_charged`. It does not state the type (a whole number, or null when the number is
 * unknown), because clients load the list of tools in every conversation, and the type would be repeated for each tool.
 */
const meta = open({}, ['credits_charged']);

/** Returns the schema of a tool's structured content, given the properties of its `data`. */
export const answerSchema = (data: Json): Json => open({ data: open(data), meta }, ['data', 'meta']);

/** Properties of `data` in the answer of a spreadsheet route. */
export const tableData: Json = {
  columns: { type: 'array', items: textType },
  rows: { type: 'array', items: { type: 'array' } },
};

function argumentSchema(name: string, parameter: Parameter): Json {
  const { schema, description } = parameterObject(name, parameter, false) as { schema: Json; description: string };
  return { ...loosened(schema), description };
}

/** Returns the schemas of a tool's arguments, given the parameters of its route. */
export function argumentSchemas(parameters: Readonly<Record<string, Parameter>>): Record<string, Json> {
  const all = Object.entries(parameters).map(([name, parameter]): [string, Json] => [
    name,
    argumentSchema(name, parameter),
  ]);
  return Object.fromEntries(all);
}

/**
 * Returns the schema of one argument that is a parameter of several routes. When the schemas of the routes differ, the
 * returned schema has only their types. Each route still validates the value by its own rules.
 */
export function mergedArgument(schemas: readonly Json[]): Json {
  const shapes = schemas.map(({ description: _, pattern: __, minLength: ___, maxLength: ____, ...shape }) => shape);
  const description = mergedDescription(schemas.map((schema) => String(schema.description)));
  const [first = {}, ...others] = shapes;
  if (others.every((shape) => isDeepStrictEqual(shape, first))) return { ...first, description };
  const types = [...new Set(shapes.map(({ type = 'string' }) => type as string))];
  const items = types.includes('array') ? { items: textType } : {};
  return { type: types.length === 1 ? types[0] : types, ...items, description };
}

/** Returns the first clauses of all descriptions as one text. Repeated clauses are left out. */
function mergedDescription(all: readonly string[]): string {
  const first = [
    ...new Set(all.map((description) => description.split(/[:;]|, (?:with|up to|including|in the) /)[0] as string)),
  ];
  const isRepetition = (clause: string) => first.some((other) => other !== clause && clause.startsWith(other));
  return first.filter((clause) => !isRepetition(clause)).join('; or ');
}

/**
 * Returns the schema of the structured content of a tool for one route. The schema has every field of the record, and
 * all fields are optional.
 */
export function fullOutput(route: SourcedRoute): Json {
  const { $defs, ...data } = loosened(
    withoutIds(z.toJSONSchema(dataSchema(route), { unrepresentable: 'any' }) as Json),
  );
  const answer = answerSchema(data.properties as Json);
  return $defs === undefined ? answer : { ...answer, $defs };
}

/**
 * Returns the schema of `data` in an answer with `projection: minimal`. The schema lists only numbers and booleans,
 * because text fields would make the list of tools too long.
 */
export function minimalData(route: SourcedRoute): Json {
  const shape = recordShape(route);
  const fields = minimalFields(route).map((name): [string, Json] => [name, typeOnly(shape[name] as z.ZodType)]);
  const record = open(Object.fromEntries(fields.filter(([, { type }]) => type !== undefined && !isText(type))));
  if (route.container !== 'items') return { [route.container]: record };
  const pagination = open({ next_cursor: { type: ['string', 'null'] } });
  return { items: { type: 'array', items: record }, pagination };
}

const isText = (type: unknown) => [type].flat().includes('string');

/** Returns a schema that has only the type of a field. */
function typeOnly(schema: z.ZodType): Json {
  const { type } = loosened(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Json);
  return type === undefined ? {} : { type };
}

/** Merges the properties of `data` of several routes. A property with different schemas accepts any value. */
export function mergedData(all: readonly Json[]): Json {
  const merged: Json = {};
  for (const data of all) {
    for (const [name, schema] of Object.entries(data)) merged[name] = mergedSchema(merged[name], schema);
  }
  return merged;
}

function mergedSchema(left: unknown, right: unknown): unknown {
  if (left === undefined || JSON.stringify(left) === JSON.stringify(right)) return right;
  const [a, b] = [left as Json, right as Json];
  if (a.type === 'array' && b.type === 'array') return { type: 'array', items: mergedSchema(a.items, b.items) };
  if (a.properties && b.properties) return open(mergedData([a.properties as Json, b.properties as Json]));
  return {};
}

const largestInteger = Number.MAX_SAFE_INTEGER;

/**
 * Returns a shorter schema without keywords such as `required`. With `required`, an answer with only selected fields
 * would be invalid.
 */
function loosened(schema: Json): Json {
  const { required: _, additionalProperties, id: __, $schema: ___, anyOf, maximum, ...rest } = schema;
  const loose: Json = {};
  for (const [name, value] of Object.entries(rest)) {
    loose[name] = namedSchemas.includes(name) ? loosenedEach(value as Json) : loosenedValue(value);
  }
  if (typeof additionalProperties === 'object') loose.additionalProperties = loosenedValue(additionalProperties);
  if (maximum !== undefined && maximum !== largestInteger) loose.maximum = maximum;
  return Array.isArray(anyOf) ? { ...nullableOf(anyOf.map((form) => loosened(form as Json))), ...loose } : loose;
}

/** Keywords of JSON Schema whose value is an object of schemas by name. */
const namedSchemas = ['properties', '$defs'];

const loosenedEach = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, loosened(schema as Json)]));

function loosenedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(loosenedValue);
  return typeof value === 'object' && value !== null ? loosened(value as Json) : value;
}

/**
 * Returns the short form `{ type: [t, 'null'] }` when the schemas are one simple type and null. Otherwise returns
 * `anyOf`.
 */
function nullableOf(forms: Json[]): Json {
  const [form, none] = forms;
  const isNullable = forms.length === 2 && none?.type === 'null' && typeof form?.type === 'string' && !form.enum;
  return isNullable ? { ...form, type: [form?.type, 'null'] } : { anyOf: forms };
}
