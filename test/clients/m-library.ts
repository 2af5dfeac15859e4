import {
  expectKind,
  field,
  fromJson,
  kindOf,
  MError,
  type MFunction,
  type MRecord,
  type MTable,
  type Thunk,
  type Value,
} from './m-values.ts';

/** A request that an Excel template sends with `Web.Contents` of Power Query. `url` includes the query parameters. */
export type WebRequest = { url: string; headers: Record<string, string> };
export type WebAnswer = { status: number; text: string };
export type Environment = { workbook: MTable; web: (request: WebRequest) => Promise<WebAnswer> };

/** Thrown when Excel would ask the user for credentials, which a query cannot catch. */
export class CredentialsPrompt extends Error {}

type Signature = { takes: string[]; optional?: number; run: (args: Value[]) => Promise<Value> | Value };

/** Defines a function of the M library. `takes` lists the kind of each argument; `?` before a kind allows null. */
function define(takes: string, run: (...args: never[]) => Promise<Value> | Value, optional = 0): Signature {
  return { takes: takes === '' ? [] : takes.split(' '), optional, run: (args) => run(...(args as never[])) };
}

/** Returns the functions of the M library that the templates use, with this workbook and web client. */
export function libraryFor(environment: Environment): (name: string) => Thunk | undefined {
  const functions: Record<string, Signature> = {
    ...lists,
    ...texts,
    ...records,
    ...tables,
    ...dates,
    'Excel.CurrentWorkbook': define('', () => environment.workbook),
    'Json.Document': define('binary', ({ text }: { text: string }) => jsonDocument(text)),
    'Web.Contents': define('text record', (base: string, options: MRecord) => contents(base, options, environment.web)),
  };
  return (name) => {
    if (name === 'Int64.Type') return async () => ({ is: 'type', name: 'Int64' });
    const signature = functions[name];
    return signature === undefined ? undefined : async () => checked(name, signature);
  };
}

function checked(name: string, { takes, optional = 0, run }: Signature): MFunction {
  const call = async (args: Value[]): Promise<Value> => {
    if (args.length > takes.length || args.length < takes.length - optional)
      throw new Error(`${name} was called with ${args.length} arguments.`);
    args.forEach((value, index) => {
      const kind = takes[index] ?? 'any';
      expectKind(value, kind.replace('?', ''), kind.startsWith('?'));
    });
    return run(args);
  };
  return { is: 'function', call };
}

const lists: Record<string, Signature> = {
  'List.Transform': define('list function', async (list: Value[], by: MFunction) => {
    const values: Value[] = [];
    for (const item of list) values.push(await by.call([item]));
    return values;
  }),
  'List.Select': define('list function', async (list: Value[], by: MFunction) => {
    const values: Value[] = [];
    for (const item of list) if ((await by.call([item])) === true) values.push(item);
    return values;
  }),
  'List.Distinct': define('list', (list: Value[]) => [
    ...new Map(list.map((item) => [distinctKey(item), item])).values(),
  ]),
  'List.Contains': define('list any', (list: Value[], item: Value) => list.includes(item)),
  'List.IsEmpty': define('list', (list: Value[]) => list.length === 0),
  'List.Buffer': define('list', (list: Value[]) => list),
  'List.First': define('list any', (list: Value[], otherwise: Value) => list[0] ?? otherwise),
  'List.Split': define('list number', (list: Value[], size: number) => {
    if (!Number.isInteger(size) || size < 1) throw new MError('Expression.Error', 'The page size is not valid.');
    return Array.from({ length: Math.ceil(list.length / size) }, (_, page) =>
      list.slice(page * size, (page + 1) * size),
    );
  }),
  'List.Zip': define('list', (lists: Value[][]) => {
    const length = Math.max(0, ...lists.map((list) => list.length));
    return Array.from({ length }, (_, index) => lists.map((list) => list[index] ?? null));
  }),
  'Number.RoundUp': define('number', (value: number) => Math.ceil(value)),
  'List.Count': define('list', (list: Value[]) => list.length),
  'List.Combine': define('list', (list: Value[]) => {
    for (const item of list) expectKind(item, 'list');
    return (list as Value[][]).flat();
  }),
};

