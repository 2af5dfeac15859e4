import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as offers from '../../../addon/formulas/all.ts';
import { bundleEntry, formulaStubs, readFormulas } from '../../../scripts/addon-formulas.ts';
import { readStubs } from '../../../scripts/check-addon-syntax.ts';
import { writeFormulaTable } from '../../../scripts/tables/formula-table.ts';

const help = `/**
 * Gets a number.
 * @param {"A2"} url A URL.
 * @customfunction
 */`;

async function folderWith(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'formulas-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'all.ts'), "export { offer as SOCIAL_TEST } from './social-test.ts';\n");
  await writeFile(join(folder, 'social-test.ts'), source);
  return folder;
}

test('a formula file and its line in all.ts give a documented spreadsheet function and its export', async () => {
  const folder = await folderWith(
    `${help}\nexport function SOCIAL_TEST(api: Server, url: unknown, _refresh: unknown) {}\n`,
  );
  const formulas = readFormulas(folder);
  expect(readStubs(formulaStubs(formulas))).toMatchObject([{ name: 'SOCIAL_TEST', parameters: ['url', 'refresh'] }]);
  expect(formulaStubs(formulas)).toContain(`${help}\nfunction SOCIAL_TEST(url, refresh) {`);
  expect(bundleEntry(formulas)).toContain('return SOCIAL_TEST_(server(), url, refresh);');
});

test.each([
  ['no help', 'export function SOCIAL_TEST(api: Server) {}', '@customfunction'],
  ['another name', `${help}\nexport function SOCIAL_OTHER(api: Server) {}`, 'must export the function SOCIAL_TEST'],
  ['no api parameter', `${help}\nexport function SOCIAL_TEST(url: unknown) {}`, 'must be "api: Server"'],
])('a formula file with %s is an error that names the file', async (_, source, message) => {
  const folder = await folderWith(`${source}\n`);
  expect(() => readFormulas(folder)).toThrow(message);
  expect(() => readFormulas(folder)).toThrow('social-test.ts');
});

test('the build of the add-on reads every formula that all.ts lists', () => {
  expect(
    readFormulas()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(Object.keys(offers).toSorted());
});

test('the build replaces the table of formulas in docs/addon.md and keeps the text around the table', () => {
  const heading = '| formula | gives | costs |\n|---|---|---|\n';
  const written = writeFormulaTable(`before\n${heading}| old | row | 1 |\n\nafter\n`);
  expect(written).toContain(
    '| `SOCIAL_PROFILE(urls, [fields], [max_age], [platform])` | one row for each profile link |',
  );
  expect(written).not.toContain('old');
  expect(written).toMatch(/^before\n[\s\S]*\|\n\nafter\n$/);
  expect(() => writeFormulaTable('no table')).toThrow('no table');
});
