import { type Area, readArea } from '../a1.ts';
import type { ProtectionState, SheetState } from '../world.ts';
import { type Execution, modelled, personOf } from './execution.ts';
import { range } from './range.ts';

/** The kinds of `Sheet.getProtections`. */
export const protectionTypes = { SHEET: 'SHEET', RANGE: 'RANGE' };

/** `Sheet.getProtections`. The owner of the file may always edit. */
export function protectionMethods(execution: Execution, state: SheetState) {
  return {
    getProtections: (type: string) =>
      state.protections
        .filter(({ a1 }) => (a1 === null) === (type === protectionTypes.SHEET))
        .map((protection) =>
          modelled('Protection', {
            canEdit: () => mayEdit(execution, protection),
            getRange: () => range(execution, state, areaOf(state, protection)),
          }),
        ),
  };
}

/** @throws Error with the text of Google Sheets when the area touches a protected part that this person may not edit. */
export function requireEditor(execution: Execution, state: SheetState, { from, to }: Area): void {
  const refused = state.protections.some((protection) => {
    const area = areaOf(state, protection);
    const apart =
      area.to.row < from.row || area.from.row > to.row || area.to.column < from.column || area.from.column > to.column;
    return !apart && !mayEdit(execution, protection);
  });
  if (refused) {
    throw new Error(
      'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
    );
  }
}

function mayEdit(execution: Execution, { editors }: ProtectionState): boolean {
  const person = personOf(execution);
  return person === execution.world.owner || editors.includes(person);
}

function areaOf(state: SheetState, { a1 }: ProtectionState): Area {
  return a1 === null ? { from: { row: 1, column: 1 }, to: { row: state.rows, column: state.columns } } : readArea(a1);
}
