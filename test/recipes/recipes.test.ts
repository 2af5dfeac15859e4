import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Change, changes } from './changes.ts';
import { copyTree, type TreeCopy } from './tree-copy.ts';

/** One copy with all changes, so that the slow checks run once. */
const setupTimeoutMs = 240_000;
/** Tests that loop over the routes and sources and need no database. */
const loopingTests = [
  'test/architecture.test.ts',
  'test/server/sandbox/samples.test.ts',
  'test/pipeline/collect/sources.test.ts',
];
/** The types of the client are not generated in the copy. The linter reads only the changed files. */
const checksDoneOtherwise = ['types of the client', 'architecture', 'lint and format'];
/** Prints the lists of the product that no generated file has. */
const printLists = `
  import { listJobs } from './pipeline/jobs/all.ts';
  import { sections } from './server/dashboard/sections.ts';
  const anything = new Proxy(() => {}, { get: () => anything, apply: () => anything });
  const labels = sections.map((create) => create(anything).menu?.label);
  console.log(JSON.stringify({ jobs: listJobs().map(({ name }) => name), labels }));`;

let copy: TreeCopy;
const touched = new Map<string, string[]>();
let migrations: string[];
let checked: string;
let linted: string;
let tested: string;

beforeAll(async () => {
  copy = copyTree();
  for (const change of changes) {
    copy.apply(change);
    touched.set(change.recipe, copy.changedFiles());
  }
  await copy.run('drizzle-kit', 'generate');
  migrations = copy.changedFiles().filter((file) => file.endsWith('.sql'));
  await copy.run('node', 'scripts/docs.ts');
  await copy.run('node', 'scripts/collection.ts');
  checked = await copy.run('node', 'scripts/check.mjs', ...checksDoneOtherwise.map((name) => `--without=${name}`));
  linted = await copy.run('biome', 'check', '--error-on-warnings', ...new Set([...touched.values()].flat()));
  tested = await copy.run('vitest', 'run', '--reporter=dot', ...loopingTests);
  await copy.run('node', 'scripts/build-addon.ts', 'https://social.example');
}, setupTimeoutMs);
afterAll(() => copy.remove());

/**
 * Returns the paths between backticks in a recipe of CONTRIBUTING.md. For new files, `<name>` and a folder match any name; a file
 * that exists is named, except for its folder.
 */
function placesOf(recipe: string, isNew: boolean): RegExp[] {
  const [, section = ''] = copy.read('CONTRIBUTING.md').split(`\n### ${recipe}\n`);
  const [steps = ''] = section.split(/\n##/);
  const places = [...steps.matchAll(/`([\w<>/.-]+\/[\w<>.-]*)`/g)].map(([, place = '']) => place);
  const named = places.filter((place) => isNew || /\/[\w.-]+$/.test(place));
  return named.map((place) => {
    const pattern = place.replaceAll('.', '\\.').replaceAll(/<\w+>/g, '[a-z-]+');
    return new RegExp(`^${pattern.replace(/\/$/, '/[a-z-]+\\.ts')}$`);
  });
}

describe.each(changes.map((change): [string, Change] => [change.recipe, change]))(
  'the recipe "%s"',
  (recipe, change) => {
    test('needs no more files by hand than its goal', () => {
      expect(touched.get(recipe)?.length).toBeGreaterThan(0);
      expect(touched.get(recipe)?.length).toBeLessThanOrEqual(change.most_files);
    });

    test('names every file that the change edits', () => {
      const unnamed = change.edits.filter(
        (edit) => !placesOf(recipe, 'text' in edit).some((place) => place.test(edit.file)),
      );
      expect(unnamed).toEqual([]);
    });
  },
);

describe('after one change by each recipe', () => {
  test('all checks pass', () => {
    expect(checked.split('\n').filter((line) => line !== '' && !line.startsWith('ok '))).toEqual([]);
    expect(checked).toContain('ok      types');
    expect(linted).not.toContain('failed');
  });

  test('the tests of the architecture, the samples and the sources pass', () => {
    expect(tested).not.toContain('failed');
    expect(tested).toMatch(/Test Files +3 passed/);
  });

  test('the route is in the API document, the reference and the request collection', () => {
    const { paths } = JSON.parse(copy.read('docs/openapi.json'));
    expect(paths['/v1/shortvideo/harvest'].get.summary).toContain('Harvest of a TikTok profile');
    expect(copy.read('docs/endpoints.md')).toContain('/v1/shortvideo/harvest');
    expect(copy.read('clients/bruno/shortvideo/harvest.bru')).toContain('/v1/shortvideo/harvest');
  });

  test('the source is in the list of sources that an operator can switch off', () => {
    expect(copy.read('docs/operating.md')).toContain(
      '| `tiktok-garden` | the garden page of an account | `/v1/shortvideo/videos`',
    );
  });

  test('the error code is in the documentation, the API document and the list of sandbox scenarios', () => {
    expect(copy.read('docs/errors.md')).toContain('GARDEN_CLOSED');
    expect(copy.read('docs/openapi.json')).toContain('"GARDEN_CLOSED"');
    expect(copy.read('docs/sandbox.md')).toMatch(/\| `gdn` \| `3503` \|.*GARDEN_CLOSED/);
  });

  test('the metric has a column, and the add-on and the Excel template know it', () => {
    expect(migrations).toHaveLength(1);
    expect(copy.read(migrations[0] as string)).toContain('ADD COLUMN "duration_seconds"');
    expect(copy.read('addon/tracked-metrics.ts')).toContain('duration_seconds: 5,');
    expect(copy.read('clients/excel/campaign-report.pq')).toContain('"duration_seconds"');
  });

  test('the formula is in the built add-on, its documentation and its sidebar', () => {
    expect(copy.read('addon/dist/Code.js')).toContain('function SOCIAL_ORIGIN()');
    expect(copy.read('addon/dist/Sidebar.html')).toContain('Address of the server');
    expect(copy.read('docs/addon.md')).toContain('| `SOCIAL_ORIGIN()` | the address, a text | 0 |');
  });

  test('the job is in the list of jobs, and the page is in the menu of the dashboard', async () => {
    const lists = JSON.parse(await copy.run('node', '--input-type=module', '--eval', printLists));
    expect(lists.jobs).toContain('water-garden');
    expect(lists.labels).toContain('Harbor');
  });
});
