import { z } from 'zod';

/** One field of an answer, as a row of the field table. */
interface Field {
  /**
   * Name of the field. The name of a field inside another field begins with the outer name, such as `location.name`.
   * `[]` means each entry of a list.
   */
  name: string;
  /** Type in words, such as `whole number`. */
  type: string;
  /** Text that says what a null value of the field means. Null when the field always has a value. */
  null_means: string | null;
  meaning: string;
}

/** The parts of a JSON Schema that the field table reads. */
interface Schema {
  type?: string | string[] | undefined;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

const maxDepth = 2;
const notSaid = 'the platform did not show it';

/** Returns the fields of a record. For a list, returns the fields of one entry. */
export function fieldsOf(record: z.ZodType): Field[] {
  const schema = z.toJSONSchema(record, { unrepresentable: 'any' }) as Schema;
  const { value } = withoutNull(schema, schema.$defs ?? {});
  return propertiesOf(value.items ?? value, '', 1, schema.$defs ?? {});
}

function propertiesOf(schema: Schema, prefix: string, depth: number, defs: Record<string, Schema>): Field[] {
  const { value } = withoutNull(schema, defs);
  return Object.entries(value.properties ?? {}).flatMap(([name, property]) => {
    const { value: inner, nullable } = withoutNull(property, defs);
    const path = `${prefix}${name}`;
    const { meaning, whenNull } = textsOf(name, property.description ?? '');
    const field = { name: path, type: typeOf(inner, defs), null_means: nullable ? whenNull : null, meaning };
    if (depth === maxDepth) return [field];
    const entry = inner.items ? { of: inner.items, mark: '[].' } : { of: inner, mark: '.' };
    return [field, ...propertiesOf(entry.of, `${path}${entry.mark}`, depth + 1, defs)];
  });
}

/** Resolves a `$ref` and removes null from a JSON Schema. `nullable` is true when the schema accepted null. */
function withoutNull(schema: Schema, defs: Record<string, Schema>): { value: Schema; nullable: boolean } {
  if (schema.$ref !== undefined) return withoutNull(defs[schema.$ref.split('/').at(-1) ?? ''] ?? {}, defs);
  if (Array.isArray(schema.type)) {
    const [type] = schema.type.filter((name) => name !== 'null');
    return { value: { ...schema, type }, nullable: schema.type.includes('null') };
  }
  if (!schema.anyOf) return { value: schema, nullable: false };
  const kept = schema.anyOf.filter(({ type }) => type !== 'null');
  const { value } = withoutNull(kept[0] ?? {}, defs);
  return { value, nullable: kept.length < schema.anyOf.length };
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
};

function typeOf(schema: Schema, defs: Record<string, Schema>): string {
  if (schema.enum) return schema.enum.map(String).join(', ');
  if (schema.items) return `list of ${typeOf(withoutNull(schema.items, defs).value, defs)}`;
  return typeNames[String(schema.type)] ?? 'any value';
}

/**
 * Splits a description into the meaning of the field and the meaning of null. Without a description, the meaning is the
 * name of the field in words.
 */
function textsOf(name: string, description: string): { meaning: string; whenNull: string } {
  const [, before = '', after] = /^(.*?)(?:[;,] )?\bnull ((?:when|where|for|without|at)\b.*)$/.exec(description) ?? [
    '',
    description,
  ];
  return { meaning: sentence(before === '' ? spoken(name) : before), whenNull: nullText(after) };
}

function nullText(clause: string | undefined): string {
  if (clause === undefined || /^when (?:unknown|the source did not)/.test(clause)) return notSaid;
  return clause;
}

const spellings: Readonly<Record<string, string>> = { id: 'ID', url: 'URL', urls: 'URLs', ids: 'IDs' };
const spoken = (name: string) =>
  name
    .split('_')
    .map((word) => spellings[word] ?? word)
    .join(' ');
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
