import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { lastLineReporter } from '../test/reporter.ts';

/**
 * The configuration of `npm run bench:check`. It runs every benchmark to its end. They run one at a time, so that they do
 * not slow each other down.
 */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['bench/**/*.test.ts'],
    maxWorkers: 1,
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', lastLineReporter],
  },
});
