import { z } from 'zod';
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

/**
 * Returns the routes with prices and parameters as Markdown. `folder` is the path from the page to the folder of the
 * guides to which it links.
 */
export function endpointsMarkdown(folder: '' | 'docs/' = ''): string {
  return `# API reference

This page lists all routes with their prices, availability and parameters. Call every route with a GET request that has your key in the header \`x-api-key\`. In paths, \`photo\` is Instagram, \`shortvideo\` is TikTok, \`longvideo\` is YouTube, \`microblog\` is X, and \`adlibrary\` is the Meta Ad Library.

The availability of a route says what a production key gets. A development key gets [samples](${folder}sandbox.md) of every route that is not \`planned\`.

| Availability | Meaning |
|---|---|
| available | live data |
| preview | live data, but the route may change and its quality is not promised. Where the description says *no source yet* or *no live data*, requests get the free error [\`SOURCE_NOT_CONFIGURED\`](${folder}errors.md#SOURCE_NOT_CONFIGURED). Replies to YouTube comments need a server with YOUTUBE_API_KEY |
| unavailable | only cached answers; other requests get the free error [\`SOURCE_UNAVAILABLE\`](${folder}errors.md#SOURCE_UNAVAILABLE) |
| planned | nothing yet: the free error [\`SOURCE_NOT_IMPLEMENTED\`](${folder}errors.md#SOURCE_NOT_IMPLEMENTED) |

## Data routes

Send exactly one of the identifiers. An unknown or repeated parameter gets error 400. Every route of this table also accepts \`cache_max_age\`, \`fields\`, \`trim\` and \`estimate\`. A list costs its price for [each page of the platform](${folder}credits.md#long-lists), and not for each row.

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

Workflow routes return columns and rows for spreadsheets, as JSON, or as CSV with \`format=csv\`. A sheet key works for them, too. \`data.columns\` names each column. [Workflow routes](${folder}workflows.md) explains their parameters, such as \`fresh\`, \`platform\`, \`metric\` and \`days\`. \`url\` and \`item\` can be repeated, up to the number in brackets.

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
 * Returns a table row for each parameter, sorted by name, with the groups of routes that have it. A parameter whose
 * description differs between groups has several rows.
 */
function parameterLines(): string[] {
  const groups = new Map<string, Set<string>>();
  const add = (group: string, parameters: Readonly<Record<string, Parameter>>) => {
    for (const [name, { description, example, schema }] of Object.entries(parameters)) {
      const meaning = `${description}${allowedValues(schema)}`;
      const line = `${name} | ${cell(meaning)} | ${example === '' ? '' : `\`${example}\``}`;
      groups.set(line, (groups.get(line) ?? new Set()).add(group));
    }
  };
  for (const { path, identifiers, required = {}, optional = {} } of catalog) {
    add(path.split('/')[2] ?? '', { ...identifiers, ...required, ...optional });
  }
  add('shortvideo', { region });
  add('data routes that return a list', { limit, cursor });
  add('all data routes', { cache_max_age, fields, trim, estimate });
  const byName = [...groups].toSorted(([a], [b]) => nameOf(a).localeCompare(nameOf(b), 'en'));
  return byName.map(([line, names]) => `| ${line} | ${[...names].join(', ')} |`);
}

const nameOf = (line: string) => line.slice(0, line.indexOf(' '));

/** Returns the allowed values and the default of a parameter that has a list or a range of values, else ''. */
function allowedValues(schema: z.ZodType): string {
  const input = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const { enum: values, minimum, maximum } = input as { [name: string]: unknown };
  if (!Array.isArray(values) && minimum === undefined) return '';
  const allowed = Array.isArray(values) ? values.join(', ') : `${minimum} to ${maximum}`;
  return `. Values: ${allowed}${schema instanceof z.ZodDefault ? ` (default: ${schema.def.defaultValue})` : ''}`;
}

const cell = (text: string) => text.replaceAll('|', '\\|');
