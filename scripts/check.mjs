// Runs all checks that do not need the service, in parallel. Prints a line for each check, and the output of each
// failed check.
//   node scripts/check.mjs --without=architecture    leaves out a check; may be repeated
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const cache = join(import.meta.dirname, '../node_modules/.cache');
process.env.NODE_COMPILE_CACHE ??= join(cache, 'compiled');

/**
 * Number of type checkers that the TypeScript compiler runs in parallel. The number is small, because each checker
 * repeats part of the work of the others, and the other checks need CPU cores too.
 */
const checkers = Math.max(1, Math.floor(availableParallelism() / 4));

const checks = {
  // Keeps information of earlier type checks in a file, so that a second check takes a fifth of the time.
  types: [
    'tsc',
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    join(cache, 'types.tsbuildinfo'),
    '--checkers',
    `${checkers}`,
  ],
  'lint and format': ['biome', 'check', '--error-on-warnings', '.'],
  'plain English': ['node', 'scripts/check-english.ts'],
  'generated docs': ['node', 'scripts/docs.ts', '--check'],
  'request collection': ['node', 'scripts/collection.ts', '--check'],
  'types of the client': ['node', 'scripts/client.ts', '--check'],
  architecture: ['vitest', 'run', 'test/architecture', '--reporter=dot'],
  'add-on': ['tsc', '--noEmit', '-p', 'addon'],
  sidebar: ['tsc', '--noEmit', '-p', 'addon/sidebar'],
  'built add-on': ['node', 'scripts/check-addon.ts'],
};

function run(name, [command, ...args]) {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    child.stderr.on('data', (text) => {
      output += text;
    });
    child.on('error', (error) => resolve({ name, failed: true, output: error.message, seconds: 0 }));
    child.on('close', (code) =>
      resolve({ name, failed: code !== 0, output, seconds: (performance.now() - started) / 1000 }),
    );
  });
}

const chosen = Object.entries(checks).filter(([name]) => !process.argv.includes(`--without=${name}`));
const results = await Promise.all(chosen.map(([name, command]) => run(name, command)));
for (const { name, failed, output, seconds } of results) {
  console.log(`${failed ? 'FAILED' : 'ok    '}  ${name} (${seconds.toFixed(1)} s)`);
  if (failed) console.log(output.trimEnd());
}
process.exitCode = results.some(({ failed }) => failed) ? 1 : 0;
