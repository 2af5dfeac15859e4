import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take longest when they run alone. They start first, so that the test run does not end with one of
 * them alone.
 */
const longest = [
  'start/first-start.test.ts',
  'jobs/killed-alerts.test.ts',
  'money/kill.test.ts',
  'jobs/processes.test.ts',
  'db/embedded/folders.test.ts',
  'recipes/recipes.test.ts',
  'dashboard/pages.test.ts',
  'dashboard/life.test.ts',
  'db/embedded/embedded.test.ts',
  'clients/generated.test.ts',
  'jobs/database-killed.test.ts',
  'longvideo/renamed-keys.test.ts',
  'addon/end-to-end.test.ts',
  'scripts/record.test.ts',
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
