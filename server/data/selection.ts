import { z } from 'zod';
import { nearest } from '../http/nearest.ts';

/** Selected fields by name. The value is true for a whole field, else the selection inside it. */
export type Selection = Map<string, Selection | true>;

/** Fields that identify a record. They are always part of an answer. */
const identityFields: ReadonlySet<string> = new Set(['id', 'username', 'video_id']);

/** Fields that identify a record without an id: a playlist entry by its video and position, a hashtag by its name. */
const fallbackIdentityFields: ReadonlySet<string> = new Set(['content_id', 'position', 'name']);

/** Returns the fields of an object schema inside nullable, optional and arrays, or null when it is not a fixed object. */
function shapeOf(schema: unknown): Record<string, unknown> | null {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return shapeOf(schema.element);
  return schema instanceof z.ZodObject ? schema.shape : null;
}

function isOpen(schema: unknown): boolean {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return isOpen(schema.unwrap());
  return schema instanceof z.ZodRecord;
}

/** Returns why `path` is not a field of the record, with the nearest field, or null when it is one. */
export function fieldProblem(record: z.ZodType, path: string): string | null {
  let schema: unknown = record;
  for (const [index, name] of path.split('.').entries()) {
    if (isOpen(schema)) return null;
    const shape = shapeOf(schema);
    if (!shape) return `names ${path}, but ${path.split('.').slice(0, index).join('.')} has no fields inside it`;
    if (!Object.hasOwn(shape, name)) {
      const near = nearest(name, Object.keys(shape));
      return `names ${path}, which this route does not have${near ? `: did you mean ${near}?` : ''}`;
    }
    schema = shape[name];
  }
  return null;
}

/** Converts dot paths into a selection. A path of a whole field overrides paths inside it. */
export function selectionOf(paths: readonly string[]): Selection {
  const selection: Selection = new Map();
  for (const path of paths) {
    let level = selection;
    const names = path.split('.');
    for (const [index, name] of names.entries()) {
      const inside = level.get(name);
      if (inside === true) break;
      if (index === names.length - 1) level.set(name, true);
      else {
        const next: Selection = inside ?? new Map();
        level.set(name, next);
        level = next;
      }
    }
  }
  return selection;
}

/** Returns a record with its identity and the selected fields only. In an array, each element is reduced. */
export function select(value: unknown, selection: Selection, top = true): unknown {
  if (Array.isArray(value)) return value.map((element) => select(element, selection, top));
  if (typeof value !== 'object' || value === null) return value;
  const selected: [string, unknown][] = [];
  const fallback = top && 'id' in value && value.id === null;
  for (const [name, inner] of Object.entries(value)) {
    const inside = selection.get(name);
    const identity = top && (identityFields.has(name) || (fallback && fallbackIdentityFields.has(name)));
    if (inside === true || identity) selected.push([name, inner]);
    else if (inside) selected.push([name, select(inner, inside, false)]);
  }
  return Object.fromEntries(selected);
}

/** Removes nulls and empty values. Empty lists of region_restriction have a meaning and stay; a page without rows stays a list. */
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
