import { z } from 'zod';
import { type Json, withoutIds } from './parts.ts';

/**
 * The field that identifies each kind of record. It is the only field that every answer has: all sources return it, and
 * the parameters `fields` and `trim` do not remove it. A kind of record is not listed when one of its sources does not
 * return this field, because the field is then null and `trim` removes it.
 */
const identities: Readonly<Record<string, string>> = {
  Ad: 'id',
  Comment: 'id',
  LongvideoChannel: 'id',
  LongvideoItem: 'id',
  PhotoItem: 'id',
  Playlist: 'id',
  SearchResult: 'id',
  ShortvideoItem: 'id',
  ShortvideoProfile: 'id',
  Sound: 'id',
  Transcript: 'video_id',
};

/** Schemas of answers that the parameters `fields` and `trim` do not change. */
const unchanged: ReadonlySet<string> = new Set(['CompactShortvideoProfile', 'Pagination', 'Status']);

const schemaUri = (id: string) => `#/components/schemas/${id}`;

/** Returns the schemas with an id that the answers contain, as JSON Schemas sorted by id. */
export function recordSchemas(answers: readonly z.ZodType[]): Json {
  const found = new Map(answers.flatMap((answer) => Object.entries(definitionsOf(answer))));
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([id, schema]) => [id, answerSchema(id, withoutIds(schema))]));
}

/**
 * Returns all schemas with an id in an answer. The answer's schema is put into an object, because zod does not list the
 * outermost schema.
 */
function definitionsOf(answer: z.ZodType): Record<string, Json> {
  const { $defs = {} } = z.toJSONSchema(z.object({ answer }), { unrepresentable: 'any' });
  return JSON.parse(JSON.stringify($defs).replaceAll('"#/$defs/', `"${schemaUri('')}`));
}

function answerSchema(id: string, schema: Json): Json {
  if (unchanged.has(id)) return schema;
  const identity = identities[id];
  return { ...(withoutRequired(schema) as Json), ...(identity === undefined ? {} : { required: [identity] }) };
}

/**
 * Removes `required` from a schema and from all schemas inside it, because the parameters `fields` and `trim` can
 * remove any field.
 */
function withoutRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRequired);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name, value]) => name !== 'required' || !Array.isArray(value));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutRequired(value)]));
}

const registeredId = (schema: z.ZodType) => (z.globalRegistry.get(schema) as { id?: string } | undefined)?.id;

/** Returns a reference to the schema of a route's record. A schema without an id is returned in full. */
export function recordReference(schema: z.ZodType): Json {
  if (schema instanceof z.ZodNullable) return recordReference(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return { type: 'array', items: recordReference(schema.element as z.ZodType) };
  const id = registeredId(schema);
  return id ? { $ref: schemaUri(id) } : withoutIds(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Json);
}
