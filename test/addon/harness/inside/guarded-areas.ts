import { type Area, readArea } from '../a1.ts';
import type { Guard, SheetState } from '../world.ts';
import type { Execution } from './execution.ts';

/** Returns true when the user may edit every cell of the area, as `Range.canEdit` does. */
export function mayEdit({ world }: Execution, { guards }: SheetState, area: Area): boolean {
  return guards.every((guard) => !('editors' in guard) || guard.editors.includes(world.user) || isApart(guard, area));
}

/** Returns the guards without the validation rules in the area, as `Range.clearDataValidations` leaves them. */
export function withoutRules(guards: readonly Guard[], area: Area): Guard[] {
  return guards.filter((guard) => 'editors' in guard || isApart(guard, area));
}

/** Returns true when the area overlaps merged cells, as `Range.isPartOfMerge` does. */
export function isMerged({ merged }: SheetState, area: Area): boolean {
  return merged.some((a1) => !isApart({ a1 }, area));
}

function isApart({ a1 }: { a1: string }, { from, to }: Area): boolean {
  const own = readArea(a1);
  return own.to.row < from.row || own.from.row > to.row || own.to.column < from.column || own.from.column > to.column;
}
