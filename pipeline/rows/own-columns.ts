/** The columns of a file that a user uploaded, which are copied unchanged into the results. */
export interface OwnColumns {
  headings: readonly string[];
  /** One row for each line of the uploaded file. A row can have fewer cells than there are headings. */
  rows: readonly (readonly string[])[];
}

const maxOwnColumns = 50;
/**
 * Maximum number of characters in the headings and cells of an uploaded file that are copied into the results of one
 * bulk analysis.
 */
const maxOwnCharacters = 300_000;

/**
 * Checks the columns of an uploaded file. Returns one sentence for the user when there are too many columns or their
 * texts are too long; otherwise null.
 */
export function ownColumnsProblem({ headings, rows }: OwnColumns): string | null {
  const widest = rows.reduce((most, row) => Math.max(most, row.length), headings.length);
  if (widest > maxOwnColumns)
    return `The file has ${widest} columns: remove some, so that at most ${maxOwnColumns} are left.`;
  const characters = [headings, ...rows].flat().reduce((sum, cell) => sum + cell.length, 0);
  if (characters <= maxOwnCharacters) return null;
  return `The cells of the file have ${characters} characters: remove columns or rows, so that at most ${maxOwnCharacters} are left.`;
}
