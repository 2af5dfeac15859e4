import { isWithin, readAddress, readArea } from '../a1.ts';
import type { SheetState } from '../world.ts';
import type { Execution } from './execution.ts';
import { googleTexts } from './google-texts.ts';

/**
 * Throws when the write includes a protected cell or a value that its cell refuses. Like Sheets, refuses the whole
 * write.
 */
export function checkGuards(
  { world }: Execution,
  { guards }: SheetState,
  inputs: readonly (readonly unknown[])[],
  addresses: readonly (readonly string[])[],
): void {
  addresses.forEach((row, index) => {
    row.forEach((a1, offset) => {
      for (const guard of guards.filter((one) => isWithin(readAddress(a1), readArea(one.a1)))) {
        if ('editors' in guard && !guard.editors.includes(world.user)) throw new Error(googleTexts.protectedCells);
        const input = inputs[index]?.[offset];
        const accepted = !('values' in guard) || input === '' || guard.values.some((value) => value === input);
        if (!accepted) throw new Error(googleTexts.dataValidation(a1));
      }
    });
  });
}
