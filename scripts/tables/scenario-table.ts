import { scenarios } from '../../server/sandbox/scenarios.ts';

const heading = '| suffix | number | answer |\n|---|---|---|\n';

/** Returns docs/sandbox.md with a new table of scenarios. @throws Error when the document has no such table. */
export function writeScenarioTable(document: string): string {
  const [before, after] = document.split(heading);
  if (before === undefined || after === undefined)
    throw new Error('docs/sandbox.md has no table "suffix, number, answer".');
  const rows = scenarios.map(({ suffix, number, answer }) => `| \`${suffix}\` | \`${number}\` | ${answer} |\n`);
  return `${before}${heading}${rows.join('')}${after.replace(/^(?:\|.*\n)*/, '')}`;
}
