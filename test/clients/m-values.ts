/** A value of Power Query M, limited to what the templates use. Lists are arrays, text is string, datetime is Date. */
export type Value =
  | null
  | boolean
  | number
  | string
  | Date
  | Zoned
  | Duration
  | Bytes
  | MType
  | MFunction
  | MRecord
  | MTable
  | Value[];

export type Thunk = () => Promise<Value>;
export type Zoned = { is: 'datetimezone'; ms: number };
export type Duration = { is: 'duration'; ms: number };
export type Bytes = { is: 'binary'; text: string };
export type MType = { is: 'type'; name: string };
export type MFunction = { is: 'function'; call: (args: Value[]) => Promise<Value> };
/** A record of M. As in M, a field is evaluated only when it is read. */
export type MRecord = { is: 'record'; fields: Map<string, Thunk> };
export type MTable = { is: 'table'; columns: string[]; rows: Value[][] };

/**
 * An error of M, which a template can catch with `try`. Any other thrown value is a bug in the template or in this
 * model.
 */
export class MError extends Error {
  readonly reason: string;
  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

export function recordOf(members: Record<string, Value>): MRecord {
  return { is: 'record', fields: new Map(Object.entries(members).map(([name, value]) => [name, async () => value])) };
}

export function tableOf(rows: Record<string, Value>[]): MTable {
  const columns = Object.keys(rows[0] ?? {});
  return { is: 'table', columns, rows: rows.map((row) => columns.map((name) => row[name] ?? null)) };
}

/** Converts JSON to an M value, as `Json.Document` does. */
export function fromJson(json: unknown): Value {
  if (json === null || typeof json !== 'object') return json as Value;
  if (Array.isArray(json)) return json.map(fromJson);
  return recordOf(Object.fromEntries(Object.entries(json).map(([name, value]) => [name, fromJson(value)])));
}

export function kindOf(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Date) return 'datetime';
  if (typeof value === 'object') return value.is;
  return { boolean: 'logical', number: 'number', string: 'text' }[typeof value as 'boolean'] ?? 'any';
}

/** Throws an MError unless the value has this kind, or is null and `nullable` is true. */
export function expectKind(value: Value, kind: string, nullable = false): void {
  if (kind === 'any' || kindOf(value) === kind || (nullable && value === null)) return;
  throw new MError('Expression.Error', `We cannot convert a value of type ${kindOf(value)} to type ${kind}.`);
}

export async function field(value: Value, name: string): Promise<Value> {
  if (
    value === null ||
    typeof value !== 'object' ||
    !('is' in value) ||
    (value.is !== 'record' && value.is !== 'table')
  )
    throw new MError('Expression.Error', `We cannot apply field access to the type ${kindOf(value)}.`);
  if (value.is === 'table') {
    const column = value.columns.indexOf(name);
    if (column < 0) throw new MError('Expression.Error', `The column '${name}' of the table wasn't found.`);
    return value.rows.map((row) => row[column] ?? null);
  }
  const found = value.fields.get(name);
  if (found === undefined) throw new MError('Expression.Error', `The field '${name}' of the record wasn't found.`);
  return found();
}

export function sameValue(left: Value, right: Value): boolean {
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => sameValue(item, right[index] ?? null));
  return left === right;
}
