import { address, readAddress } from '../a1.ts';
import { resultOf } from '../formula.ts';
import { readFormula } from '../formula-syntax.ts';
import { currentSheet, markLoading, type Session, show, typeInto } from '../session.ts';
import { type ParallelCell, type ParallelResult, runTogether } from './run-together.ts';
import type { CellThreads } from './threads.ts';

/**
 * Fills a formula into the cells below `a1`, as dragging does. All cells first show "Loading...", then run thirty at a
 * time.
 */
export function dragTogether(
  threads: CellThreads,
  session: Session,
  a1: string,
  formulas: readonly string[],
): Promise<ParallelResult[]> {
  const { row, column } = readAddress(a1);
  formulas.forEach((formula, index) => {
    typeInto(session, address({ row: row + index, column }), formula);
  });
  return reopenTogether(threads, session);
}

/** Runs every formula of the active sheet again, as reopening the file does. */
export async function reopenTogether(threads: CellThreads, session: Session): Promise<ParallelResult[]> {
  markLoading(session);
  const sheet = currentSheet(session.world);
  const cells = Object.entries(sheet.grid).flatMap(([a1, { formula }]) =>
    formula === undefined ? [] : [{ ...callIn(session, formula), a1, formula }],
  );
  return await runTogether(threads, session, cells, (index, outcome) => {
    const { a1, formula } = cells[index] as (typeof cells)[0];
    show(session, sheet.id, a1, formula, {
      inputs: formula,
      ...('error' in outcome ? outcome : { result: outcome.value }),
    });
  });
}

/** Parses a formula that consists of one call. Returns the function name and the arguments. */
function callIn({ world }: Session, formula: string): Omit<ParallelCell, 'a1'> {
  const tree = readFormula(formula);
  if (tree.kind !== 'call') throw new Error(`Not a single call: ${formula}`);
  const nothingInside = (name: string): never => {
    throw new Error(
      `The fake spreadsheet cannot run ${name} inside another custom function when formulas run at the same time`,
    );
  };
  return { name: tree.name, args: tree.args.map((arg) => resultOf(arg, world, currentSheet(world), nothingInside)) };
}
