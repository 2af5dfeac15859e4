/** An argument of a formula: a range, a text or a whole number; null leaves it empty. */
export type FormulaArgument = { area: string } | { text: string } | { number: number } | null;

/** Returns the text of a formula. Its arguments are separated by `;`, which every locale accepts. Empty arguments at the end are removed. */
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

/** Returns a range with the name of its sheet, so that a formula in another sheet can use it. */
export function areaOf(sheet: string, a1: string): string {
  return `'${sheet.replace(/'/g, "''")}'!${a1}`;
}
