import { keylessSources, readsOf } from '../../pipeline/keyless-sources.ts';
import { catalog } from '../../server/data/catalog.ts';

const heading = '| source | reads | routes |\n|---|---|---|\n';

/**
 * Returns docs/operating.md with a new table of the sources that need no key. @throws Error when the document has no
 * such table.
 */
export function writeSourceTable(document: string): string {
  const [before, after] = document.split(heading);
  if (before === undefined || after === undefined)
    throw new Error('docs/operating.md has no table "source, reads, routes".');
  const rows = keylessSources.map((name) => `| \`${name}\` | ${readsOf(name)} | ${pathsOf(name).join(', ')} |\n`);
  return `${before}${heading}${rows.join('')}${after.replace(/^(?:\|.*\n)*/, '')}`;
}

function pathsOf(source: string): string[] {
  const routes = catalog.filter(({ collector }) => collector?.sources.some(({ name }) => name === source));
  return routes.map(({ path }) => `\`${path}\``);
}
