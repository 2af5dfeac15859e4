import { postColumns, profileColumns } from './fields.ts';
import { areaOf, type FormulaArgument, formulaText } from './formula-text.ts';
import { maxAges, refreshName, usualMaxAge } from './max-age.ts';
import { reportSections } from './report-tables.ts';
import { metrics } from './tracked.ts';

/** What an argument of a formula is chosen with in the sidebar. */
export type ArgumentKind = 'area' | 'limit' | 'fields' | 'max_age' | 'metrics' | 'days' | 'campaign' | 'section';

/** A formula as the builder offers it. `choices`: the fields or metrics to tick; `usual` are ticked at first. */
export type BuilderFormula = {
  name: string;
  label: string;
  takes: string;
  args: readonly ArgumentKind[];
  choices: readonly string[];
  usual: readonly string[];
};

const trackedUsual = ['followers'];

export const builderFormulas: readonly BuilderFormula[] = [
  {
    ...{ name: 'SOCIAL_PROFILE', label: 'Profiles', takes: 'Profile URLs' },
    ...{ args: ['area', 'fields', 'max_age'], choices: profileColumns.known, usual: profileColumns.usual },
  },
  {
    ...{ name: 'SOCIAL_POSTS', label: 'Latest posts of profiles', takes: 'Profile URLs, up to 40' },
    ...{ args: ['area', 'limit', 'fields', 'max_age'], choices: postColumns.known, usual: postColumns.usual },
  },
  {
    ...{ name: 'SOCIAL_POST', label: 'Single posts and videos', takes: 'Post URLs' },
    ...{ args: ['area', 'fields', 'max_age'], choices: postColumns.known, usual: postColumns.usual },
  },
  {
    ...{ name: 'SOCIAL_TRACKED', label: 'History of tracked items', takes: 'Ids or URLs of tracked items' },
    ...{ args: ['area', 'metrics', 'days'], choices: metrics, usual: trackedUsual },
  },
  {
    ...{ name: 'SOCIAL_REPORT', label: 'Campaign report', takes: '' },
    ...{ args: ['campaign', 'section'], choices: [], usual: [] },
  },
  { ...{ name: 'SOCIAL_CREDITS', label: 'Credits left', takes: '' }, ...{ args: [], choices: [], usual: [] } },
];

/** What a person chose. Everything in it comes from a page; `area` is where the picked cells are. */
export type BuilderChoice = {
  name: string;
  area: { sheet: string; a1: string } | null;
  ticked: readonly string[];
  limit: string;
  days: string;
  campaign: string;
  section: string;
  max_age: string;
};

/** The formula of a choice, or what is still missing, in a sentence. */
export function buildFormula(choice: BuilderChoice, sheet: string): { formula: string } | { missing: string } {
  const formula = builderFormulas.find(({ name }) => name === choice.name);
  if (formula === undefined) return { missing: 'Choose a function.' };
  const args: FormulaArgument[] = [];
  for (const kind of formula.args) {
    const argument = readArgument(kind, choice, formula, sheet);
    if (argument !== null && 'missing' in argument) return argument;
    args.push(argument);
  }
  return { formula: formulaText(formula.name, args) };
}

type Read = FormulaArgument | { missing: string };

function readArgument(kind: ArgumentKind, choice: BuilderChoice, formula: BuilderFormula, sheet: string): Read {
  const { area } = choice;
  if (kind === 'area') {
    if (area === null || !/^[A-Z]{1,3}\d+(:[A-Z]{1,3}\d+)?$/.test(area.a1)) return { missing: 'Pick the cells first.' };
    return { area: area.sheet === sheet ? area.a1 : areaOf(area.sheet, area.a1) };
  }
  if (kind === 'limit') return wholeNumber(choice.limit, 20, 'Posts of each');
  if (kind === 'days') return wholeNumber(choice.days, 365, 'Days back');
  if (kind === 'campaign')
    return choice.campaign === '' ? { missing: 'Choose a campaign.' } : { text: choice.campaign };
  if (kind === 'section') return knownOr(choice.section, reportSections, 'Choose a section.');
  if (kind === 'max_age') return maxAge(choice.max_age);
  const ticked = formula.choices.filter((name) => choice.ticked.includes(name));
  if (ticked.length === 0) return { missing: `Tick at least one ${kind === 'metrics' ? 'metric' : 'field'}.` };
  return { text: ticked.join(',') };
}

/** The name of the refresh cell stands for whatever age is in it. */
function maxAge(word: string): Read {
  if (word === usualMaxAge) return null;
  return word === refreshName ? { area: refreshName } : knownOr(word, maxAges, 'Choose an age.');
}

function knownOr(word: string, known: readonly string[], missing: string): Read {
  return known.includes(word) ? { text: word } : { missing };
}

function wholeNumber(text: string, max: number, label: string): Read {
  if (text === '') return null;
  const whole = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return whole >= 1 && whole <= max
    ? { number: whole }
    : { missing: `${label} must be a whole number from 1 to ${max}.` };
}
