import { defineConfig } from 'vitest/config';
import { lastLineReporter } from './test/reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/database-server.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Only where a machine is shared with others: what passes at the second try is told at the end.
    retry: Number(process.env.TEST_RETRY ?? 0),
    reporters: ['default', lastLineReporter],
  },
});
