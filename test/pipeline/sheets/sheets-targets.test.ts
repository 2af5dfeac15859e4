import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { newId } from '../../../db/ids.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { reportColumns, reportRows } from '../../../pipeline/report/csv.ts';
import { buildReport } from '../../../pipeline/report/report.ts';
import { reportTable, tableOf } from '../../../pipeline/sheets/tables.ts';
import { createTarget, readSpreadsheet } from '../../../pipeline/sheets/targets.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';
import { example } from '../report/report-example.ts';

const spreadsheet = 'invented-spreadsheet-0001';
const report = buildReport(example);

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());
const workspace = async () =>
  (await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'invented', credits: 0 }))).workspace_id;

describe('the pushed table of a campaign report', () => {
  test('the pushed table of a report has the columns of its CSV, readable headings, and times as day numbers in UTC', () => {
    const { columns, former_columns, rows } = reportTable(report);
    expect(columns.slice(0, 7)).toEqual([
      ...['Row', 'Campaign ID', 'Campaign', 'Report name', 'Report ID', 'Final', 'Period start (UTC)'],
    ]);
    expect(columns).toEqual(expect.arrayContaining(['Followers change (%)', 'Followers: exact or rounded']));
    expect(new Set(columns).size).toBe(reportColumns.length);
    expect(former_columns[0]).toContain('Followers quality');
    expect(former_columns[1]?.map((column) => column.replace(' (UTC)', ''))).toEqual(reportColumns);
    expect(columns.filter((column) => column.endsWith(' (UTC)'))).toHaveLength(4);
    const plain = reportRows(report);
    expect(rows).toHaveLength(plain.length);
    for (const [line, cells] of rows.entries()) {
      for (const [index, cell] of cells.entries()) {
        const source = plain[line]?.[index] ?? null;
        const moment = columns[index]?.endsWith(' (UTC)') && source !== null;
        expect(cell).toEqual(moment ? Date.parse(String(source)) / 86_400_000 + 25_569 : (source ?? ''));
      }
    }
  });

  test('a pushed table counts days as spreadsheets do', () => {
    expect(tableOf(['observed_at'], [['2026-01-02T03:04:00.000Z']]).rows).toEqual([[46_024 + 184 / 1_440]]);
  });

  test('the pushed table of a report cuts text at the limit of a cell', () => {
    const long = { ...report, report_name: 'x'.repeat(60_000) };
    expect(
      Math.max(
        ...reportTable(long)
          .rows.flat()
          .map((cell) => String(cell).length),
      ),
    ).toBe(50_000);
  });

  test('a report that has not ended has no table to push', () => {
    expect(() => reportTable({ ...report, report_id: null, final: false })).toThrow();
  });
});

describe('a push target', () => {
  test.each([
    ['no campaign or list', {}],
    ['both', { campaign_id: newId(), list_id: newId() }],
    ['no spreadsheet', { campaign_id: newId(), spreadsheet: 'https://example.com/' }],
    ['no tab', { campaign_id: newId(), sheet_name: '' }],
    ['an unknown mode', { campaign_id: newId(), mode: 'merge' }],
  ])('a sheet target with %s is refused', async (_, of) => {
    const input = { spreadsheet, sheet_name: 'Numbers', mode: 'append', ...of };
    expect(await createTarget(db.sql, await workspace(), input)).toMatchObject({
      ok: false,
      code: 'INVALID_INPUT',
    });
  });

  test.each([newId(), 'no-id'])(
    'a sheet target of a campaign that the workspace does not have (%s) is not found',
    async (campaignId) => {
      const input = { campaign_id: campaignId, spreadsheet, sheet_name: 'Numbers', mode: 'append' };
      expect(await createTarget(db.sql, await workspace(), input)).toMatchObject({
        ok: false,
        code: 'RESOURCE_NOT_FOUND',
      });
    },
  );

  test('a sheet target accepts the URL of a spreadsheet or its id', () => {
    const id = 'InventedSpreadsheetId-0123456789_abcdefghij';
    for (const text of [id, `https://docs.google.com/spreadsheets/d/${id}/edit?gid=0#gid=0`]) {
      expect(readSpreadsheet(text)).toBe(id);
    }
    expect(readSpreadsheet(`https://docs.google.com.evil.example/spreadsheets/d/${id}`)).toBeNull();
  });
});