/** Returns the value by which M tells duplicates apart. M compares lists by their items. */
function distinctKey(value: Value): Value {
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

const texts: Record<string, Signature> = {
  'Text.From': define('any text', (value: Value) => (value === null ? null : String(value))),
  'Text.Contains': define('text text', (text: string, part: string) => text.includes(part)),
  'Text.Lower': define('text', (text: string) => text.toLowerCase()),
  'Text.Split': define('text text', (text: string, separator: string) => text.split(separator)),
  'Text.StartsWith': define('text text', (text: string, start: string) => text.startsWith(start)),
  'Text.Trim': define('?text', (text: string | null) => text?.trim() ?? null),
  'Text.Combine': define('list text', (list: string[], separator: string) => list.join(separator)),
  'Text.Length': define('text', (text: string) => text.length),
  'Uri.EscapeDataString': define('text', (text: string) => encodeURIComponent(text)),
};

const records: Record<string, Signature> = {
  'Record.Field': define('record text', (record: MRecord, name: string) => field(record, name)),
  'Record.FieldNames': define('record', (record: MRecord) => [...record.fields.keys()]),
  'Record.FieldOrDefault': define(
    '?record text any',
    (record: MRecord | null, name: string, otherwise: Value = null) =>
      record?.fields.has(name) ? field(record, name) : otherwise,
    1,
  ),
  'Record.FromList': define('list list', (values: Value[], names: string[]) => {
    if (values.length !== names.length) throw new MError('Expression.Error', 'There are other names than values.');
    if (new Set(names).size !== names.length) throw new MError('Expression.Error', 'A field occurs twice.');
    return { is: 'record', fields: new Map(names.map((name, index) => [name, async () => values[index] ?? null])) };
  }),
  'Record.SelectFields': define('record list', (record: MRecord, names: string[]) => {
    const missing = names.find((name) => !record.fields.has(name));
    if (missing !== undefined) throw new MError('Expression.Error', `The field '${missing}' wasn't found.`);
    return { is: 'record', fields: new Map([...record.fields].filter(([name]) => names.includes(name))) };
  }),
};

const tables: Record<string, Signature> = {
  '#table': define('list list', (columns: string[], rows: Value[][]) => {
    if (new Set(columns).size !== columns.length) throw new MError('Expression.Error', 'A column occurs twice.');
    if (rows.some((row) => row.length !== columns.length))
      throw new MError('Expression.Error', 'A row has other cells.');
    return { is: 'table', columns, rows };
  }),
  'Table.Column': define('table text', (table: MTable, name: string) => {
    const column = columnOf(table, name);
    return table.rows.map((row) => row[column] ?? null);
  }),
  'Table.ColumnNames': define('table', (table: MTable) => table.columns),
  'Table.ReplaceErrorValues': define('table list', (table: MTable) => table),
  'Table.TransformColumns': define('table list', (table: MTable, changes: [string, MFunction][]) =>
    changeColumns(table, changes, (cell, by) => by.call([cell])),
  ),
  'Table.TransformColumnTypes': define('table list text', (table: MTable, changes: [string, { name: string }][]) =>
    changeColumns(table, changes, async (cell, type) => checkedCell(cell, type.name)),
  ),
  'Table.RenameColumns': define('table list', (table: MTable, renames: [string, string][]) => {
    const names = new Map(renames);
    for (const name of names.keys()) columnOf(table, name);
    return { ...table, columns: table.columns.map((name) => names.get(name) ?? name) };
  }),
};

function columnOf(table: MTable, name: string): number {
  const index = table.columns.indexOf(name);
  if (index < 0) throw new MError('Expression.Error', `The column '${name}' of the table wasn't found.`);
  return index;
}

async function changeColumns<Change>(
  table: MTable,
  changes: [string, Change][],
  change: (cell: Value, how: Change) => Promise<Value>,
): Promise<MTable> {
  const rows = table.rows.map((row) => [...row]);
  for (const [name, how] of changes) {
    const column = columnOf(table, name);
    for (const row of rows) row[column] = await change(row[column] ?? null, how);
  }
  return { ...table, rows };
}

/** Throws unless a cell has the type of its column. Conversions between types are not modelled. */
function checkedCell(cell: Value, type: string): Value {
  expectKind(cell, type === 'Int64' ? 'number' : type, true);
  if (type === 'Int64' && cell !== null && !Number.isSafeInteger(cell))
    throw new Error(`${String(cell)} is not an Int64.`);
  return cell;
}

const dates: Record<string, Signature> = {
  '#datetime': define('number number number number number number', (...parts: number[]) => {
    const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
    return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  }),
  '#duration': define('number number number number', (...[days, hours, minutes, seconds]: number[]) => {
    const total = (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
    return { is: 'duration', ms: total * 1000 };
  }),
  'DateTimeZone.FromText': define('text text', (text: string) => {
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text))
      throw new MError('DataFormat.Error', "We couldn't parse the input provided as a DateTimeZone value.");
    return { is: 'datetimezone', ms: Date.parse(text) };
  }),
  'DateTimeZone.ToUtc': define('datetimezone', (moment: Value) => moment),
  'DateTimeZone.RemoveZone': define('datetimezone', ({ ms }: { ms: number }) => new Date(ms)),
};

