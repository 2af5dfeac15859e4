import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { lastLineReporter } from '../test/reporter.ts';

/** For `npm run bench:check`: every benchmark runs to its end. One at a time, because they measure. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['bench/**/*.test.ts'],
    maxWorkers: 1,
    reporters: ['default', lastLineReporter],
  },
});
