import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { block, type OpenApiDocument, requestText } from './collection-request.ts';

const folder = 'clients/bruno';

/** Every file of the collection by its path in the folder. */
function collectionFiles(document: OpenApiDocument): Record<string, string> {
  const routes = Object.entries(document.paths).map(([path, { get }]) => ({
    path,
    summary: get.summary,
    family: get.tags[0],
  }));
  const families = [...new Set(routes.map(({ family }) => family))];
  const files: Record<string, string> = { ...frame(document) };
  for (const [index, family] of families.entries()) {
    const lines = [`name: ${family}`, `seq: ${index + 1}`];
    files[`${family}/folder.bru`] = `${block('meta', lines)}\n${block('auth', ['mode: inherit'])}`;
    const own = routes.filter((route) => route.family === family);
    for (const [place, { path, summary }] of own.entries()) {
      const isAlone = own.filter((other) => other.summary === summary).length === 1;
      const name = isAlone ? summary : `${summary} (${path})`;
      files[`${family}/${fileName(path, family)}.bru`] = requestText(document, path, place + 1, name);
    }
  }
  return files;
}

/** What belongs to the collection as a whole: its key, its settings, where it is sent. */
function frame({ info, servers }: OpenApiDocument): Record<string, string> {
  const about = [
    '# Tidemark',
    '',
    `Every route of version ${info.version}, made from docs/openapi.json by npm run docs.`,
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

/** `/v1/photo/post/children` is `post-children`, of the second version `post-comments-v2`. */
function fileName(path: string, family: string): string {
  const [version, ...parts] = path.split('/').slice(1);
  const own = parts.length > 1 && parts[0] === family ? parts.slice(1) : parts;
  return `${own.join('-')}${version === 'v1' ? '' : `-${version}`}`;
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
    console.error(`${folder}/${path} is not what docs/openapi.json says: run npm run docs and commit it.`);
    process.exitCode = 1;
  }
} else {
  for (const path of stale) rmSync(join(folder, path));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
