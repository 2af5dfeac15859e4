import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { validateRecord } from '../../../pipeline/collect/validate-record.ts';
import { operatorCollectors } from '../../../pipeline/operator-collectors.ts';
import { blank } from '../../../pipeline/parse/values.ts';
import { coreFields } from '../../../pipeline/records/core.ts';
import { longvideoChannelRecord } from '../../../pipeline/records/longvideo.ts';
import { photoProfileRecord } from '../../../pipeline/records/photo.ts';
import { catalog } from '../../../server/data/catalog.ts';

const changed = expect.objectContaining({ name: 'SourceError', code: 'SOURCE_RESPONSE_CHANGED' });

/** The collectors of all API routes and of the operator's command line. */
const collectors = [...catalog.flatMap(({ collector }) => collector ?? []), ...operatorCollectors];
const schemas = collectors.map(({ name, record }) => [name, rowOf(record)] as const);

function rowOf(schema: z.ZodType): z.ZodObject {
  return (schema instanceof z.ZodArray ? schema.element : schema) as z.ZodObject;
}

/** Returns a record in which only the identity fields and the fields derived from these have values. */
function hollow(schema: z.ZodObject): Record<string, unknown> {
  const record: Record<string, unknown> = blank(schema);
  const named = ['id', 'username', 'author', 'author_id', 'permalink', 'profile_url', 'channel_id', 'video_id'];
  for (const field of named) if (field in record) record[field] = 'x1';
  return record;
}

describe('core fields of records', () => {
  test.each(schemas)(
    'the core fields of %s exist in its record, and a record without any of them is refused',
    (_name, schema) => {
      const { fields = [] } = coreFields.get(schema) ?? {};
      expect(fields.length).toBeGreaterThan(0);
      expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining([...fields]));
      expect(() => validateRecord(schema, hollow(schema))).toThrow(changed);
    },
  );

  test('the core fields of a channel do not follow from its ID, and those of a profile are not its name', () => {
    const derived = {
      ...hollow(longvideoChannelRecord),
      display_name: 'a',
      uploads_playlist_id: 'UU1',
      hidden_subscriber_count: true,
    };
    expect(() => validateRecord(longvideoChannelRecord, derived)).toThrow(changed);
    expect(validateRecord(longvideoChannelRecord, derived, { followers: 'hidden' }).empty).toEqual([]);
    expect(() => validateRecord(photoProfileRecord, { ...hollow(photoProfileRecord), display_name: 'a' })).toThrow(
      changed,
    );
    expect(validateRecord(photoProfileRecord, { ...hollow(photoProfileRecord), posts: 0 }).empty).toEqual([]);
  });
});

describe('limits of texts in records', () => {
  test.each(schemas)('every text of a %s record has a maximum length', (_name, schema) => {
    expect(unboundedTexts(schema)).toEqual([]);
  });

  test('an ID, an address and a text are refused one character over their limit, and are never cut or made null', () => {
    const known = { ...hollow(photoProfileRecord), posts: 1 };
    const limits = {
      id: 200,
      username: 200,
      profile_url: 8_192,
      avatar_url: 8_192,
      bio: 100_000,
      display_name: 100_000,
    };
    for (const [field, most] of Object.entries(limits)) {
      const record = { ...known, [field]: 'x'.repeat(most) };
      expect(validateRecord(photoProfileRecord, record)).toEqual({ record, dropped: [], empty: [] });
      expect(() => validateRecord(photoProfileRecord, { ...known, [field]: 'x'.repeat(most + 1) }), field).toThrow(
        changed,
      );
    }
  });
});

/** Returns the paths of all strings in a schema that have no maximum length. */
function unboundedTexts(schema: z.core.$ZodType, path = ''): string[] {
  const inside = (child: z.core.$ZodType, name = '') => unboundedTexts(child, `${path}/${name}`);
  if (schema instanceof z.ZodString) return schema.def.checks?.length ? [] : [path];
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return [path];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, child]) => inside(child as z.ZodType, name));
  if (schema instanceof z.ZodRecord) return [...inside(schema.keyType, 'key'), ...inside(schema.valueType, 'value')];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => inside(option));
  if (schema instanceof z.ZodArray) return inside(schema.element, '*');
  const wraps = schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
  return wraps ? inside(schema.unwrap()) : [];
}
