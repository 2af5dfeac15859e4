/** An argument of a spreadsheet formula: a range, a text or a whole number; null for an empty argument. */
export type FormulaArgument = { area: string } | { text: string } | { number: number } | null;

/**
 * Returns the text of a spreadsheet formula. The arguments are separated by `;`, which Google Sheets accepts in every
 * locale. Empty arguments at the end are left out.
 */
export function formulaText(name: string, args: readonly FormulaArgument[]): string {
  const last = args.reduce((found, argument, index) => (argument === null ? found : index), -1);
  return `=${name}(${args
    .slice(0, last + 1)
    .map(argumentText)
    .join('; ')})`;
}

function argumentText(argument: FormulaArgument): string {
  if (argument === null) return '';
  if ('area' in argument) return argument.area;
  return 'number' in argument ? String(argument.number) : `"${argument.text.replace(/"/g, '""')}"`;
}

/**
 * Returns a reference to a range with the name of its sheet, such as 'Sheet 1'!A2:A9, so that a formula in another
 * sheet can use it.
 */
export function sheetReference(sheet: string, a1: string): string {
  return `'${sheet.replace(/'/g, "''")}'!${a1}`;
}
