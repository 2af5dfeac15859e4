import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than fifteen seconds. */
const longest = [
  'kill.test.ts',
  'processes.test.ts',
  'first-start.test.ts',
  'end-to-end.test.ts',
  'life.test.ts',
  'operator.test.ts',
  'operator-usage.test.ts',
  'storm.test.ts',
  'database-killed.test.ts',
  'folders.test.ts',
  'embedded.test.ts',
];

/** Starts the longest files first, so that all processes end at about the same time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.indexOf(basename(moduleId));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
