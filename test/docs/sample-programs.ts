import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/**
 * Creates a folder of fake programs that the code samples call. `git clone` links this checkout. `npm ci`, `npm
 * install` and `npm pack` do nothing, because they need the network. `npm run` checks that the script exists, and
 * writes calls of the operator's command line to `callsFile`. `claude mcp add` connects to the server as the real
 * program does.
 */
export async function createFakePrograms(folder: string, callsFile: string): Promise<string> {
  const programs = join(folder, 'programs');
  await mkdir(programs);
  const npm = `const { appendFileSync, readFileSync } = require('node:fs');
const [verb, ...rest] = process.argv.slice(2);
const words = rest.filter((word) => word !== '--silent');
if (['ci', 'install', 'pack'].includes(verb)) process.exit(0);
const name = verb === 'run' ? words.shift() : verb;
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
if (!scripts[name]) throw new Error('there is no script ' + name);
if (name === 'operator') appendFileSync(${JSON.stringify(callsFile)}, JSON.stringify(words.slice(1)) + '\\n');
if (name === 'start') require('node:child_process').spawn(process.execPath, ['server/main.ts'], { stdio: 'inherit' });
`;
  const claude = `const [, , mcp, add, ...rest] = process.argv;
const url = rest.find((word) => word.startsWith('http:'));
const [name, value] = rest[rest.indexOf('--header') + 1].split(': ');
if (mcp !== 'mcp' || add !== 'add') throw new Error('there is no such call');
const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'sample', version: '1' } };
const headers = { [name]: value, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
fetch(url, { method: 'POST', headers, body }).then(({ status }) => process.exit(status === 200 ? 0 : 1));
`;
  const node = (text: string) => `#!${process.execPath}\n${text}`;
  const git = `#!/bin/sh\n[ "$1" = clone ] && ln -s "${resolve('.')}" "$3"\n`;
  for (const [name, text] of Object.entries({ npm: node(npm), claude: node(claude), git })) {
    await writeFile(join(programs, name), text);
    await chmod(join(programs, name), 0o755);
  }
  return programs;
}

/** Creates a folder in which code samples can import the TypeScript client and installed packages. */
export async function createSampleFolder(folder: string): Promise<string> {
  const sampleFolder = join(folder, 'code');
  const client = join(sampleFolder, 'node_modules/tidemark-client');
  await mkdir(client, { recursive: true });
  for (const name of ['standardwebhooks', '@types'])
    await symlink(resolve('node_modules', name), join(sampleFolder, 'node_modules', name));
  await symlink(resolve('clients/typescript/src'), join(client, 'src'));
  await writeFile(join(client, 'package.json'), '{ "type": "module", "exports": "./src/client.ts" }');
  await writeFile(join(sampleFolder, 'package.json'), '{ "type": "module" }');
  return sampleFolder;
}

/** Adds the client's import and creation to a code block that relies on an earlier block for these. */
export function withClient(code: string): string {
  if (!/\bclient\.|createClient\(/.test(code) || code.includes('import ')) return code;
  const creation = code.includes('const client') ? '' : 'const client = createClient({ apiKey, baseUrl });\n';
  return `import { createClient, TidemarkError } from 'tidemark-client';
const [apiKey, baseUrl] = [process.env.TIDEMARK_KEY ?? '', '{base_url}'];
${creation}${code}`;
}
