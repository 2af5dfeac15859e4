import { writeSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Ends the output with one line that needs no knowledge of vitest: `12 passed, 0 failed` (and `, 1 skipped`). Before it comes
 * a line for each test that failed first and passed when it was repeated, which only CI does.
 */
export const lastLineReporter: Reporter = {
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) count(module, counts);
    const repeated = modules.flatMap((module) => [...module.children.allTests()].filter(isRepeated));
    // Written at the exit: other reporters and the teardown still have something to say, and a run can fail without a failed test.
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

/** Returns the file, the name and the first failure of a repeated test. */
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
  // A file that cannot be loaded, or a hook that fails, fails without a failed test.
  if (module.state() === 'failed' && counts.failed === failedBefore) counts.failed += 1;
}