function jsonDocument(text: string): Value {
  try {
    return fromJson(JSON.parse(text));
  } catch {
    throw new MError('DataFormat.Error', 'We found extra characters at the end of JSON input.');
  }
}

const webOptions = ['RelativePath', 'Query', 'Headers', 'ManualStatusHandling', 'Timeout'];
/** Statuses for which Excel asks for credentials. A query cannot handle these; only a custom connector can. */
const credentialStatuses = [401, 403];

async function contents(base: string, options: MRecord, send: Environment['web']): Promise<Value> {
  const unknown = [...options.fields.keys()].find((name) => !webOptions.includes(name));
  if (unknown !== undefined) throw new Error(`Web.Contents has no option ${unknown}.`);
  expectKind(await field(options, 'Timeout'), 'duration');
  const handled = (await field(options, 'ManualStatusHandling')) as number[];
  if (handled.some((status) => credentialStatuses.includes(status))) throw new Error('401 and 403 cannot be handled');
  const headers: Record<string, string> = {};
  for (const [name, value] of await textFields(await field(options, 'Headers'))) headers[name] = value;
  const query = (await textFields(await field(options, 'Query'))).map((pair) => pair.map(encodeURIComponent).join('='));
  const url = `${base.replace(/\/$/, '')}/${await field(options, 'RelativePath')}?${query.join('&')}`;
  const answer = await send({ url, headers });
  if (credentialStatuses.includes(answer.status)) throw new CredentialsPrompt(url);
  if (answer.status !== 200 && !handled.includes(answer.status))
    throw new MError('DataSource.Error', `Web.Contents failed to get contents from '${url}' (${answer.status}).`);
  return { is: 'binary', text: answer.text };
}

/** Returns the fields of a record as pairs of name and text. For a field with a list, returns one pair per text. */
async function textFields(record: Value): Promise<[string, string][]> {
  expectKind(record, 'record');
  const pairs: [string, string][] = [];
  for (const [name, thunk] of (record as MRecord).fields) {
    for (const value of [await thunk()].flat()) {
      if (typeof value !== 'string') throw new Error(`${name} is ${kindOf(value)}, not text`);
      pairs.push([name, value]);
    }
  }
  return pairs;
}
