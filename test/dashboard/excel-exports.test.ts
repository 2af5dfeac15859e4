import { parse } from 'csv-parse/sync';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldLabel } from '../../pipeline/rows/field-labels.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from './dashboard-server.ts';
import { type Populated, populate } from './populated.ts';
import { dashboardPaths, filled } from './sweep.ts';

let setup: DashboardSetup;
let ann: Member;
let anns: Populated;
beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member({ tier: 'ultra', credits: 500 });
  anns = await populate(setup, ann);
});
afterAll(() => setup.close());

test('every CSV download of the dashboard exists as an Excel file with the same cells, numbers as numbers and times as dates', async () => {
  const csvPaths = dashboardPaths(setup).pages.filter((path) => /[./]csv$/.test(path));
  expect(csvPaths.length).toBeGreaterThanOrEqual(5);
  for (const path of csvPaths) {
    const csv: string[][] = parse(await (await ann.get(filled(path, anns.ids))).text());
    const answer = await ann.get(filled(path.replace(/csv$/, 'xlsx'), anns.ids));
    expect([path, answer.status, answer.headers.get('content-disposition')]).toEqual([
      path,
      200,
      expect.stringMatching(/\.xlsx"$/),
    ]);
    const [sheet] = await readWorkbook(Buffer.from(await answer.arrayBuffer()));
    const [headings = [], ...rows] = sheet?.data ?? [];
    expect(headings).toEqual(csv[0]?.map(fieldLabel));
    expect(rows).toHaveLength(csv.length - 1);
    for (const [index, row] of rows.entries()) {
      for (const [column, cell] of row.entries()) expect(sameCell(csv[index + 1]?.[column] ?? '', cell)).toBe(true);
    }
  }
});

test('every CSV download of the dashboard begins with the byte order mark by which Excel recognizes UTF-8', async () => {
  for (const path of dashboardPaths(setup).pages.filter((one) => /[./]csv$/.test(one))) {
    const answer = await ann.get(filled(path, anns.ids));
    const first = [...new Uint8Array(await answer.arrayBuffer()).slice(0, 3)];
    expect([path, first]).toEqual([path, [0xef, 0xbb, 0xbf]]);
  }
});

/**
 * Returns true when a CSV cell equals a workbook cell. In CSV, an apostrophe precedes text that looks like a formula.
 */
function sameCell(text: string, cell: unknown): boolean {
  if (cell === null) return text === '';
  if (cell instanceof Date) return Math.abs(new Date(text).getTime() - cell.getTime()) < 1_000;
  if (typeof cell === 'string') return text === cell || text === `'${cell}`;
  return text === String(cell);
}
