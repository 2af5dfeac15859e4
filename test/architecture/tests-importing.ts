import { imports, importsOf } from './source-files.ts';

/** Returns the test files that import a file, directly or through other files. */
export function testsImporting(wanted: string): string[] {
  const importing = new Set([wanted]);
  let before = 0;
  while (importing.size > before) {
    before = importing.size;
    for (const file of imports.keys()) if (importsOf(file).some((name) => importing.has(name))) importing.add(file);
  }
  return [...importing].filter((file) => /^test\/.*\.test\.ts$/.test(file)).toSorted();
}

// As a program, prints these files, one per line:
//   node test/architecture/tests-importing.ts test/recorded.ts
if (import.meta.main) console.log(testsImporting(process.argv[2] ?? '').join('\n'));
