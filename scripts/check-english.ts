// Finds words that only this project uses in comments, product strings, test names, documents, names in code and file
// names.
//   node scripts/check-english.ts            lists each word with its line; exit code 1 when it finds one
//   node scripts/check-english.ts --report   counts them by word and by file; exit code 0
//   With paths, both check only files whose path begins with one of them, such as server/dashboard
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFile, type FileResult, type Found } from './english/check-file.ts';

const root = join(import.meta.dirname, '..');
/** Files that are not checked, because they contain the banned words on purpose or are generated. */
const excluded =
  /^(?:addon\/built\/.*|scripts\/english\/words\.ts|test\/scripts\/check-english\.test\.ts|clients\/typescript\/src\/schema\.ts)$/;
const maxShown = 100;

function filesBelow(prefixes: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter((file) => /\.(?:ts|mjs|js|md|html)$/.test(file) && !excluded.test(file) && existsSync(join(root, file)))
    .filter((file) => prefixes.length === 0 || prefixes.some((prefix) => file.startsWith(prefix)));
}

function counted(names: readonly string[]): string {
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length] as const);
  return counts
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${String(count).padStart(6)}  ${name}`)
    .join('\n');
}

function report(found: readonly Found[], results: readonly FileResult[]): string {
  const comments = results.reduce((sum, result) => sum + result.comments, 0);
  const bad = results.reduce((sum, result) => sum + result.badComments, 0);
  const share = comments === 0 ? 0 : (bad / comments) * 100;
  return [
    `By word:\n${counted(found.map(({ word }) => word.name))}`,
    `By file:\n${counted(found.map(({ file }) => file))}`,
    `${found.length} banned words; ${bad} of ${comments} comments (${share.toFixed(1)} %) have one.`,
  ].join('\n\n');
}

function list(found: readonly Found[]): string {
  const lines = found.map(
    ({ file, line, found: text, word }) => `${file}:${line}  "${text}" (${word.name}): use ${word.instead}`,
  );
  const hidden = lines.length - maxShown;
  return [...lines.slice(0, maxShown), ...(hidden > 0 ? [`… and ${hidden} more: see --report`] : [])].join('\n');
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const results = filesBelow(args.filter((arg) => !arg.startsWith('--'))).map((file) =>
    checkFile(file, readFileSync(join(root, file), 'utf8')),
  );
  const found = results.flatMap((result) => result.found);
  if (args.includes('--report')) {
    console.log(report(found, results));
  } else if (found.length > 0) {
    console.log(list(found));
    process.exitCode = 1;
  }
}
