import { writeSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Ends the output of a test run with one summary line: `12 passed, 0 failed` (and `, 1 skipped`). Before this line,
 * prints each test that failed at first but passed when repeated. Only CI repeats tests.
 */
export const lastLineReporter: Reporter = {
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) count(module, counts);
    const repeated = modules.flatMap((module) => [...module.children.allTests()].filter(isRepeated));
    // Writes when the process exits, because other reporters and the teardown print before that, and a run can fail
    // without a failed test.
    process.once('exit', (code) => {
      if (code !== 0 && counts.failed === 0) counts.failed = 1;
      const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
      if (!process.env.TEST_CITUS_URL) writeSync(1, 'Citus: not tested, because TEST_CITUS_URL is not set.\n');
      for (const test of repeated) writeSync(1, `Passed only when repeated: ${describe(test)}\n`);
      writeSync(1, `${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
    });
  },
};

const isRepeated = (test: TestCase): boolean => test.diagnostic()?.flaky ?? false;

/** Returns the file, the name and the first error of a repeated test. */
function describe(test: TestCase): string {
  const [failure] = test.result().errors ?? [];
  return `${test.module.relativeModuleId} > ${test.fullName}: ${failure?.message ?? 'unknown failure'}`;
}

function count(module: TestModule, counts: { passed: number; failed: number; skipped: number }): void {
  const failedBefore = counts.failed;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    counts[state === 'pending' ? 'failed' : state] += 1;
  }
  // Counts a file that cannot be loaded, or a failed hook, as one failure if no test of the file has failed.
  if (module.state() === 'failed' && counts.failed === failedBefore) counts.failed += 1;
}
