import { writtenText } from './grid.ts';

const sheetName = 'Tidemark samples';
const note = 'Sample data of invented accounts. Connect a key to get real numbers.';
const headings = ['Profile link', 'Status', 'Platform', 'Display name', 'Followers', 'Posts', 'Verified'];
/** The sample rows. Their accounts do not exist, because `.example` is a domain that is reserved for documentation. */
const rows: (string | number | boolean)[][] = [
  ['https://instagram.example/harbour.bakery', 'SAMPLE', 'Instagram', 'Harbour Bakery', 48_200, 1_312, false],
  ['https://instagram.example/north.trails', 'SAMPLE', 'Instagram', 'North Trails', 1_275_000, 2_904, true],
  ['https://tiktok.example/@cello.daily', 'SAMPLE', 'TikTok', 'Cello Daily', 362_400, 518, false],
  ['https://tiktok.example/@tiny.kitchen', 'SAMPLE', 'TikTok', 'Tiny Kitchen', 5_430_000, 1_086, true],
  ['https://youtube.example/@openbench', 'SAMPLE', 'YouTube', 'Open Bench', 91_700, 233, false],
];

/**
 * Writes five rows of sample data into a separate sheet and shows the sheet. Needs no API key and sends no request. If
 * the sheet already exists, only shows it.
 */
export function writeSamples(): { ok: true; message: string; sheet: string } {
  const file = SpreadsheetApp.getActiveSpreadsheet();
  const existing = file.getSheetByName(sheetName);
  const sheet = existing ?? file.insertSheet(sheetName);
  if (existing === null) {
    const cells = [headings, ...rows].map((row) =>
      row.map((cell) => (typeof cell === 'string' ? writtenText(cell) : cell)),
    );
    sheet.getRange(1, 1).setValue(writtenText(note));
    sheet.getRange(2, 1, cells.length, headings.length).setValues(cells);
    sheet.getRange(2, 1, 1, headings.length).setFontWeight('bold');
  }
  sheet.activate();
  return { ok: true, message: `Five sample rows are in the sheet “${sheetName}”.`, sheet: sheetName };
}
