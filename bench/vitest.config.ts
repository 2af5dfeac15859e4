import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { lastLineReporter } from '../test/reporter.ts';
import { useCompileCache } from '../test/setup/compile-cache.ts';
import { useMemoryFolder } from '../test/setup/memory-folder.ts';

useCompileCache();
useMemoryFolder();

/**
 * The configuration of `npm run bench:check`. It runs every benchmark to its end, and fails
 * when a ratio of CPU time is worse than in `bench/requests/agreed-ratios.json`.
 */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['bench/**/*.test.ts'],
    maxWorkers: 1,
    maxConcurrency: 3,
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', lastLineReporter],
  },
});
