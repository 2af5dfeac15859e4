import { type Area, isWithin, readAddress, readArea } from '../a1.ts';
import type { Guard, SheetState } from '../world.ts';
import type { Execution } from './execution.ts';
import { googleTexts } from './google-texts.ts';

/** Refuses the whole write when one of its cells is protected or its value is not accepted, as Sheets does. */
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

/** `Range.canEdit`: whether this person may edit every cell of the area. */
export function mayEdit({ world }: Execution, { guards }: SheetState, area: Area): boolean {
  return guards.every((guard) => !('editors' in guard) || guard.editors.includes(world.user) || isApart(guard, area));
}

/** `Range.clearDataValidations`. */
export function withoutRules(guards: readonly Guard[], area: Area): Guard[] {
  return guards.filter((guard) => 'editors' in guard || isApart(guard, area));
}

function isApart({ a1 }: Guard, { from, to }: Area): boolean {
  const own = readArea(a1);
  return own.to.row < from.row || own.from.row > to.row || own.to.column < from.column || own.from.column > to.column;
}
