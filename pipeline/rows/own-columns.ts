/** The columns of a file that a user uploaded, which are copied into the results unchanged. */
export interface OwnColumns {
  headings: readonly string[];
  /** One row for each line of the file. A row can have fewer cells than there are headings. */
  rows: readonly (readonly string[])[];
}

export const maxOwnColumns = 50;
/** Maximum characters of all own cells and headings of one batch. */
export const maxOwnCharacters = 300_000;

/** Returns one sentence for the user when the columns are too many or too long to keep, otherwise null. */
export function ownColumnsProblem({ headings, rows }: OwnColumns): string | null {
  const widest = rows.reduce((most, row) => Math.max(most, row.length), headings.length);
  if (widest > maxOwnColumns)
    return `The file has ${widest} columns: remove some, so that at most ${maxOwnColumns} are left.`;
  const characters = [headings, ...rows].flat().reduce((sum, cell) => sum + cell.length, 0);
  if (characters <= maxOwnCharacters) return null;
  return `The cells of the file have ${characters} characters: remove columns or rows, so that at most ${maxOwnCharacters} are left.`;
}
