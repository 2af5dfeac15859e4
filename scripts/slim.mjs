// Deletes files from node_modules that a server never loads: the Google APIs that Tidemark does not use (240 MB), and
// the source maps and types of all packages. Used for production images.
import { globSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const usedApis = ['sheets', 'youtube'];

const modules = resolve(process.argv[2] ?? '.', 'node_modules');
const folder = join(modules, 'googleapis/build/src/apis');
const unused = readdirSync(folder, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && !usedApis.includes(entry.name),
);
for (const { name } of unused) rmSync(join(folder, name), { recursive: true });
const unloaded = globSync('**/*.{map,d.ts,d.mts,d.cts}', { cwd: modules });
for (const path of unloaded) rmSync(join(modules, path));
console.log(
  `Deleted ${unused.length} unused Google APIs, and ${unloaded.length} source maps and type files. \`npm ci\` installs them again.`,
);
