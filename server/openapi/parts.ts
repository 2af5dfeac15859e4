import { z } from 'zod';
import type { Parameter } from '../data/parameter.ts';
import { portablePattern } from './pattern.ts';

/** A JSON object, in most cases a part of the OpenAPI document. */
export type Json = { [name: string]: unknown };

export const textType = { type: 'string' };
export const wholeType = { type: 'integer' };
export const truthType = { type: 'boolean' };
/** Returns a schema that accepts null in addition to `schema`. */
export const nullable = (schema: Json) => ({ oneOf: [schema, { type: 'null' }] });
/** Returns the schema of an object. All its properties are required, unless `required` lists fewer. */
export const object = (properties: Json, required = Object.keys(properties)): Json => ({
  type: 'object',
  properties,
  required,
});
/** Returns a reference to a schema of the OpenAPI document. */
export const reference = (id: string): Json => ({ $ref: `#/components/schemas/${id}` });

/** Removes the schema ids and the `$schema` keyword that zod adds. */
export function withoutIds(schema: Json): Json {
  const { $id: _, id: __, $schema: ___, ...rest } = schema;
  return rest;
}

/** Returns the OpenAPI description of a query parameter. */
export function parameterObject(name: string, parameter: Parameter, required: boolean): Json {
  const schema = textSchema(parameter);
  const { description, repeated } = parameter;
  if (repeated === undefined) {
    return { name, in: 'query', required, description, schema, ...exampleOf(parameter, schema) };
  }
  const list = { type: 'array', items: schema, minItems: 1, maxItems: repeated };
  const format = { style: 'form', explode: true, example: [parameter.example] };
  return { name, in: 'query', required, description, schema: list, ...format };
}

/** Returns the JSON Schema of the text that a client sends for a parameter, with its default value. */
function textSchema({ schema }: Parameter): Json {
  const input = withoutIds(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json);
  if (typeof input.pattern === 'string') input.pattern = portablePattern(input.pattern);
  if (!(schema instanceof z.ZodDefault)) return input;
  const { defaultValue } = schema.def;
  return { ...input, default: Array.isArray(defaultValue) ? defaultValue.join(',') : defaultValue };
}

/**
 * Returns the example of a parameter. The catalog has examples as text, so the example is converted to a boolean or a
 * number when the schema requires it.
 */
function exampleOf({ example }: Parameter, { type }: Json): Json {
  if (example === '') return {};
  return { example: type === 'boolean' || type === 'integer' ? JSON.parse(example) : example };
}

/** The request header Idempotency-Key, which lets a client repeat a request without a second charge. */
export const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'a text that you choose, different for each request: for 24 hours, a retry with the same text gets the same answer for 0 credits',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]+$', maxLength: 128 },
  example: 'report-2026-47',
};
export const idempotencyKeyReference: Json = { $ref: '#/components/parameters/idempotency_key' };
