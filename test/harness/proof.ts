/** True for the long form of a proof: `npm run proof -- NAME --long`. */
export const isLong = process.env.PROOF === 'long';

/** Returns the amount of work: `short` in every test run, `long` for the long form of a proof. */
export function scaled(short: number, long: number): number {
  return isLong ? long : short;
}

/** Prints one measured figure of a proof. */
export function printFigure(label: string, value: number | string): void {
  console.log(`figure: ${label}: ${typeof value === 'number' ? value.toLocaleString('en-US') : value}`);
}
