import * as offers from '../all.ts';
import { maxAges, refreshName, usualMaxAge } from '../max-age.ts';
import type { ArgumentKind, FormulaOffer } from '../offer.ts';
import { reportSections } from '../report-tables.ts';
import { formulaPlatforms } from '../rows/handles.ts';
import { type FormulaArgument, formulaText, sheetReference } from './formula-text.ts';

/**
 * The description of a SOCIAL_ formula for the formula builder of the sidebar. `name`: the name of the function, such
 * as SOCIAL_PROFILE.
 */
export type BuilderFormula = FormulaOffer & { name: string };

/** All SOCIAL_ formulas, in the order in which the sidebar lists them. */
export const builderFormulas: readonly BuilderFormula[] = Object.entries(offers)
  .map(([name, offer]) => ({ name, ...offer }))
  .sort((a, b) => a.order - b.order);

/**
 * The index (first is 0) of the argument `max_age` of each formula, by the formula's name. For a formula without
 * `max_age`, the index of its last argument, `refresh`.
 */
export const agePositions: Readonly<Record<string, number>> = Object.fromEntries(
  builderFormulas.map(({ name, args }) => [name, args.includes('max_age') ? args.indexOf('max_age') : args.length]),
);

/** Returns the description of a formula, such as SOCIAL_PROFILE; undefined when no formula has this name. */
export function findFormula(name: string): BuilderFormula | undefined {
  return builderFormulas.find((formula) => formula.name === name);
}

/**
 * The values that the user chose in the formula builder of the sidebar. These values come from a web page, so each of
 * them is checked. `area`: the picked cells.
 */
export type BuilderChoice = {
  name: string;
  area: { sheet: string; a1: string } | null;
  ticked: readonly string[];
  limit: string;
  days: string;
  campaign: string;
  section: string;
  max_age: string;
  /** The platform of the handles in the picked cells; "" when the cells contain URLs. */
  platform: string;
};

/** Returns the text of the formula that the user chose, or a sentence that says which value is missing. */
export function buildFormula(choice: BuilderChoice, sheet: string): { formula: string } | { missing: string } {
  const formula = findFormula(choice.name);
  if (formula === undefined) return { missing: 'Choose a function.' };
  const args: FormulaArgument[] = [];
  for (const kind of formula.args) {
    const argument = readArgument(kind, choice, formula, sheet);
    if (argument !== null && 'missing' in argument) return argument;
    args.push(argument);
  }
  return { formula: formulaText(formula.name, args) };
}

type ArgumentResult = FormulaArgument | { missing: string };

function readArgument(
  kind: ArgumentKind,
  choice: BuilderChoice,
  formula: BuilderFormula,
  sheet: string,
): ArgumentResult {
  const { area } = choice;
  if (kind === 'area') {
    if (area === null || !/^[A-Z]{1,3}\d+(:[A-Z]{1,3}\d+)?$/.test(area.a1))
      return { missing: 'Select the cells first, then choose “Use the selected cells”.' };
    return { area: area.sheet === sheet ? area.a1 : sheetReference(area.sheet, area.a1) };
  }
  if (kind === 'limit') return wholeNumber(choice.limit, 20, 'Posts for each profile');
  if (kind === 'days') return wholeNumber(choice.days, 365, 'Days back');
  if (kind === 'campaign')
    return choice.campaign === '' ? { missing: 'Choose a campaign.' } : { text: choice.campaign };
  if (kind === 'section') return knownOr(choice.section, reportSections, 'Choose a section.');
  if (kind === 'max_age') return maxAge(choice.max_age);
  if (kind === 'platform')
    return choice.platform === '' ? null : knownOr(choice.platform, formulaPlatforms, 'Choose a platform.');
  const ticked = formula.choices.filter((name) => choice.ticked.includes(name));
  if (ticked.length === 0) return { missing: `Tick at least one ${kind === 'metrics' ? 'metric' : 'column'}.` };
  return { text: ticked.join(',') };
}

/**
 * Returns the argument `max_age` of the formula: a value such as `7d` as text, the refresh cell as a reference, and
 * null for the default.
 */
function maxAge(word: string): ArgumentResult {
  if (word === usualMaxAge) return null;
  return word === refreshName ? { area: refreshName } : knownOr(word, maxAges, 'Choose an age.');
}

function knownOr(word: string, known: readonly string[], missing: string): ArgumentResult {
  return known.includes(word) ? { text: word } : { missing };
}

function wholeNumber(text: string, max: number, label: string): ArgumentResult {
  if (text === '') return null;
  const whole = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return whole >= 1 && whole <= max
    ? { number: whole }
    : { missing: `${label} must be a whole number from 1 to ${max}.` };
}
