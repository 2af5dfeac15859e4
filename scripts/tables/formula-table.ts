import * as offers from '../../addon/formulas/all.ts';
import { type Formula, readFormulas } from '../addon-formulas.ts';

const heading = '| formula | gives | costs |\n|---|---|---|\n';

/** Returns docs/addon.md with a new table of formulas. @throws Error when the document has no such table. */
export function writeFormulaTable(document: string): string {
  const [before, after] = document.split(heading);
  if (before === undefined || after === undefined)
    throw new Error('docs/addon.md has no table "formula, gives, costs".');
  const signatures = new Map(readFormulas().map((formula) => [formula.name, signature(formula)]));
  const rows = Object.entries(offers)
    .toSorted(([, a], [, b]) => a.order - b.order)
    .map(([name, { gives, costs }]) => `| \`${signatures.get(name)}\` | ${gives} | ${costs} |\n`);
  return `${before}${heading}${rows.join('')}${after.replace(/^(?:\|.*\n)*/, '')}`;
}

/**
 * Returns a formula with its parameters. A parameter is in brackets when the help calls the parameter optional or says
 * what an empty value means.
 */
function signature({ name, parameters, comment }: Formula): string {
  const list = parameters.map((parameter) => {
    const help = new RegExp(`@param \\{.+\\} ${parameter} (.*)`).exec(comment)?.[1] ?? '';
    const label = parameter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return /Empty:|Optional/.test(help) ? `[${label}]` : label;
  });
  return `${name}(${list.join(', ')})`;
}
