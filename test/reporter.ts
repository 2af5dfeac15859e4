import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with one line that needs no knowledge of vitest: `12 passed, 0 failed` (and `, 1 skipped`). */
export const lastLineReporter: Reporter = {
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) count(module, counts);
    // Written at the exit: other reporters and the teardown still have something to say, and a run can fail without a failed test.
    process.once('exit', (code) => {
      if (code !== 0 && counts.failed === 0) counts.failed = 1;
      const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
      if (!process.env.TEST_CITUS_URL) writeSync(1, 'Citus: not tested, because TEST_CITUS_URL is not set.\n');
      writeSync(1, `${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
    });
  },
};

function count(module: TestModule, counts: { passed: number; failed: number; skipped: number }): void {
  const failedBefore = counts.failed;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    counts[state === 'pending' ? 'failed' : state] += 1;
  }
  // A file that cannot be loaded, or a hook that fails, fails without a failed test.
  if (module.state() === 'failed' && counts.failed === failedBefore) counts.failed += 1;
}
