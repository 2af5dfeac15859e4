import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { proofs } from '../../scripts/proof/proofs.ts';

const root = join(import.meta.dirname, '../..');
const run = (...words: string[]) =>
  spawnSync(process.execPath, ['scripts/proof.ts', ...words], { cwd: root, encoding: 'utf8' });

test('every proof (npm run proof) names tests that exist', () => {
  const missing = Object.values(proofs).flatMap(({ tests }) => tests.filter((path) => !existsSync(join(root, path))));
  expect(missing).toEqual([]);
});

test('every proof has a section in docs/reliability.md with its promise', () => {
  const page = readFileSync(join(root, 'docs/reliability.md'), 'utf8').replaceAll(/\s+/g, ' ');
  for (const [name, { promise }] of Object.entries(proofs)) {
    expect(page).toContain(`npm run proof -- ${name}`);
    expect(page).toContain(promise);
  }
  expect(page.match(/ ## /g)).toHaveLength(Object.keys(proofs).length);
});

test('an unknown proof exits with 2 and lists the existing proofs', () => {
  const { status, stdout, stderr } = run('perpetual-motion');
  expect([status, stderr]).toEqual([2, 'There is no proof "perpetual-motion". Use one of these names:\n']);
  for (const name of Object.keys(proofs)) expect(stdout).toContain(name);
});
