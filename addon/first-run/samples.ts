import { fieldLabel } from '../formulas/field-labels.ts';

type File = GoogleAppsScript.Spreadsheet.Spreadsheet;

const sheetName = 'Tidemark samples';
const fields = ['platform', 'status', 'display_name', 'followers', 'following', 'posts'] as const;
/** Invented accounts. They have no links, so that no one gets an error for a link that leads nowhere. */
const rows = [
  ['Instagram', 'OK', 'Harbor Coffee (sample)', 128_430, 312, 1_204],
  ['TikTok', 'OK', 'Oak & Iron (sample)', 84_912, 148, 642],
  ['Instagram', 'OK', 'Salt Trail Running (sample)', 412_006, 87, 2_310],
  ['YouTube', 'OK', 'Little Fern Studio (sample)', 9_870, '', 318],
  ['TikTok', 'OK', 'Mira Bakes (sample)', 1_204_558, 402, 3_981],
];

/** Writes five rows of invented accounts into a new sheet and shows it. Needs no key and no request. */
export function insertSamples(): { ok: true; message: string } {
  const file = SpreadsheetApp.getActiveSpreadsheet();
  const sheet = file.insertSheet(freeName(file), file.getSheets().length);
  const headings = fields.map((field) => fieldLabel(field));
  sheet.getRange(1, 1, rows.length + 1, headings.length).setValues([headings, ...rows]);
  sheet.getRange(1, 1, 1, headings.length).setFontWeight('bold');
  sheet.getRange(2, 4, rows.length, 3).setNumberFormat('#,##0');
  sheet.setFrozenRows(1);
  sheet.setColumnWidth(3, 210);
  sheet.activate();
  return { ok: true, message: `Five sample rows are in the sheet “${sheet.getName()}”. The accounts are invented.` };
}

function freeName(file: File): string {
  const taken = file.getSheets().map((sheet) => sheet.getName().toLowerCase());
  let name = sheetName;
  for (let number = 2; taken.includes(name.toLowerCase()); number++) name = `${sheetName} (${number})`;
  return name;
}
