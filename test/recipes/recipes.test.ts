import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtFolder } from '../../server/addon/built-files.ts';
import { type Change, changes } from './changes.ts';
import { copyTree, type TreeCopy } from './tree-copy.ts';

/**
 * Time limit of the setup, which applies all changes to one copy of the repository, so that the slow checks run only
 * once.
 */
const setupTimeoutMs = 240_000;
/** Tests that loop over all routes and sources and do not need a database. */
const loopingTests = [
  'test/architecture',
  'test/server/sandbox/samples.test.ts',
  'test/pipeline/collect/sources.test.ts',
];
/** Runs these tests in one process, and lets Node load the modules, because Vitest takes longer to transform them. */
const fewProcesses = ['--maxWorkers=1', '--experimental.viteModuleRunner=false'];
/**
 * Checks that do not run in the copy of the repository. The copy does not generate the client's types, and lints only
 * the changed files.
 */
const checksDoneOtherwise = ['types of the client', 'architecture', 'lint and format'];
/**
 * Code that prints what no generated file lists: the jobs, the menu of the dashboard, and the answer or the error of a
 * request to the new host and to a host without a line in the list. One process prints all of it, because a process
 * takes longer to start than to run this code.
 */
const printFindings = `
  import { listJobs } from './pipeline/jobs/all.ts';
  import { createHttpClient, httpLimits, upstreamHosts } from './pipeline/network/http-client.ts';
  import { sections } from './server/dashboard/sections.ts';
  const anything = new Proxy(() => {}, { get: () => anything, apply: () => anything });
  const labels = sections.map((create) => create(anything).menu?.label);
  const answer = { status: 204, headers: {}, body: Buffer.from('') };
  const client = createHttpClient(upstreamHosts, httpLimits, async () => answer);
  const request = (host) => client({ url: 'https://' + host + '/@kite' }, new AbortController().signal);
  const outcome = (host) => request(host).then(({ status }) => status, ({ message }) => message);
  const hosts = [await outcome('garden.tiktok.com'), await outcome('meadow.tiktok.com')];
  console.log(JSON.stringify({ jobs: listJobs().map(({ name }) => name), labels, hosts }));`;

let copy: TreeCopy;
const touched = new Map<string, string[]>();
let migrations: string[];
let checked: string;
let linted: string;
let tested: string;
let printed: string;

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
  tested = await copy.run('vitest', 'run', '--reporter=dot', ...fewProcesses, ...loopingTests);
  printed = await copy.run('node', '--input-type=module', '--eval', printFindings);
}, setupTimeoutMs);
afterAll(() => copy.remove());

/**
 * Returns the paths between backticks in a recipe (a section of CONTRIBUTING.md), as patterns. In the path of a new
 * file, `<name>` matches any name, and a path that ends with a folder matches any file in it. The path of an existing
 * file must be complete.
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
    test('a recipe needs at most the planned number of files to be edited by hand', () => {
      expect(touched.get(recipe)?.length).toBeGreaterThan(0);
      expect(touched.get(recipe)?.length).toBeLessThanOrEqual(change.most_files);
    });

    test('a recipe names every file that its change edits', () => {
      const unnamed = change.edits.filter(
        (edit) => !placesOf(recipe, 'text' in edit).some((place) => place.test(edit.file)),
      );
      expect(unnamed).toEqual([]);
    });
  },
);

describe('the repository after one change by each recipe', () => {
  test('all checks pass after one change by each recipe', () => {
    expect(checked.split('\n').filter((line) => line !== '' && !line.startsWith('ok '))).toEqual([]);
    expect(checked).toContain('ok      types');
    expect(linted).not.toContain('failed');
  });

  test('the tests of the architecture, the samples and the sources pass after one change by each recipe', () => {
    expect(tested).not.toContain('failed');
    expect(tested).toMatch(/Test Files +6 passed/);
  });

  test('a route that is added by its recipe is in the API document, the reference and the request collection', () => {
    const { paths } = JSON.parse(copy.read('docs/openapi.json'));
    expect(paths['/v1/shortvideo/harvest'].get.summary).toContain('Harvest of a TikTok hashtag');
    expect(copy.read('docs/endpoints.md')).toContain('/v1/shortvideo/harvest');
    expect(copy.read('clients/bruno/shortvideo/harvest.bru')).toContain('/v1/shortvideo/harvest');
  });

  test('a source that is added by its recipe is in the list of sources that an operator can switch off', () => {
    const guide = copy.read('docs/operating.md');
    expect(guide).toContain('| `tiktok-garden` | the garden page of an account |');
    expect(guide).toContain('| `/v1/shortvideo/videos` | `tiktok-embed`, `tiktok-garden` |');
  });

  test('a source that is added by its recipe reaches its new host, and the error for any other host names the list', () => {
    const [added, other] = JSON.parse(printed).hosts;
    expect(added).toBe(204);
    expect(other).toBe('The origin https://meadow.tiktok.com may not be fetched. Add its host to upstreamHosts.');
  });

  test('an error code that is added by its recipe is in the documentation, the API document and the sandbox scenarios', () => {
    expect(copy.read('docs/errors.md')).toContain('GARDEN_CLOSED');
    expect(copy.read('docs/openapi.json')).toContain('"GARDEN_CLOSED"');
    expect(copy.read('docs/sandbox.md')).toMatch(/\| `gdn` \| `3503` \|.*GARDEN_CLOSED/);
  });

  test('a metric that is added by its recipe has a column, and the add-on and the Excel template know it', () => {
    expect(migrations).toHaveLength(1);
    expect(copy.read(migrations[0] as string)).toContain('ADD COLUMN "duration_seconds"');
    expect(copy.read('addon/tracked-metrics.ts')).toContain('duration_seconds: 5,');
    expect(copy.read('clients/excel/campaign-report.pq')).toContain('"duration_seconds"');
  });

  test('a formula that is added by its recipe is in the built add-on, its documentation and its sidebar', () => {
    expect(copy.read(`${builtFolder}/Code.js`)).toContain('function SOCIAL_ORIGIN()');
    expect(copy.read(`${builtFolder}/Sidebar.html`)).toContain('Address of the server');
    expect(copy.read('docs/addon.md')).toContain('| `SOCIAL_ORIGIN()` | the address, a text | 0 |');
  });

  test('a job and a page that are added by their recipes are in the list of jobs and in the dashboard menu', () => {
    const lists = JSON.parse(printed);
    expect(lists.jobs).toContain('water-garden');
    expect(lists.labels).toContain('Harbor');
  });
});
