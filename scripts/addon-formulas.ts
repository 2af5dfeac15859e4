import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A spreadsheet formula of the add-on. `comment` is its JSDoc, which Google Sheets shows as help. `parameters` are the
 * names of all parameters except the first one, which is the client of the API.
 */
export type Formula = { name: string; file: string; comment: string; parameters: string[] };

const formulasFolder = join(import.meta.dirname, '..', 'addon', 'formulas');
const listedFormula = /^export \{ offer as (\w+) \} from '\.\/([\w-]+\.ts)';$/gm;

/**
 * Reads the formulas that addon/formulas/all.ts lists. @throws Error when a file has no documented function with the
 * name of its formula.
 */
export function readFormulas(folder: string = formulasFolder): Formula[] {
  const list = readFileSync(join(folder, 'all.ts'), 'utf8');
  return [...list.matchAll(listedFormula)].map(([, name = '', file = '']) => readFormula(folder, name, file));
}

function readFormula(folder: string, name: string, file: string): Formula {
  const source = readFileSync(join(folder, file), 'utf8');
  const declared = new RegExp(`(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/)\\nexport function ${name}\\(([^)]*)\\)`).exec(source);
  const [, comment = '', parameters = ''] = declared ?? [];
  if (!comment.includes('@customfunction')) {
    throw new Error(
      `addon/formulas/${file} must export the function ${name}, with a comment that has @customfunction.`,
    );
  }
  const [api, ...cells] = parameters.split(',').map(parameterName).filter(Boolean);
  if (api !== 'api') throw new Error(`The first parameter of ${name} in addon/formulas/${file} must be "api: Server".`);
  return { name, file, comment, parameters: cells };
}

/**
 * Returns the name without the underscore that TypeScript requires before an unused parameter. Google Sheets would show
 * the underscore.
 */
function parameterName(parameter: string): string {
  return (parameter.split(':')[0] ?? '').trim().replace(/^_/, '');
}

/**
 * Returns one documented function for each formula, for Code.js. Google Sheets offers only functions at the top level
 * of the script.
 */
export function formulaStubs(formulas: readonly Formula[]): string {
  return formulas
    .map(({ name, comment, parameters }) => {
      const list = parameters.join(', ');
      return `${comment}\nfunction ${name}(${list}) {\n  return Addon_.${name}(${list});\n}\n`;
    })
    .join('\n');
}

/**
 * Returns the main module of the bundle. The module exports everything in addon/menu-entries.ts, and one function for
 * each formula, which passes the client of the API as the first argument.
 */
export function bundleEntry(formulas: readonly Formula[]): string {
  const lines = formulas.flatMap(({ name, file, parameters }) => [
    `import { ${name} as ${name}_ } from './formulas/${file}';`,
    `export function ${name}(${parameters.join(', ')}) { return ${name}_(${['server()', ...parameters].join(', ')}); }`,
  ]);
  return ["export * from './menu-entries.ts';", "import { server } from './platform/platform.ts';", ...lines].join(
    '\n',
  );
}
