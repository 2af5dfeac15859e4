// Deletes the Google APIs that Tidemark never loads from node_modules, about 240 MB. Used for production images.
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const usedApis = ['sheets', 'youtube'];

const folder = resolve(process.argv[2] ?? '.', 'node_modules/googleapis/build/src/apis');
const unused = readdirSync(folder, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && !usedApis.includes(entry.name),
);
for (const { name } of unused) rmSync(join(folder, name), { recursive: true });
console.log(`Deleted ${unused.length} unused Google APIs. \`npm ci\` brings them back.`);
