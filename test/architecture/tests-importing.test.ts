import { expect, test } from 'vitest';
import { testsAndBenchmarks } from './source-files.ts';
import { testsImporting } from './tests-importing.ts';

const withRecordings = testsImporting('test/recorded.ts');

test('CI repeats every test file that reads recordings, directly or through a helper, without recordings', () => {
  const direct = [...testsAndBenchmarks].filter(
    ([file, text]) => file.endsWith('.test.ts') && /from '(?:\.\.\/)+recorded\.ts'/.test(text),
  );
  expect(direct.length).toBeGreaterThan(20);
  expect(withRecordings).toEqual(expect.arrayContaining(direct.map(([file]) => file)));
  expect(withRecordings).toContain('test/pipeline/longvideo/video.test.ts');
});

test('CI does not repeat test files that read no recordings', () => {
  expect(withRecordings).not.toContain('test/pipeline/network/fetcher.test.ts');
  expect(withRecordings).not.toContain('test/server/media/media.test.ts');
  expect(withRecordings.filter((file) => !file.endsWith('.test.ts'))).toEqual([]);
});
