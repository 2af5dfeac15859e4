import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { inTransaction } from '../../db/transaction.ts';
import { openApi } from '../../server/openapi/document.ts';
import { type ListeningService, listeningService } from '../harness/listening-service.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';
import { type CallerResult, type Generator, generators } from './generated-callers.ts';
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
/** For each generator, a promise that resolves when its client is generated and rejects when the generator fails. */
let generated: Map<Generator, Promise<void>>;
/** Lines that the compiler printed; empty when it found no error in the generated clients. */
let compilerOutput: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  service = await listeningService({ database_url: db.database_url, fetch: inventedUpstream().fetch });
  ({ test_key: testKey } = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'generated', credits: 0 })));
  await installGenerators();
  // Puts the generated code inside the repository, where it can import openapi-fetch from node_modules.
  const cache = resolve(import.meta.dirname, '../../.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'generated-'));
  document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(openApi(service.base_url)));
  generated = new Map(generators.map((generator) => [generator, generate(generator)]));
  await Promise.allSettled(generated.values());
  compilerOutput = await compile();
}, 300_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await service.close();
  await db.close();
});

const folderOf = (name: string) => join(folder, name.replaceAll(/\W/g, '-'));

/** Generates the client of one generator, and writes the module that calls the server through it. */
async function generate({ name, command, caller }: Generator): Promise<void> {
  await mkdir(folderOf(name));
  await runGenerator(command(document, folderOf(name)));
  await writeFile(join(folderOf(name), 'caller.ts'), caller);
}

/**
 * Compiles all generated clients together, because half of the compiler's time goes to starting and to reading the
 * browser types. Returns the lines of its output, or none when it succeeds.
 */
async function compile(): Promise<string[]> {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  try {
    await runGenerator(['tsc', '--pretty', 'false', '-p', folder]);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

/** Returns the compiler output about one client. Returns all of the output when no line is about any client. */
function compilerErrors(name: string): string[] {
  const about = (one: string) => compilerOutput.filter((line) => line.includes(`/${basename(folderOf(one))}/`));
  return generators.some((generator) => about(generator.name).length > 0) ? about(name) : compilerOutput;
}

test.for(generators)(
  '$name generates a client that compiles and calls the server',
  { timeout: 120_000 },
  async (generator) => {
    await generated.get(generator);
    const { name } = generator;
    expect(compilerErrors(name)).toEqual([]);
    const outfile = join(folderOf(name), 'caller.mjs');
    await build({
      entryPoints: [join(folderOf(name), 'caller.ts')],
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
