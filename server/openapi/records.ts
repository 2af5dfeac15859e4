import { z } from 'zod';
import { type Json, withoutIds } from './parts.ts';

/**
 * The field of each record that says what it is about. `fields` keeps it and its sources always have it, so it is all
 * that an answer is bound to have. Of a record that is not listed, some source lacks it, and `trim` removes it then.
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

/** Schemas that `fields` and `trim` leave whole. */
const whole: ReadonlySet<string> = new Set(['CompactShortvideoProfile', 'Pagination', 'Status']);

const schemaUri = (id: string) => `#/components/schemas/${id}`;

/** Returns the JSON Schema of everything with an id, from the zod schemas that check the records, in an order that no import changes. */
export function recordSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: schemaUri });
  const sorted = Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([id, schema]) => [id, answered(id, withoutIds(schema as Json))]));
}

function answered(id: string, schema: Json): Json {
  if (whole.has(id)) return schema;
  const identity = identities[id];
  return { ...(narrowable(schema) as Json), ...(identity === undefined ? {} : { required: [identity] }) };
}

/** Returns the schema without `required` at any depth: `fields` and `trim` leave fields out, and those inside fields. */
function narrowable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(narrowable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name, value]) => name !== 'required' || !Array.isArray(value));
  return Object.fromEntries(kept.map(([name, value]) => [name, narrowable(value)]));
}

const registeredId = (schema: z.ZodType) => (z.globalRegistry.get(schema) as { id?: string } | undefined)?.id;

/** Returns a reference to the record of a route, by the id of its schema. */
export function recordReference(schema: z.ZodType): Json {
  if (schema instanceof z.ZodNullable) return recordReference(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return { type: 'array', items: recordReference(schema.element as z.ZodType) };
  const id = registeredId(schema);
  return id ? { $ref: schemaUri(id) } : withoutIds(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Json);
}
