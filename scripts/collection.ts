import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { block, type OpenApiDocument, requestText } from './collection-request.ts';

const folder = 'clients/bruno';

/** Returns the text of every file of the Bruno collection, by its path in the folder. */
function collectionFiles(document: OpenApiDocument): Record<string, string> {
  const routes = Object.entries(document.paths).map(([path, { get }]) => ({
    path,
    summary: get.summary,
    family: get.tags[0],
  }));
  const families = [...new Set(routes.map(({ family }) => family))];
  const files: Record<string, string> = { ...settingsFiles(document) };
  for (const [index, family] of families.entries()) {
    const lines = [`name: ${family}`, `seq: ${index + 1}`];
    files[`${family}/folder.bru`] = `${block('meta', lines)}\n${block('auth', ['mode: inherit'])}`;
    const familyRoutes = routes.filter((route) => route.family === family);
    for (const [position, { path, summary }] of familyRoutes.entries()) {
      const isUnique = familyRoutes.filter((other) => other.summary === summary).length === 1;
      const name = isUnique ? summary : `${summary} (${path})`;
      files[`${family}/${fileName(path, family)}.bru`] = requestText(document, path, position + 1, name);
    }
  }
  return files;
}

/**
 * Returns the files that apply to the whole request collection: its settings, the header with the API key, and the
 * environment.
 */
function settingsFiles({ info, servers }: OpenApiDocument): Record<string, string> {
  const about = [
    '# Tidemark',
    '',
    `Every route of version ${info.version}, generated from docs/openapi.json by npm run docs.`,
  ];
  return {
    'bruno.json': `${JSON.stringify({ version: '1', name: 'Tidemark', type: 'collection', ignore: ['node_modules', '.git'] }, null, 2)}\n`,
    'collection.bru': [
      block('auth', ['mode: apikey']),
      block('auth:apikey', ['key: x-api-key', 'value: {{apiKey}}', 'placement: header']),
      block('docs', about),
    ].join('\n'),
    'environments/local-sandbox.bru': `${block('vars', [`baseUrl: ${servers[0].url}`])}vars:secret [\n  apiKey\n]\n`,
  };
}

/**
 * Returns the file name of a route: `post-children` for `/v1/photo/post/children`, `post-comments-v2` for a route of
 * version 2.
 */
function fileName(path: string, family: string): string {
  const [version, ...parts] = path.split('/').slice(1);
  const names = parts.length > 1 && parts[0] === family ? parts.slice(1) : parts;
  return `${names.join('-')}${version === 'v1' ? '' : `-${version}`}`;
}

function writtenFiles(): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => path.slice(folder.length + 1)).filter((path) => path.endsWith('.bru'));
}

const files = collectionFiles(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
const stale = writtenFiles().filter((path) => !Object.hasOwn(files, path));
if (process.argv.includes('--check')) {
  const changed = Object.keys(files).filter((path) => {
    const file = join(folder, path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== files[path];
  });
  for (const path of [...changed, ...stale]) {
    console.error(`${folder}/${path} does not match docs/openapi.json: run npm run docs and commit the result.`);
    process.exitCode = 1;
  }
} else {
  for (const path of stale) rmSync(join(folder, path));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
