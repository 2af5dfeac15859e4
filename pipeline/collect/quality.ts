/**
 * Maps fields to the reason why the value is inexact or missing: rounded, hidden by the account, or not exposed by the
 * data source. A key is a field name such as `followers`. In a list, keys begin with the row index, such as `0.likes`.
 */
export type Quality = Record<string, 'rounded' | 'hidden' | 'not_exposed'>;

/** The field names of a record; any text when the type of the record is unknown. */
type FieldOf<R> = unknown extends R ? string : keyof R & string;

/** Returns a `quality` map that marks the listed fields as `not_exposed` in each record where they are null. */
export function notExposed<R>(record: R, fields: readonly FieldOf<R>[]): Quality {
  const quality: Quality = {};
  if (fields.length === 0) return quality;
  const isList = Array.isArray(record);
  const rows = (isList ? record : [record]) as readonly Record<string, unknown>[];
  for (const [index, row] of rows.entries()) {
    const paths = isList ? rowPaths(fields, index) : fields;
    for (const [at, field] of fields.entries()) if (row[field] === null) quality[paths[at] as string] = 'not_exposed';
  }
  return quality;
}

/**
 * The paths of fields in each row of a list. The paths are cached, because building them again for each answer takes
 * twice as long.
 */
const pathsByFields = new WeakMap<readonly string[], string[][]>();

/** Returns the paths of these fields in a row of a list, such as `0.views`. */
function rowPaths(fields: readonly string[], row: number): readonly string[] {
  const known = pathsByFields.get(fields) ?? [];
  pathsByFields.set(fields, known);
  known[row] ??= fields.map((field) => `${row}.${field}`);
  return known[row];
}
