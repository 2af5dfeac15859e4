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

Generated from \`server/data/catalog.ts\` by \`npm run docs\`. Every route is a GET with the header \`x-api-key\`. Send exactly one of the identifiers.
Every route accepts \`cache_max_age\`, \`fields\`, \`trim\` and \`estimate\`.

In paths, \`photo\` is Instagram, \`shortvideo\` TikTok, \`longvideo\` YouTube, \`adlibrary\` the Meta Ad Library.

| Path | Credits | Identifier (one of) | Other parameters | Result | Availability | Description |
|---|---|---|---|---|---|---|
${catalog.map(routeLine).join('\n')}

## Account

Free: \`/v1/credit/balance\` (credits left, in \`data.credits_remaining\`), \`/v1/workflows/campaigns\` (the campaigns of the workspace, in \`data.items\`),
\`/v1/workflows/campaign-report\` (a weekly report by \`id\`, in \`data\`). The last two need a production key. Reports need the tier Pro or higher.

## Workflows

Columns and rows for spreadsheets, as JSON, or as CSV with \`format=csv\`. A sheet key works here, too. \`data.columns\` names each column.

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
