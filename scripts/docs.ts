import { readFileSync, writeFileSync } from 'node:fs';
import { catalog } from '../server/catalog.ts';
import { openApi } from '../server/openapi.ts';
import { parametersOf } from '../server/route.ts';
import { type Workflow, workflows } from '../server/routes/workflows/catalog.ts';

/** What links in the committed documents begin with; a running service writes its own address. */
const base_url = 'http://127.0.0.1:8787';

function endpointsPage(): string {
  const rows = catalog.map((route) => {
    const identifiers = Object.keys(route.identifiers).join(', ');
    const own = [
      ...Object.keys(route.required ?? {}).map((name) => `${name} (required)`),
      ...Object.keys(route.optional ?? {}),
    ];
    const paging = 'limit' in parametersOf(route) ? ['limit', 'cursor'] : [];
    const region = 'region' in parametersOf(route) ? ['region'] : [];
    const container = route.availability === 'planned' ? '' : `data.${route.container}`;
    return `| ${route.path} | ${route.cost} | ${identifiers} | ${[...own, ...region, ...paging].join(', ')} | ${container} | ${route.availability} |`;
  });
  return `# Endpoints

Made from \`server/catalog.ts\` by \`npm run docs\`. Every route is a GET with the header \`x-api-key\`. Exactly one of the identifiers is sent.
\`cache_max_age\`, \`fields\`, \`trim\` and \`estimate\` are taken by every route.

| Path | Credits | Identifier (one of) | Further parameters | Result | Availability |
|---|---|---|---|---|---|
${rows.join('\n')}

## Workflows

Columns and rows for spreadsheets, as JSON or with \`format=csv\` as CSV; a sheet key opens them too. Each column is named in \`data.columns\`.

| Path | Credits | Required | Further parameters | Columns |
|---|---|---|---|---|
${workflows.map(workflowLine).join('\n')}
`;
}

function workflowLine({ path, price, required, parameters, columns }: Workflow): string {
  const { repeated } = parameters[required] ?? {};
  const often = repeated === undefined ? '' : ` (up to ${repeated})`;
  const others = Object.keys(parameters).filter((name) => name !== required);
  return `| ${path} | ${price} | ${required}${often} | ${others.join(', ')} | ${columns.join(', ')} |`;
}

const files: Record<string, string> = {
  'docs/openapi.json': `${JSON.stringify(openApi(base_url), null, 2)}\n`,
  'docs/endpoints.md': endpointsPage(),
};

const check = process.argv.includes('--check');
for (const [file, wanted] of Object.entries(files)) {
  if (!check) writeFileSync(file, wanted);
  else if (readOr(file) !== wanted) {
    console.error(`${file} is not what the catalog says: run npm run docs and commit it.`);
    process.exitCode = 1;
  }
}

function readOr(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
