import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { inTransaction } from '../../db/transaction.ts';
import { openApi } from '../../server/openapi/document.ts';
import { type ListeningService, listeningService } from '../harness/listening-service.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';
import { type CallerResult, generators } from './generated-callers.ts';
import { installGenerators, runGenerator } from './generators.ts';

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  skipLibCheck: true,
  types: [],
};

let db: TestDatabase;
let service: ListeningService;
let folder: string;
let document: string;
let testKey: string;

beforeAll(async () => {
  db = await createTestDatabase();
  service = await listeningService({ database_url: db.database_url, fetch: inventedUpstream().fetch });
  ({ test_key: testKey } = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'generated', credits: 0 })));
  await installGenerators();
  // Puts the generated code into the repository, so that it can import openapi-fetch from node_modules.
  const cache = resolve(import.meta.dirname, '../../.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'generated-'));
  document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(openApi(service.base_url)));
}, 300_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await service.close();
  await db.close();
});

test.concurrent.for(generators)(
  '$name generates a client that compiles and calls the server',
  { timeout: 120_000 },
  async ({ name, command, caller }, { expect }) => {
    const clientFolder = join(folder, name.replaceAll(/\W/g, '-'));
    await mkdir(clientFolder);
    await runGenerator(command(document, clientFolder));
    await writeFile(join(clientFolder, 'caller.ts'), caller);
    await writeFile(join(clientFolder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
    await runGenerator(['tsc', '-p', clientFolder]);
    const outfile = join(clientFolder, 'caller.mjs');
    await build({
      entryPoints: [join(clientFolder, 'caller.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
    });
    const { call } = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as {
      call: (baseUrl: string, key: string) => Promise<CallerResult>;
    };
    expect(await call(service.base_url, testKey)).toEqual({
      username: 'tidemark.sample',
      fields: ['id', 'username', 'followers'],
      rows: 5,
      cost: 0,
      status: 404,
    });
  },
);
