import { z } from 'zod';
import { nearest } from '../http/nearest.ts';

/**
 * The fields that a request selects, by name. The value `true` selects the whole field. A nested selection selects only
 * some fields inside the field.
 */
export type FieldSelection = Map<string, FieldSelection | true>;

/** Fields that identify a record. Every answer has these fields, even when they are not selected. */
const identityFields: ReadonlySet<string> = new Set(['id', 'username', 'video_id']);

/**
 * Fields that identify a record whose id is null: `content_id` and `position` for an entry of a playlist, `name` for a
 * hashtag.
 */
const fallbackIdentityFields: ReadonlySet<string> = new Set(['content_id', 'position', 'name']);

/**
 * Returns the fields of an object schema, even when it is nullable, optional or in an array. Returns null when the
 * schema has no fixed fields.
 */
function shapeOf(schema: unknown): Record<string, unknown> | null {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return shapeOf(schema.element);
  return schema instanceof z.ZodObject ? schema.shape : null;
}

/** Returns true for a map whose keys are not fixed, such as a rating for each country. */
function isOpen(schema: unknown): boolean {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return isOpen(schema.unwrap());
  return schema instanceof z.ZodRecord;
}

/**
 * Returns null when `path` is a field of the record. Otherwise returns an error message, which suggests the most
 * similar field, or names `page` as the place where all fields are listed.
 */
export function fieldProblem(record: z.ZodType, path: string, page: string): string | null {
  let schema: unknown = record;
  const names = path.split('.');
  for (const [index, name] of names.entries()) {
    if (isOpen(schema)) return null;
    const shape = shapeOf(schema);
    if (!shape) return `names ${path}, but ${names.slice(0, index).join('.')} has no fields inside it`;
    if (!Object.hasOwn(shape, name)) {
      const near = nearest(name, Object.keys(shape));
      const advice = near ? `did you mean ${near}?` : `${page} lists its fields`;
      return `names ${path}, which this route does not have: ${advice}`;
    }
    schema = shape[name];
  }
  return null;
}

/** Converts dot paths into a selection. When a whole field is selected, paths inside it have no effect. */
export function selectionOf(paths: readonly string[]): FieldSelection {
  const selection: FieldSelection = new Map();
  for (const path of paths) addPath(selection, path.split('.'));
  return selection;
}

function addPath(selection: FieldSelection, [name = '', ...rest]: readonly string[]): void {
  const inside = selection.get(name);
  if (inside === true) return;
  if (rest.length === 0) selection.set(name, true);
  else {
    const nested: FieldSelection = inside ?? new Map();
    selection.set(name, nested);
    addPath(nested, rest);
  }
}

/**
 * Returns a record with only the selected fields and the fields that identify the record. For an array, returns each
 * element in this form.
 */
export function selectFields(value: unknown, selection: FieldSelection, top = true): unknown {
  if (Array.isArray(value)) return value.map((element) => selectFields(element, selection, top));
  if (typeof value !== 'object' || value === null) return value;
  const selected: [string, unknown][] = [];
  const fallback = top && 'id' in value && value.id === null;
  for (const [name, inner] of Object.entries(value)) {
    const inside = selection.get(name);
    const identity = top && (identityFields.has(name) || (fallback && fallbackIdentityFields.has(name)));
    if (inside === true || identity) selected.push([name, inner]);
    else if (inside) selected.push([name, selectFields(inner, inside, false)]);
  }
  return Object.fromEntries(selected);
}

/**
 * Removes nulls, empty texts, empty lists and empty objects. The empty lists in region_restriction stay, because an
 * empty list and a missing list mean different things there. A page without rows stays an empty list.
 */
export function trimmed(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => trimmed(element)).filter((element) => !isEmpty(element));
  if (typeof value !== 'object' || value === null) return value;
  const filled = Object.entries(value)
    .map(([key, inner]): [string, unknown] => [key, trimmed(inner, key)])
    .filter(([, inner]) => (name === 'region_restriction' ? inner !== null : !isEmpty(inner)));
  return Object.fromEntries(filled);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value as object).length === 0;
}
