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

/** Returns the routes with prices and parameters as Markdown. */
export function endpointsMarkdown(): string {
  return `# API reference

\`npm run docs\` generates this page from \`server/data/catalog.ts\`. Call every route with a GET request that has your key in the header \`x-api-key\`. Send exactly one of the identifiers.
Every route in this first table accepts \`cache_max_age\`, \`fields\`, \`trim\` and \`estimate\`.

In paths, \`photo\` is Instagram, \`shortvideo\` is TikTok, \`longvideo\` is YouTube, \`microblog\` is X, and \`adlibrary\` is the Meta Ad Library. A \`preview\` route works, but its quality is not promised. An \`unavailable\` route returns only cached answers and samples. A \`planned\` route does not work yet.

| Path | Credits per new answer | Identifier (one of) | Other parameters | Result | Availability | Description |
|---|---|---|---|---|---|---|
${catalog.map(routeLine).join('\n')}

## Account

These routes are free:

| Path | Result |
|---|---|
| /v1/credit/balance | \`data.credits_remaining\`: the credits left |
| /v1/workflows/campaigns | \`data.items\`: the campaigns of the workspace |
| /v1/workflows/campaign-report | \`data\`: a weekly report of the campaign with this \`id\` |

The last two need a production key or a sheet key. Reports need the tier Pro or higher.

## Workflows

Workflow routes return columns and rows for spreadsheets, as JSON, or as CSV with \`format=csv\`. A sheet key works for them, too. \`data.columns\` names each column.

| Path | Credits | Required | Other parameters | Columns |
|---|---|---|---|---|
${workflows.map(workflowLine).join('\n')}

## Parameters

| Parameter | Meaning | Example | Routes |
|---|---|---|---|
${parameterLines().join('\n')}
`;
}

function routeLine(route: Route): string {
  const identifiers = Object.keys(route.identifiers).join(', ');
  const others = [
    ...Object.keys(route.required ?? {}).map((name) => `${name} (required)`),
    ...Object.keys(route.optional ?? {}),
  ];
  const paging = 'limit' in parametersOf(route) ? ['limit', 'cursor'] : [];
  const regional = 'region' in parametersOf(route) ? ['region'] : [];
  const container = route.availability === 'planned' ? '' : `data.${route.container}`;
  return `| ${route.path} | ${route.cost} | ${identifiers} | ${[...others, ...regional, ...paging].join(', ')} | ${container} | ${route.availability} | ${cell(route.summary)} |`;
}

function workflowLine({ path, price, required, parameters, columns }: Workflow): string {
  const { repeated } = parameters[required] ?? {};
  const limitText = repeated === undefined ? '' : ` (up to ${repeated})`;
  const others = Object.keys(parameters).filter((name) => name !== required);
  return `| ${path} | ${price} | ${required}${limitText} | ${others.join(', ')} | ${columns.join(', ')} |`;
}

/**
 * Returns a table row for each parameter, with the groups of routes that have it. A parameter whose description differs
 * between groups has several rows.
 */
function parameterLines(): string[] {
  const groups = new Map<string, Set<string>>();
  const add = (group: string, parameters: Readonly<Record<string, Parameter>>) => {
    for (const [name, { description, example }] of Object.entries(parameters)) {
      const line = `${name} | ${cell(description)} | ${example === '' ? '' : `\`${example}\``}`;
      groups.set(line, (groups.get(line) ?? new Set()).add(group));
    }
  };
  for (const { path, identifiers, required = {}, optional = {} } of catalog) {
    add(path.split('/')[2] ?? '', { ...identifiers, ...required, ...optional });
  }
  add('shortvideo', { region });
  add('lists', { limit, cursor });
  add('all', { cache_max_age, fields, trim, estimate });
  return [...groups].map(([line, names]) => `| ${line} | ${[...names].join(', ')} |`);
}

const cell = (text: string) => text.replaceAll('|', '\\|');
