import { refresh_name } from './max-age.ts';

const text_or_ours = /"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_[A-Z_]+(?=\s*\()/gi;
/** Text, or the name with the stamp that an earlier refresh of a part put behind it. */
const text_or_refresh = /"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_REFRESH(?![\w(])(?:\s*&\s*" fresh [0-9TZ:.-]+")?/gi;

/** Whether a formula calls a SOCIAL_ function; a text that only names one does not. */
export function callsUs(formula: string): boolean {
  return (formula.match(text_or_ours) ?? []).some((part) => !part.startsWith('"'));
}

/** The formula with a stamp behind each mention of the refresh cell, in place of an older stamp. */
export function stamped(formula: string, stamp: string): string {
  return formula.replace(text_or_refresh, (part) => (part.startsWith('"') ? part : refresh_name + stamp));
}

/** Whether a formula names the refresh cell. */
export function namesRefresh(formula: string): boolean {
  return (formula.match(text_or_refresh) ?? []).some((part) => !part.startsWith('"'));
}
