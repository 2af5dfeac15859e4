import { defineConfig } from 'vitest/config';
import { lastLineReporter } from './test/reporter.ts';
import { useCompileCache } from './test/setup/compile-cache.ts';
import { LongestFirst } from './test/setup/longest-first.ts';
import { useMemoryFolder } from './test/setup/memory-folder.ts';

useCompileCache();
useMemoryFolder();

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/database-server.ts'],
    setupFiles: ['test/setup/clean-worker.ts'],
    pool: 'forks',
    // Many tests wait for a database, a browser or a process, so more workers than CPU cores are quicker.
    maxWorkers: 4,
    // Loading its modules again for each file took more than half of the time of all files.
    isolate: false,
    // V8 then collects the garbage of young objects only, until a process uses 512 MB.
    execArgv: ['--initial-heap-size=512'],
    sequence: { sequencer: LongestFirst },
    // The machine of CI can be busy, and then a limit of time is exceeded by chance: limits are longer there, and a
    // failed test is repeated once. The run names each test that passed only when it was repeated.
    retry: process.env.CI ? 1 : 0,
    testTimeout: process.env.CI ? 90_000 : 30_000,
    hookTimeout: process.env.CI ? 120_000 : 60_000,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    reporters: ['default', lastLineReporter],
  },
});
