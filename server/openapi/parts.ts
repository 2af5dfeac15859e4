import { z } from 'zod';
import type { Parameter } from '../data/parameter.ts';
import { portablePattern } from './pattern.ts';

/** A piece of the document. */
export type Json = { [name: string]: unknown };

export const text = { type: 'string' };
export const whole = { type: 'integer' };
export const truth = { type: 'boolean' };
/** The schema, or null. */
export const nullable = (schema: Json) => ({ oneOf: [schema, { type: 'null' }] });
/** An object that has all `properties`, unless `required` names fewer. */
export const object = (properties: Json, required = Object.keys(properties)): Json => ({
  type: 'object',
  properties,
  required,
});
/** A schema of the document by its id. */
export const reference = (id: string): Json => ({ $ref: `#/components/schemas/${id}` });

/** A schema of zod without what only zod reads. */
export function withoutIds(schema: Json): Json {
  const { $id: _, id: __, $schema: ___, ...rest } = schema;
  return rest;
}

/** Returns a query parameter of a route. */
export function parameterObject(name: string, parameter: Parameter, required: boolean): Json {
  const schema = textSchema(parameter);
  const { description, repeated } = parameter;
  if (repeated === undefined) {
    return { name, in: 'query', required, description, schema, ...exampleOf(parameter, schema) };
  }
  const several = { type: 'array', items: schema, minItems: 1, maxItems: repeated };
  const written = { style: 'form', explode: true, example: [parameter.example] };
  return { name, in: 'query', required, description, schema: several, ...written };
}

/** Returns the JSON Schema of what is sent, with the value that counts when nothing is. */
function textSchema({ schema }: Parameter): Json {
  const sent = withoutIds(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json);
  if (typeof sent.pattern === 'string') sent.pattern = portablePattern(sent.pattern);
  if (!(schema instanceof z.ZodDefault)) return sent;
  const { defaultValue } = schema.def;
  return { ...sent, default: Array.isArray(defaultValue) ? defaultValue.join(',') : defaultValue };
}

/** Returns the example as the type that the schema says, which in a URL is text. */
function exampleOf({ example }: Parameter, { type }: Json): Json {
  if (example === '') return {};
  return { example: type === 'boolean' || type === 'integer' ? JSON.parse(example) : example };
}

/** The header that makes a request safe to repeat. */
export const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'the same request with the same key gets the same answer again for 24 hours, for 0 credits',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]+$', maxLength: 128 },
  example: 'report-2026-47',
};
export const idempotencyKeyReference: Json = { $ref: '#/components/parameters/idempotency_key' };
