import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as Client from '../../clients/typescript/src/client.ts';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { type ListeningService, listeningService } from '../harness/listening-service.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

let db: TestDatabase;
let service: ListeningService;
let browser: TestBrowser;

beforeAll(async () => {
  db = await createTestDatabase();
  service = await listeningService({ database_url: db.database_url, fetch: inventedUpstream().fetch });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.close();
  await db.close();
});

/** Bundles the TypeScript client into one script for a browser. */
async function bundleClient(): Promise<string> {
  const entry = join(import.meta.dirname, '../../clients/typescript/src/client.ts');
  const options = { bundle: true, write: false, format: 'iife', platform: 'browser', globalName: 'Tidemark' } as const;
  const { outputFiles } = await build({ entryPoints: [entry], ...options });
  return outputFiles[0]?.text ?? '';
}

test('the TypeScript client works in a browser, with answers, metering, typed errors and lists', async () => {
  const { test_key } = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'browser', credits: 5 }));
  const { page } = await browser.open();
  await page.goto(`${service.base_url}/healthz`);
  await page.addScriptTag({ content: await bundleClient() });
  const seen = await page.evaluate(
    async (options) => {
      const { createClient, TidemarkError } = (globalThis as unknown as { Tidemark: typeof Client }).Tidemark;
      const client = createClient(options);
      const { data, metering } = await client.get('/v1/photo/profile', { handle: 'tidemark.sample' });
      const missing = client.get('/v1/photo/profile', { handle: 'sandbox_404' });
      const code = await missing.catch((error: unknown) =>
        error instanceof TidemarkError ? error.code : String(error),
      );
      let rows = 0;
      for await (const _ of client.items('/v1/photo/posts', { handle: 'tidemark.sample', limit: 20 })) rows += 1;
      return [data.profile?.username, metering.creditsRemaining, metering.sandbox, code, rows];
    },
    { apiKey: test_key, baseUrl: service.base_url },
  );
  expect(seen).toEqual(['tidemark.sample', 5, true, 'RESOURCE_NOT_FOUND', 24]);
});
