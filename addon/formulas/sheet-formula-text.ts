import { refreshName } from './max-age.ts';

const textOrOurs = /"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_[A-Z_]+(?=\s*\()/gi;
/** Text, or the name with the stamp that an earlier refresh of a part put behind it. */
const textOrRefresh = /"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_REFRESH(?![\w(])(?:\s*&\s*" fresh [0-9TZ:.-]+")?/gi;

/** Whether a formula calls a SOCIAL_ function; a text that only names one does not. */
export function callsUs(formula: string): boolean {
  return (formula.match(textOrOurs) ?? []).some((part) => !part.startsWith('"'));
}

/** The formula with a stamp behind each mention of the refresh cell, in place of an older stamp. */
export function stamped(formula: string, stamp: string): string {
  return formula.replace(textOrRefresh, (part) => (part.startsWith('"') ? part : refreshName + stamp));
}

/** Whether a formula names the refresh cell. */
export function namesRefresh(formula: string): boolean {
  return (formula.match(textOrRefresh) ?? []).some((part) => !part.startsWith('"'));
}
