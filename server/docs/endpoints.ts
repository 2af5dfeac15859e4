import { catalog } from '../data/catalog.ts';
import type { Parameter } from '../data/parameter.ts';
import {
  cacheMaxAge as cache_max_age,
  cursor,
  estimate,
  fields,
  limit,
  ignoredRegion as region,
  trim,
} from '../data/parameters.ts';
import { parametersOf, type Route } from '../data/route.ts';
import { type Workflow, workflows } from '../workflows/catalog.ts';

/** The routes with prices and parameters as Markdown, all from the catalog. */
export function endpointsMarkdown(): string {
  return `# Endpoints

Made from \`server/data/catalog.ts\` by \`npm run docs\`. Every route is a GET with the header \`x-api-key\`. Exactly one of the identifiers is sent.
\`cache_max_age\`, \`fields\`, \`trim\` and \`estimate\` are taken by every route.

| Path | Credits | Identifier (one of) | Further parameters | Result | Availability | What |
|---|---|---|---|---|---|---|
${catalog.map(routeLine).join('\n')}

## Account

Free: \`/v1/credit/balance\` (what is left, in \`data.credits_remaining\`), \`/v1/workflows/campaigns\` (the campaigns of the workspace, in \`data.items\`),
\`/v1/workflows/campaign-report\` (a weekly report by \`id\`, in \`data\`). The last two need a production key, the report a purchased tier as well.

## Workflows

Columns and rows for spreadsheets, as JSON or with \`format=csv\` as CSV; a sheet key opens them too. Each column is named in \`data.columns\`.

| Path | Credits | Required | Further parameters | Columns |
|---|---|---|---|---|
${workflows.map(workflowLine).join('\n')}

## Parameters

| Parameter | Meaning | Example | Of |
|---|---|---|---|
${parameterLines().join('\n')}
`;
}

function routeLine(route: Route): string {
  const identifiers = Object.keys(route.identifiers).join(', ');
  const own = [
    ...Object.keys(route.required ?? {}).map((name) => `${name} (required)`),
    ...Object.keys(route.optional ?? {}),
  ];
  const paging = 'limit' in parametersOf(route) ? ['limit', 'cursor'] : [];
  const regional = 'region' in parametersOf(route) ? ['region'] : [];
  const container = route.availability === 'planned' ? '' : `data.${route.container}`;
  return `| ${route.path} | ${route.cost} | ${identifiers} | ${[...own, ...regional, ...paging].join(', ')} | ${container} | ${route.availability} | ${cell(route.summary)} |`;
}

function workflowLine({ path, price, required, parameters, columns }: Workflow): string {
  const { repeated } = parameters[required] ?? {};
  const often = repeated === undefined ? '' : ` (up to ${repeated})`;
  const others = Object.keys(parameters).filter((name) => name !== required);
  return `| ${path} | ${price} | ${required}${often} | ${others.join(', ')} | ${columns.join(', ')} |`;
}

/** Each parameter of the data routes once for each meaning that it has, with the families of routes where it has that one. */
function parameterLines(): string[] {
  const families = new Map<string, Set<string>>();
  const note = (family: string, parameters: Readonly<Record<string, Parameter>>) => {
    for (const [name, { description, example }] of Object.entries(parameters)) {
      const line = `${name} | ${cell(description)} | ${example === '' ? '' : `\`${example}\``}`;
      families.set(line, (families.get(line) ?? new Set()).add(family));
    }
  };
  for (const { path, identifiers, required = {}, optional = {} } of catalog) {
    note(path.split('/')[2] ?? '', { ...identifiers, ...required, ...optional });
  }
  note('shortvideo', { region });
  note('lists', { limit, cursor });
  note('all', { cache_max_age, fields, trim, estimate });
  return [...families].map(([line, of]) => `| ${line} | ${[...of].join(', ')} |`);
}

const cell = (text: string) => text.replaceAll('|', '\\|');
