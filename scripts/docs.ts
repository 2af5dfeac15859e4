import { readFileSync, writeFileSync } from 'node:fs';
import { endpointsMarkdown } from '../server/docs/endpoints.ts';
import { errorsMarkdown } from '../server/docs/errors.ts';
import { openApi } from '../server/openapi/document.ts';
import { writeFormulaTable } from './formula-table.ts';

/** What links in the committed documents begin with; a running service writes its own address. */
const baseUrl = 'http://127.0.0.1:8787';

const files: Record<string, string> = {
  'docs/openapi.json': `${JSON.stringify(openApi(baseUrl), null, 2)}\n`,
  'docs/endpoints.md': endpointsMarkdown(),
  'docs/errors.md': errorsMarkdown(),
  'docs/addon.md': writeFormulaTable(readFileSync('docs/addon.md', 'utf8')),
};

const check = process.argv.includes('--check');
for (const [file, wanted] of Object.entries(files)) {
  if (!check) writeFileSync(file, wanted);
  else if (readOr(file) !== wanted) {
    console.error(`${file} is not what the tables of the server say: run npm run docs and commit it.`);
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
