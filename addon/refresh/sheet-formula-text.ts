import { argumentsFrom } from '../cells/formula-calls.ts';
import { agePositions } from '../formulas/builder/formula-builder.ts';
import { refreshName, usualMaxAge } from '../formulas/max-age.ts';

const textOrSocial = /"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_[A-Z_]+(?=\s*\()/gi;
/**
 * Matches, in a formula, a string literal or SOCIAL_REFRESH, the name of the cell whose change recalculates all
 * formulas. A time that an earlier partial refresh added after the name is part of the match.
 */
const textOrRefresh = /"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_REFRESH(?![\w(])(?:\s*&\s*" fresh [0-9TZ:.-]+")?/gi;

/**
 * Returns true when a formula calls a SOCIAL_ function (custom function of the add-on). The function's name inside a
 * string literal does not count.
 */
export function callsSocial(formula: string): boolean {
  return (formula.match(textOrSocial) ?? []).some((part) => !part.startsWith('"'));
}

/**
 * Returns the formula with a new time after each use of the refresh cell, in place of an earlier time. `stamp`: the
 * text to add, such as `&" fresh TIME"`.
 */
export function stamped(formula: string, stamp: string): string {
  return formula.replace(textOrRefresh, (part) => (part.startsWith('"') ? part : refreshName + stamp));
}

/** Returns true when a formula uses the refresh cell (the named cell SOCIAL_REFRESH). */
export function usesRefreshCell(formula: string): boolean {
  return (formula.match(textOrRefresh) ?? []).some((part) => !part.startsWith('"'));
}

/** Matches the time that an earlier refresh added at the end of an argument of a formula. */
const addedTime = / [0-9-]+T[0-9:.]+Z"$/;

/**
 * Returns the formula with this time added to the `max_age` (or `refresh`) argument of each SOCIAL_ function, because
 * Google Sheets runs a formula again only when its arguments change. The age in the argument stays, and an earlier time
 * is replaced.
 */
export function timed(formula: string, time: string): string {
  const calls = [...formula.matchAll(textOrSocial)].filter(([part]) => !part.startsWith('"')).reverse();
  return calls.reduce((text, { 0: name, index }) => {
    const position = agePositions[name.toUpperCase()];
    const open = text.indexOf('(', index + name.length) + 1;
    const args = argumentsFrom(text, open);
    if (position === undefined || args === null) return text;
    const separator = text[open + (args[0]?.length ?? 0)] === ',' ? ',' : ';';
    const padded = [...args, ...Array.from({ length: Math.max(0, position + 1 - args.length) }, () => '')];
    padded[position] = withTime(padded[position] ?? '', time);
    const end = open + args.join(' ').length;
    return text.slice(0, open) + padded.join(separator) + text.slice(end);
  }, formula);
}

function withTime(argument: string, time: string): string {
  const [, space = '', content = ''] = /^(\s*)([\s\S]*)$/.exec(argument) ?? [];
  if (content === '') return `${space}"${usualMaxAge} ${time}"`;
  if (/^"[^"]*"$/.test(content)) return `${space}${content.replace(addedTime, '"').slice(0, -1)} ${time}"`;
  return `${space}${content.replace(/\s*&\s*" [0-9-]+T[0-9:.]+Z"$/, '')}&" ${time}"`;
}
