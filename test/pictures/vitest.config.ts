import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The configuration of `npm run pictures`, which takes the pictures in docs/pictures from the running product. */
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
