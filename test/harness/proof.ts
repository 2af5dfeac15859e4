/** True when a proof (a test with measured figures) runs in its long form: `npm run proof -- NAME --long`. */
export const isLong = process.env.PROOF === 'long';

/** Returns how many times a test repeats its work: `short` in a normal test run, `long` in `npm run proof`. */
export function scaled(short: number, long: number): number {
  return isLong ? long : short;
}

/** Prints one measured number of a proof. */
export function printFigure(label: string, value: number | string): void {
  console.log(`figure: ${label}: ${typeof value === 'number' ? value.toLocaleString('en-US') : value}`);
}
