import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type InventedUpstream, inventedUpstream } from '../server/invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../server/test-service.ts';
import { evaluate, parseM } from './m-language.ts';
import { libraryFor, type WebAnswer, type WebRequest } from './m-library.ts';
import { type MTable, tableOf, type Value } from './m-values.ts';

const server = 'https://social.example';
const folder = join(import.meta.dirname, '../../clients/excel');

export type Setting = {
  settings?: Record<string, string>;
  key?: string;
  web?: (request: WebRequest) => Promise<WebAnswer>;
  /** The rows of the tables in the Excel workbook, by table name. */
  tables?: Record<string, Record<string, Value>[]>;
};

type ExcelSetup = {
  upstream: InventedUpstream;
  /** The URLs that the templates have requested in this test. */
  requested: URL[];
  service: TestService;
  keys: TestKeys;
  run: (template: string, setting?: Setting) => Promise<MTable>;
};

/**
 * Starts the real service for one test file, creates a new workspace for each test, and runs templates against the
 * service.
 */
export function setUpExcel(): ExcelSetup {
  const upstream = inventedUpstream();
  const setup: ExcelSetup = {
    upstream,
    requested: [],
    service: null as unknown as TestService,
    keys: null as unknown as TestKeys,
    run: (
      name: string,
      { settings = {}, key = setup.keys.live_key, web, tables = {} }: Setting = {},
    ): Promise<MTable> => runTemplate(name, { ApiKey: key, ...settings }, tables, web ?? overService),
  };
  beforeAll(async () => {
    setup.service = await createTestService({ fetch: upstream.fetch });
  });
  beforeEach(async () => {
    setup.requested = [];
    upstream.asked.length = 0;
    setup.keys = await setup.service.workspace(200, 'pro_max');
  });
  afterAll(() => setup.service.close());

  /** Sends a request of an Excel template (`Web.Contents` of Power Query) to a real Tidemark service. */
  async function overService({ url, headers }: WebRequest): Promise<WebAnswer> {
    const { pathname, search, origin } = new URL(url);
    expect(origin).toBe(server);
    setup.requested.push(new URL(url));
    return setup.service.ask(`${pathname}${search}`, headers['x-api-key']);
  }
  return setup;
}

async function runTemplate(
  name: string,
  settings: Record<string, string>,
  tables: NonNullable<Setting['tables']>,
  web: NonNullable<Setting['web']>,
): Promise<MTable> {
  const rows = Object.entries(tables).map(([table, content]) => [table, tableOf(content)]);
  const workbook: MTable = { is: 'table', columns: ['Name', 'Content'], rows };
  return (await evaluate(await parseM(await fill(name, settings)), libraryFor({ workbook, web }))) as MTable;
}

/** Returns the source of an Excel template with these settings inserted. */
async function fill(name: string, settings: Record<string, string>): Promise<string> {
  let text = await readFile(join(folder, name), 'utf8');
  for (const [setting, value] of Object.entries({ Server: server, ...settings })) {
    const line = new RegExp(`^    ${setting} = ".*",$`, 'm');
    expect(text).toMatch(line);
    text = text.replace(line, `    ${setting} = "${value}",`);
  }
  return text;
}

/** Returns the rows of a result table as objects whose keys are the column names. */
export function rowsOf({ columns, rows }: MTable): Record<string, Value>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));
}
