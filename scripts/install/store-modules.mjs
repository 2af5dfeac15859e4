// Stores the compiled modules of the server and the pipeline in node_modules/.cache, so that the first start needs
// neither the time nor the memory to compile them. Runs after `npm ci` and when a container image is built. Errors are
// ignored, because a start also works without stored modules.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const timeLimitMs = 60_000;
/** Invalid settings, which make every program end right after it has loaded its modules. */
const wrongSettings = { PORT: 'none', DATABASE_URL: 'none' };

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const programs = ['start', 'up', 'pipeline'].map((name) => scripts[name].split(' exec node ')[1].split(' '));

// While a container image is built, the packages are installed before the code is copied.
if (existsSync(join(root, 'server/main.ts'))) {
  for (const args of programs) run(args);
  run(programs[0].with(-1, 'scripts/install/first-start-modules.ts'));
}

/**
 * Runs Node. `args`: the program, after the same options as in the later start, because V8 stores compiled modules
 * separately for each set of options.
 */
function run(args) {
  const env = { ...process.env, ...wrongSettings };
  spawnSync(process.execPath, args, { cwd: root, env, stdio: 'ignore', timeout: timeLimitMs });
}
