import { strFromU8, unzipSync } from 'fflate';
import readWorkbook from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { withDates } from '../../../pipeline/rows/times.ts';
import { xlsxOf } from '../../../pipeline/rows/xlsx.ts';

type XlsxTable = Parameters<typeof xlsxOf>[0];

async function bytesOf(table: XlsxTable): Promise<Buffer> {
  return Buffer.from(await new Response(xlsxOf(table)).arrayBuffer());
}

async function readBack(table: XlsxTable) {
  const [sheet] = await readWorkbook(await bytesOf(table));
  return sheet ?? expect.fail('the workbook has no sheet');
}

/** Returns the text of one file inside the Excel workbook of a table. */
async function part(table: XlsxTable, path: string): Promise<string> {
  const file = unzipSync(await bytesOf(table))[path];
  return file ? strFromU8(file) : expect.fail(`the workbook has no ${path}`);
}

const profiles: XlsxTable = {
  name: 'Profiles',
  headings: ['Name', 'Followers', 'Account ID', 'Retrieved at (UTC)', 'Verified'],
  rows: [
    ['=HYPERLINK("https://evil.example")', 1_234_567, '17841400000000000001', new Date('2026-11-20T10:15:30Z'), true],
    ['+1', -5.5, '007', null, null],
  ],
};

describe('an Excel workbook', () => {
  test('an Excel workbook has numbers as numbers, times as UTC dates, IDs and formulas as texts, and null as empty cells', async () => {
    const { sheet, data } = await readBack(profiles);
    expect(sheet).toBe('Profiles');
    expect(data).toEqual([profiles.headings, ...profiles.rows]);
  });

  test('the header row of an Excel workbook is bold and does not scroll, and every column has a width', async () => {
    const sheet = await part(profiles, 'xl/worksheets/sheet1.xml');
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" state="frozen"');
    expect(sheet.match(/<col /g)).toHaveLength(profiles.headings.length);
    const styles = await part(profiles, 'xl/styles.xml');
    const fonts = [...styles.matchAll(/<font>.*?<\/font>/g)].map(([font]) => font);
    const bold = fonts.findIndex((font) => font.includes('<b'));
    const formats = [...(styles.split('<cellXfs')[1] ?? '').matchAll(/<xf [^>]*>/g)].map(([format]) => format);
    const styleOf = (cell: string) => Number(new RegExp(`<c r="${cell}"[^>]* s="(\\d+)"`).exec(sheet)?.[1] ?? 0);
    expect(bold).toBeGreaterThan(0);
    expect(formats[styleOf('A1')]).toContain(`fontId="${bold}"`);
    expect(formats[styleOf('A2')]).toContain('fontId="0"');
    expect(styles).toContain('formatCode="yyyy-mm-dd hh:mm:ss"');
  });

  test('texts that Excel cannot store are cut or cleaned, so that the workbook opens without a repair', async () => {
    const rows = [
      ['a\u0000b\u0007c', 'x'.repeat(40_000), '\ud800', Number.NaN, new Date('1850-01-01T00:00:00Z')],
    ] as const;
    const { data, sheet } = await readBack({
      name: "'a/b\\c?*[d]:".padEnd(60, 'e'),
      headings: ['A', 'B', 'C', 'D', 'E'],
      rows,
    });
    expect(data[1]).toEqual(['abc', 'x'.repeat(32_767), '\ufffd', null, '1850-01-01T00:00:00.000Z']);
    expect(sheet).toMatch(/^a b c d e+$/);
    expect(sheet.length).toBeLessThanOrEqual(31);
    expect((await readBack({ name: '', headings: ['A'], rows: [] })).sheet).toBe('Data');
  });

  test('an Excel workbook of 10,000 rows is complete', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => [index, `row ${index}`]);
    const { data } = await readBack({ name: 'Many', headings: ['Number', 'Text'], rows });
    expect(data).toHaveLength(10_001);
    expect(data.at(-1)).toEqual([9_999, 'row 9999']);
  });
});

test('Excel columns with times become dates, from texts and from milliseconds, and a year stays a text', () => {
  const columns = ['observed_at', 'retrieved_at', 'period_start', 'created_at_platform', 'name'];
  const row = ['2026-11-20T10:00:00.000Z', 0, '2026-11-16', '2019', '2026-11-20T10:00:00.000Z'];
  expect(withDates(columns, [row, [null, null, null, null, null]])).toEqual([
    [new Date('2026-11-20T10:00:00Z'), new Date(0), new Date('2026-11-16T00:00:00Z'), '2019', row[4]],
    [null, null, null, null, null],
  ]);
});
