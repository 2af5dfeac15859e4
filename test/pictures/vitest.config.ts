import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Takes the pictures of docs/pictures from the running product: `npm run pictures`. */
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/pictures/*.pictures.ts'],
    globalSetup: ['test/setup/database-server.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
