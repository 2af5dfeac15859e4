import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { addonFiles, builtFolder, originMark } from '../server/addon/built-files.ts';
import { endpointsMarkdown } from '../server/docs/endpoints.ts';
import { errorsMarkdown } from '../server/docs/errors.ts';
import { openApi } from '../server/openapi/document.ts';
import { buildFiles } from './build-addon.ts';
import { iconShapes } from './design/icons.ts';
import { openGraphSvg } from './design/open-graph.ts';
import { copiedModule } from './tables/copied-module.ts';
import { excelLists } from './tables/excel-lists.ts';
import { writeFormulaTable } from './tables/formula-table.ts';
import { writeScenarioTable } from './tables/scenario-table.ts';
import { writeSourceTables } from './tables/source-table.ts';
import { trackedMetricsModule, writeExcelMetrics } from './tables/tracked-metrics.ts';

/** The server address in the committed documents. A running server writes its own address into them. */
const baseUrl = 'http://127.0.0.1:8787';

const files: Record<string, string> = {
  'docs/openapi.json': `${JSON.stringify(openApi(baseUrl), null, 2)}\n`,
  'docs/endpoints.md': endpointsMarkdown(),
  'docs/errors.md': errorsMarkdown(),
  'docs/sandbox.md': writeScenarioTable(readFileSync('docs/sandbox.md', 'utf8')),
  'docs/operating.md': writeSourceTables(readFileSync('docs/operating.md', 'utf8')),
  'addon/cells/not-links.ts': copiedModule('pipeline/parse/not-links.ts'),
  'addon/formulas/rows/columns.ts': copiedModule('pipeline/rows/columns.ts'),
  'addon/report-sheet/best-posts.ts': copiedModule('pipeline/report/summary/best-posts.ts'),
  'addon/formulas/field-labels.ts': copiedModule('pipeline/rows/field-labels.ts'),
  'addon/tracked-metrics.ts': trackedMetricsModule(),
  'clients/excel/campaign-report.pq': writeExcelMetrics(readFileSync('clients/excel/campaign-report.pq', 'utf8')),
  'server/design/icon-shapes.json': iconShapes(),
  'server/design/open-graph.svg': openGraphSvg(),
  ...excelLists(),
  'docs/addon.md': writeFormulaTable(readFileSync('docs/addon.md', 'utf8')),
};

const check = process.argv.includes('--check');
writeOrCheck(files);
// The add-on is built last, because the build contains the files of addon/ that are written above.
const built = await buildFiles(originMark);
writeOrCheck(Object.fromEntries(addonFiles.map((name) => [`${builtFolder}/${name}`, built[name]])));

/** Writes the files. With --check, writes nothing and fails when a file differs from its expected text. */
function writeOrCheck(expectedFiles: Record<string, string>): void {
  for (const [file, expected] of Object.entries(expectedFiles)) {
    if (!check) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, expected);
    } else if (readOr(file) !== expected) {
      console.error(`${file} does not match its sources. Run npm run docs and commit the result.`);
      process.exitCode = 1;
    }
  }
}

function readOr(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
