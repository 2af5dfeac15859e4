import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take longest when run alone. They start first, so that no single file keeps the test run waiting
 * at the end.
 */
const longest = [
  'jobs/killed-alerts.test.ts',
  'jobs/processes.test.ts',
  'dashboard/pages.test.ts',
  'jobs/dead-process.test.ts',
  'start/first-start.test.ts',
  'formulas/storm.test.ts',
  'money/kill.test.ts',
  'addon/get-addon-walk.test.ts',
  'dashboard/life.test.ts',
  'dashboard/slow-network.test.ts',
  'docs/browser.test.ts',
  'recipes/recipes.test.ts',
  'sidebar/late-replies.test.ts',
  'proof/fuzz.test.ts',
  'account/security.test.ts',
  'db/embedded/folders.test.ts',
  'jobs/database-killed.test.ts',
  'scripts/backup.test.ts',
  'db/embedded/embedded.test.ts',
];

/** Starts the longest test files first, so that all test processes end at about the same time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
