import { refreshName } from '../formulas/max-age.ts';

const textOrSocial = /"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_[A-Z_]+(?=\s*\()/gi;
/** Matches a string literal, or the name of the refresh cell together with the time that an earlier partial refresh added. */
const textOrRefresh = /"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_REFRESH(?![\w(])(?:\s*&\s*" fresh [0-9TZ:.-]+")?/gi;

/** Returns true when a formula calls a SOCIAL_ function. The function's name inside a string literal does not count. */
export function callsSocial(formula: string): boolean {
  return (formula.match(textOrSocial) ?? []).some((part) => !part.startsWith('"'));
}

/** Returns the formula with the new time after each use of the refresh cell. It replaces an earlier time. */
export function stamped(formula: string, stamp: string): string {
  return formula.replace(textOrRefresh, (part) => (part.startsWith('"') ? part : refreshName + stamp));
}

/** Returns true when a formula uses the refresh cell. */
export function usesRefreshCell(formula: string): boolean {
  return (formula.match(textOrRefresh) ?? []).some((part) => !part.startsWith('"'));
}
