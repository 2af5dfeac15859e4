import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { lastLineReporter } from '../test/reporter.ts';

/** The configuration of `npm run bench:check`: runs every benchmark to its end, one at a time, because they measure. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['bench/**/*.test.ts'],
    maxWorkers: 1,
    reporters: ['default', lastLineReporter],
  },
});
