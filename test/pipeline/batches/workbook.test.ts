import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readWorkbook, WorkbookError } from '../../../pipeline/batches/workbook.ts';
import { xlsxOf } from '../../../pipeline/rows/xlsx.ts';

const bytesOf = async (stream: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(stream).arrayBuffer());

/**
 * Returns an Excel workbook whose sheet has this XML in the element `<sheetData>`. Cells can refer to `shared`, a text
 * that is stored only once.
 */
function workbook(sheetData: string, level: 0 | 9 = 9, shared = ''): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const relation = (...targets: [type: string, target: string][]) =>
    `<Relationships xmlns="${packageRelations}">${targets.map(([type, target], n) => `<Relationship Id="rId${n + 1}" Type="${relations}/${type}" Target="${target}"/>`).join('')}</Relationships>`;
  const parts = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relation(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ),
    'xl/sharedStrings.xml': `<sst xmlns="${main}"><si><t>${shared}</t></si></sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheetData}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])), { level });
}

const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;

/** A small file whose sheet unpacks to 40 MB. Two tests share the file, because packing it takes a second. */
const bomb = workbook(`<row r="1">${text('A1', 'x'.repeat(40 * 1024 * 1024))}</row>`);
const tooLarge = new WorkbookError(
  'This Excel file is too large to be read. Copy the column with the links into a new file and upload that file.',
);

test('an Excel file gives its cells as texts, and keeps empty rows and cells at their positions', async () => {
  const headings = ['Name', 'Link', 'Since', 'Fee'];
  const rows = [
    ['Ann', 'https://www.instagram.com/ann/', new Date('2026-01-02T00:00:00Z'), 12.5],
    ['Bob', null, new Date('2026-01-02T03:04:05Z'), true],
  ];
  expect(await readWorkbook(await bytesOf(xlsxOf({ name: 'People', headings, rows })))).toEqual([
    headings,
    ['Ann', 'https://www.instagram.com/ann/', '2026-01-02', '12.5'],
    ['Bob', '', '2026-01-02T03:04:05.000Z', 'true'],
  ]);
  expect(await readWorkbook(workbook(`<row r="3">${text('B3', 'x')}</row>`))).toEqual([[], [], ['', 'x']]);
});

test('an Excel file that unpacks to more than the limit is refused before it is unpacked', async () => {
  expect(bomb.length).toBeLessThan(100_000);
  await expect(readWorkbook(bomb)).rejects.toThrow(tooLarge);
});

test('an Excel file of a few kB whose cells all refer to one long text is refused before its cells are copied', async () => {
  const cell = (row: number) => `<row r="${row}"><c r="A${row}" t="s"><v>0</v></c></row>`;
  const cells = (count: number) => Array.from({ length: count }, (_, n) => cell(n + 1)).join('');
  const file = (count: number) => workbook(cells(count), 9, 'x'.repeat(100_000));
  expect(file(500).length).toBeLessThan(10_000);
  await expect(readWorkbook(file(500))).rejects.toThrow(tooLarge);
  expect((await readWorkbook(file(9))).map(([text]) => text?.length)).toEqual(Array(9).fill(100_000));
});

test('an Excel file with too many cells is refused, even when most of them are empty', async () => {
  const rows = Array.from({ length: 100 }, (_, n) => `<row r="${n + 1}">${text(`XFD${n + 1}`, 'x')}</row>`);
  await expect(readWorkbook(workbook(rows.join('')))).rejects.toThrow(tooLarge);
});

test('an Excel file that states a false size is unpacked to that size at most', async () => {
  const changed = bomb.slice();
  const view = new DataView(changed.buffer);
  for (let at = 0; at + 4 <= changed.length; at += 1) {
    // Replaces the stated unpacked size, which is at byte 24 of an entry in the central directory.
    if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 24, true) > 1_000_000)
      view.setUint32(at + 24, 10, true);
  }
  expect(await readWorkbook(changed)).toEqual([]);
});

test('an Excel file whose few cells span billions of cells does not use up the memory of the server', async () => {
  const rows = Array.from({ length: 9_000 }, (_, n) => `<row r="${n + 1}"><c r="XFD${n + 1}"><v>1</v></c></row>`);
  await expect(readWorkbook(workbook(rows.join('')))).rejects.toThrow(tooLarge);
}, 30_000);

test('an Excel file with more than 10,000 rows is refused', async () => {
  await expect(readWorkbook(workbook(`<row r="10001">${text('A10001', 'x')}</row>`))).rejects.toThrow(tooLarge);
});

test('a file that is no workbook is refused with the advice to save it as CSV', async () => {
  for (const bytes of [new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), zipSync({ 'a.xml': strToU8('<a/>') })])
    await expect(readWorkbook(bytes)).rejects.toThrow('Save the sheet as CSV');
});

test('more Excel files at the same time than can wait are refused with the advice to try again', async () => {
  const file = workbook(`<row r="1">${text('A1', 'x')}</row>`);
  const read = await Promise.allSettled(Array.from({ length: 25 }, () => readWorkbook(file)));
  const refused = read.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toEqual(
    Array(3).fill(
      new WorkbookError(
        'Too many Excel files are being read at the moment. Try again in a minute, or save the sheet as CSV.',
      ),
    ),
  );
  expect(await readWorkbook(file)).toEqual([['x']]);
});
