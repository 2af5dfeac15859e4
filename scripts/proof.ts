import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { proofs } from './proof/proofs.ts';

/**
 * Runs the tests of one promise: `npm run proof -- NAME [--long]`. The exit code is 1 when a test fails. Without a name
 * it lists all promises.
 */
const { positionals, values } = parseArgs({ allowPositionals: true, options: { long: { type: 'boolean' } } });
const [name = ''] = positionals;
const proof = Object.hasOwn(proofs, name) ? proofs[name as keyof typeof proofs] : null;

if (proof === null) {
  if (name !== '') console.error(`There is no proof "${name}". Use one of these names:`);
  for (const [known, { promise }] of Object.entries(proofs)) console.log(`${known.padEnd(20)}${promise}`);
  process.exitCode = name === '' ? 0 : 2;
} else {
  console.log(`Promise: ${proof.promise}`);
  const env = { ...process.env, ...(values.long ? { PROOF: 'long' } : {}) };
  const { status } = spawnSync('vitest', ['run', ...proof.tests], { stdio: 'inherit', env });
  process.exitCode = status === 0 ? 0 : 1;
}
