import { z } from 'zod';
import type { Parameter } from './parameter.ts';

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

const header = (description: string, schema: Json = text): Json => ({ description, schema });
/** Headers of a 200 of a route that needs a key. */
export const headers: Json = {
  'x-request-id': header('the request, as the log knows it'),
  'x-data-mode': header('live or sandbox', { enum: ['live', 'sandbox'] }),
  'x-cache': header('HIT or MISS', { enum: ['HIT', 'MISS'] }),
  'x-credits-charged': header('credits of this answer', whole),
  'x-credits-remaining': header('credits left', whole),
  RateLimit: header('requests left in this minute, and seconds until it ends'),
};
const successHeaders = Object.fromEntries(
  Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** A schema of zod without what only zod reads. */
export function withoutIds(schema: Json): Json {
  const { $id: _, id: __, $schema: ___, ...rest } = schema;
  return rest;
}

/** A query parameter of a route. */
export function parameterObject(name: string, parameter: Parameter, required: boolean): Json {
  const schema = withoutIds(z.toJSONSchema(parameter.schema, { io: 'input', unrepresentable: 'any' }) as Json);
  const { description, repeated } = parameter;
  if (repeated === undefined) {
    return { name, in: 'query', required, description, schema, ...exampleOf(parameter, schema) };
  }
  const several = { type: 'array', items: schema, minItems: 1, maxItems: repeated };
  const written = { style: 'form', explode: true, example: [parameter.example] };
  return { name, in: 'query', required, description, schema: several, ...written };
}

/** The example as the type that the schema says, which in a URL is text. */
function exampleOf({ example }: Parameter, { type }: Json): Json {
  if (example === '') return {};
  return { example: type === 'boolean' || type === 'integer' ? JSON.parse(example) : example };
}

/** The shared descriptions of error answers. */
export function errorResponses(of: readonly number[]): Json {
  return Object.fromEntries(of.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]));
}

/** A JSON answer with status 200. */
export function success(description: string, schema: Json, headers: Json = successHeaders): Json {
  return { 200: { description, headers, content: { 'application/json': { schema } } } };
}
