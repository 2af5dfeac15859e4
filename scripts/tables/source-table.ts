import { keylessSources, readsOf } from '../../pipeline/keyless-sources.ts';
import { catalog } from '../../server/data/catalog.ts';
import type { Route, SourcedRoute } from '../../server/data/route.ts';

const sourceHeading = '| source | reads |\n|---|---|\n';
const orderHeading = '| routes | sources, in this order |\n|---|---|\n';

/**
 * Returns docs/operating.md with new tables of the sources that need no key, and of the sources of each route. @throws
 * Error when the document lacks one of these tables.
 */
export function writeSourceTables(document: string): string {
  const sources = keylessSources.map((name) => `| \`${name}\` | ${readsOf(name)} |\n`);
  return writeRows(writeRows(document, sourceHeading, sources), orderHeading, orderRows());
}

function writeRows(document: string, heading: string, rows: readonly string[]): string {
  const [before, after] = document.split(heading);
  if (before === undefined || after === undefined)
    throw new Error(`docs/operating.md has no table that begins with "${heading.split('\n')[0]}".`);
  return `${before}${heading}${rows.join('')}${after.replace(/^(?:\|.*\n)*/, '')}`;
}

/** Returns one row for all routes that try the same sources in the same order. */
function orderRows(): string[] {
  const groups = Map.groupBy(catalog.filter(isServed), ({ collector }) =>
    [...new Set(collector.sources.map(({ name }) => `\`${name}\``))].join(', '),
  );
  return [...groups].map(
    ([sources, routes]) => `| ${routes.map(({ path }) => `\`${path}\``).join(', ')} | ${sources} |\n`,
  );
}

/** Returns true when the route can return live data on a server with all credentials. */
function isServed(route: Route): route is SourcedRoute {
  if (route.availability === 'planned' || route.availability === 'unavailable') return false;
  return !route.operators_only && route.collector.sources.length > 0;
}
