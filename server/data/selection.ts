import { z } from 'zod';
import { nearest } from '../http/nearest.ts';

/** Fields asked for: name -> the fields inside it, or true for all of it. */
export type Selection = Map<string, Selection | true>;

/** The fields that tell which record an answer is about; they stay whatever `fields` says. */
const identityFields: ReadonlySet<string> = new Set(['id', 'username', 'video_id']);

/** What a record without an id of its own is known by: the video of a playlist entry and its place, the name of a hashtag. */
const fallbackIdentityFields: ReadonlySet<string> = new Set(['content_id', 'position', 'name']);

/** Object fields of a schema, seen through nullable, optional and arrays; null where any key is allowed or there are none. */
function shapeOf(schema: unknown): Record<string, unknown> | null {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return shapeOf(schema.element);
  return schema instanceof z.ZodObject ? schema.shape : null;
}

function isOpen(schema: unknown): boolean {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return isOpen(schema.unwrap());
  return schema instanceof z.ZodRecord;
}

/** Why `path` is no field of the record, with the nearest one that is; null when it is one. */
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

/** The tree of dot paths; a path that names a whole field wins over paths inside it. */
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

/** The record with only the selected fields, identity retained; applied to each element of an array. */
export function select(value: unknown, selection: Selection, top = true): unknown {
  if (Array.isArray(value)) return value.map((element) => select(element, selection, top));
  if (typeof value !== 'object' || value === null) return value;
  const kept: [string, unknown][] = [];
  const fallback = top && 'id' in value && value.id === null;
  for (const [name, inner] of Object.entries(value)) {
    const inside = selection.get(name);
    const identity = top && (identityFields.has(name) || (fallback && fallbackIdentityFields.has(name)));
    if (inside === true || identity) kept.push([name, inner]);
    else if (inside) kept.push([name, select(inner, inside, false)]);
  }
  return Object.fromEntries(kept);
}

/** Without nulls and empty values; empty region-restriction lists say something and stay, a page that has no rows stays a list. */
export function trimmed(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => trimmed(element)).filter((element) => !isEmpty(element));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value)
    .map(([key, inner]): [string, unknown] => [key, trimmed(inner, key)])
    .filter(([, inner]) => (name === 'region_restriction' ? inner !== null : !isEmpty(inner)));
  return Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value as object).length === 0;
}
