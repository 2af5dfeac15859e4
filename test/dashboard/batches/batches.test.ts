import { parse } from 'csv-parse/sync';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listBatches } from '../../../db/deliveries/batches.ts';
import { moveCredits, readBalance } from '../../../db/money/ledger.ts';
import type { Tier } from '../../../db/tier.ts';
import { listLists } from '../../../db/tracking/lists.ts';

import { changeWorkSettings } from '../../../db/tracking/work-settings.ts';
import { batchItem, batchResults } from '../../../pipeline/batches/batches.ts';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import { analyseBatch } from '../../../pipeline/jobs/analyse-batch.ts';
import type { JobContext } from '../../../pipeline/queue/job.ts';
import { csvOf } from '../../../pipeline/rows/csv.ts';
import { xlsxOf } from '../../../pipeline/rows/xlsx.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { faultsAtEachWidth, startBrowser } from '../../harness/browser.ts';
import { silentLog } from '../../setup/test-database.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());
beforeEach(async () => {
  setup.upstream.asked.length = 0;
  setup.upstream.answer = null;
  setup.upstream.hold = Promise.resolve();
  ann = await setup.member({ tier: 'pro', credits: 20 });
});

const area = '/dashboard/batches';
const address = (handle: string) => `https://www.instagram.com/${handle}/`;
const addresses = (count: number, name: string) => Array.from({ length: count }, (_, n) => address(`${name}${n}`));
/** Returns the text of an HTML page, without tags and with single spaces. */
const textOf = (page: string) => page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const figure = (page: string, name: string) => page.split(`<dt>${name}</dt><dd><span>`)[1]?.split('<')[0];
/** Decodes the HTML entities in an attribute value. */
const unescaped = (value: string) => value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
const hidden = (page: string, name: string) =>
  new RegExp(`type="hidden" name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? expect.fail(`no field ${name}`);

async function preview(member: Member, lines: readonly string[], more: Record<string, string> = {}) {
  const answer = await member.post(`${area}/preview`, { lines: lines.join('\r\n'), ...more });
  return { status: answer.status, page: await answer.text() };
}

async function upload(member: Member, content: string | Uint8Array<ArrayBuffer>, lines = '') {
  const body = new FormData();
  body.set('lines', lines);
  body.set('file', new File([content], 'list.csv'));
  const headers = { origin: setup.base_url };
  const answer = await setup.send(`${area}/preview`, member.cookie, { method: 'POST', body, headers });
  return { status: answer.status, page: await answer.text() };
}

/**
 * Starts a batch (a list of profiles to fetch) through the preview form and the start form. Returns the path of its
 * page.
 */
async function start(member: Member, lines: readonly string[], name = ''): Promise<string> {
  const { page } = await preview(member, lines, { name });
  const fields = { once: hidden(page, 'once'), name, lines: lines.join('\r\n') };
  const answer = await member.post(area, fields);
  expect(answer.status).toBe(303);
  return new URL(String(answer.headers.get('location')), setup.base_url).pathname;
}

/** Runs the job of a batch once, as the queue does. */
async function run({ workspace_id }: Member, path: string, more: Partial<JobContext> = {}): Promise<void> {
  const batchId = path.split('/').at(-1) as string;
  const now = () => setup.clock.now;
  const breakers = createBreakers({ now, enabled: false });
  await analyseBatch.run([batchItem({ workspace_id, batch_id: batchId })], {
    db: setup.db,
    now,
    queue: setup.queue,
    sources: { fetch: setup.upstream.fetch, config: readSourcesConfig({}), now, breakers },
    base_url: setup.base_url,
    log: silentLog,
    signal: new AbortController().signal,
    ...more,
  });
}

const pageOf = async (member: Member, path: string) => (await member.get(path)).text();
const balance = ({ workspace_id }: Member) => readBalance(setup.db.sql, workspace_id);
const notFound = (handle: string) => ({
  answer: ({ url }: { url: string }) => (url.includes(handle) ? { status: 404, body: Buffer.from('') } : null),
});

describe('the batch preview', () => {
  test('the preview of a batch shows the number of profiles, the maximum cost and the unreadable lines, and starts nothing', async () => {
    await run(ann, await start(ann, [address('known')]));
    setup.upstream.asked.length = 0;
    const lines = [address('known'), '', address('new'), address('NEW'), 'not an address', address('other')];
    const { status, page } = await preview(ann, lines);
    expect(status).toBe(200);
    const figures = [
      'Profile links',
      'Profiles to fetch',
      'Cached (free)',
      'Duplicates (free)',
      'No profile link (free)',
    ];
    expect(figures.map((name) => figure(page, name))).toEqual(['4', '2', '1', '1', '1']);
    expect(figure(page, 'Maximum cost')).toBe('2');
    expect(textOf(page)).toMatch(/ 5 not an address no profile link Use /);
    expect(setup.upstream.asked).toEqual([]);
    expect(await listBatches(setup.db.sql, ann.workspace_id)).toHaveLength(1);
    expect(await balance(ann)).toBe(19);
  });

  test('a list of more than 10,000 rows is refused before its rows are read, pasted or uploaded', async () => {
    const blank = '\n'.repeat(10_000);
    const problem =
      'This list has more than 10,000 rows, including blank ones, and was not read: remove rows. The tier Pro allows at most 25 profile links and 200 other lines per bulk analysis.';
    expect((await preview(ann, [address('known'), '\n'.repeat(100_000)])).page).toContain(problem);
    expect((await upload(ann, `${blank}${address('known')}\n`)).page).toContain(problem);
    expect((await upload(ann, `${blank}"never closed`)).page).toContain(problem);
    expect((await upload(ann, `${blank.slice(1)}${address('known')}\n`)).status).toBe(200);
  });

  test('the form of a bulk analysis states the limits of the tier for a list and for a file', async () => {
    const member = await setup.member({ tier: 'pro' });
    const words = textOf(await pageOf(member, area));
    expect(words).toContain('One per line, at most 25 profile links and 200 other lines per bulk analysis.');
    expect(words).toContain('A file has the same limits.');
  });

  test('no short link of a list that is too long for the tier is followed', async () => {
    const most = tiers.pro.batch_urls;
    const lines = Array.from({ length: most + 1 }, (_, n) => `https://www.instagram.com/share/BAmany${n}/`);
    expect((await preview(ann, lines)).status).toBe(400);
    expect((await ann.post(area, { lines: lines.join('\n') })).status).toBe(400);
    expect(setup.upstream.asked).toEqual([]);
  });

  test.each(Object.entries(tiers).map(([tier, { batch_urls }]) => [tier as Tier, batch_urls] as const))(
    'tier %s can send a batch of %i addresses, but not one more',
    async (tier, most) => {
      const member = await setup.member({ tier });
      expect((await preview(member, addresses(most, 'p'))).status).toBe(200);
      const refused = await preview(member, addresses(most + 1, 'p'));
      expect(refused.status).toBe(400);
      expect(refused.page).toContain(`This list has ${most + 1} profile URLs.`);
      expect(refused.page).toContain(`allows at most ${most} per bulk analysis`);
      expect(refused.page).toContain(address(`p${most}`));
      const started = await member.post(area, { lines: addresses(most + 1, 'p').join('\n') });
      expect(started.status).toBe(400);
      expect(await listBatches(setup.db.sql, member.workspace_id)).toEqual([]);
    },
  );

  test('the preview of a batch counts one credit in the singular', async () => {
    const poor = await setup.member({ tier: 'pro', credits: 1 });
    expect(textOf((await preview(poor, addresses(1, 'one'))).page)).toContain('You have 1 credit. ');
  });

  test('the preview of a batch warns when the balance, the monthly cap or a pause would stop it', async () => {
    const poor = await setup.member({ tier: 'pro', credits: 2 });
    const change = { monthly_cap: 1, paused: true };
    await changeWorkSettings(setup.db.sql, poor.workspace_id, change, setup.clock.now);
    const words = textOf((await preview(poor, addresses(3, 'x'))).page);
    expect(words).toContain('Your balance covers 2 of 3 credits');
    expect(words).toContain('Your monthly cap leaves 1 of 3 credits');
    expect(words).toContain('Checks, analyses and imports are paused.');
    expect(textOf((await preview(ann, addresses(3, 'x'))).page)).not.toMatch(/balance covers|cap leaves|are paused/);
  });

  test('an uploaded table gives a batch the first profile link of each line, without the heading', async () => {
    const table = `\ufeffname;link;note\r\n"Ann ""A"";\r\nB";${address('ann')};=1\r\n;"no profile"\r\nBob\t@x\t${address('bob')}`;
    const { status, page } = await upload(ann, table);
    expect(status).toBe(200);
    expect(hidden(page, 'lines')).toBe(`\n${address('ann')}\nno profile\n${address('bob')}`);
    expect(textOf(page)).toContain('“link”, looks like a heading');
    expect(textOf(page)).toContain(' 3 no profile no profile link ');
  });

  test('a row without a link in an uploaded table is not bought as a handle, and keeps its columns', async () => {
    const body = new FormData();
    body.set('lines', '');
    body.set('handles_on', 'photo');
    body.set('file', new File([`Name;Handle;Fee\nAnn;@ann;1.250,00\nBob;;5,5\nTotal;;9`], 'list.csv'));
    const headers = { origin: setup.base_url };
    const answer = await setup.send(`${area}/preview`, ann.cookie, { method: 'POST', body, headers });
    const page = await answer.text();
    expect([figure(page, 'Profiles to fetch'), figure(page, 'No profile link (free)')]).toEqual(['1', '2']);
    expect(JSON.parse(unescaped(hidden(page, 'own'))).rows[2]).toEqual(['Bob', '', '5,5']);
  });

  test('invisible characters in handles of a batch are ignored, and a line with nothing else is blank', async () => {
    const lines = ['\u200b@tide\ufeff.pool\u200e', '\u2060', '\u200d@kelp'];
    const { page } = await preview(ann, lines, { handles_on: 'photo' });
    expect([figure(page, 'Profiles to fetch'), figure(page, 'No profile link (free)')]).toEqual(['2', '0']);
  });

  test('the preview of a batch follows short links before it counts repeated profiles, and the batch uses their targets', async () => {
    setup.upstream.answer = ({ url }) =>
      url.includes('/share/BA') ? { status: 302, headers: { location: address('shared') } } : {};
    const lines = [address('shared'), 'https://www.instagram.com/share/BAbulk1/', '@tide.pool'];
    const { page } = await preview(ann, lines, { handles_on: 'photo' });
    expect([
      figure(page, 'Profiles to fetch'),
      figure(page, 'Duplicates (free)'),
      figure(page, 'No profile link (free)'),
    ]).toEqual(['2', '1', '0']);
    expect(hidden(page, 'lines')).toBe(
      [address('shared'), address('shared'), 'https://www.instagram.com/tide.pool'].join('\n'),
    );
    expect(setup.upstream.asked).toEqual(['https://www.instagram.com/share/BAbulk1/']);
    const table = await upload(ann, 'Name,Link\nSomebody,https://www.instagram.com/share/BAbulk1/\n');
    expect(figure(table.page, 'Profiles to fetch')).toBe('1');
  });

  test('a short link that cannot be followed now keeps its error in a batch, and is followed when the line is analyzed again', async () => {
    const link = 'https://www.instagram.com/share/BAlater1/';
    setup.upstream.answer = ({ url }) => (url === link ? { status: 429 } : {});
    const { page } = await preview(ann, [link, address('other')]);
    expect([figure(page, 'Not followed yet'), figure(page, 'No profile link (free)')]).toEqual(['1', '0']);
    expect(textOf(page)).toContain('Start (at most 2 credits)');
    expect(textOf(page)).toContain('followed again when you start');
    const path = await start(ann, [link, address('other')]);
    await run(ann, path);
    const { columns, rows } = await batchResults(setup.db.sql, ann.workspace_id, path.split('/').at(-1) as string);
    const column = (name: string) => rows.map((row) => row[columns.indexOf(name)]);
    expect([column('status'), column('credits_charged')]).toEqual([
      ['SOURCE_CAPACITY', 'OK'],
      [0, 1],
    ]);
    expect(column('message')[0]).toContain('could not be followed now');
    setup.upstream.answer = ({ url }) => (url === link ? { status: 302, headers: { location: address('later') } } : {});
    const again = await ann.post(`${path}/rerun`, {});
    expect(hidden(await again.text(), 'lines')).toBe(address('later'));
  });

  test('a broken workbook, two lists at once and an empty list are refused as batches with a message', async () => {
    for (const bytes of [new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), new Uint8Array([0xd0, 0xcf, 0, 0])]) {
      const broken = await upload(ann, bytes);
      expect([broken.status, textOf(broken.page)]).toEqual([400, expect.stringMatching(/Save the sheet as .*CSV/)]);
    }
    const both = await upload(ann, address('a'), address('b'));
    expect([both.status, textOf(both.page)]).toEqual([400, expect.stringContaining('not both')]);
    const none = await preview(ann, ['', ' ']);
    expect([none.status, textOf(none.page)]).toEqual([400, expect.stringContaining('at least one profile link')]);
    const useless = await preview(ann, ['nothing']);
    expect(useless.page).toContain('No line has a profile link');
    expect(useless.page).not.toContain('>Start<');
  });
});

describe('a batch', () => {
  test('a batch form that is sent twice creates one batch, and each profile is paid once', async () => {
    const lines = [address('one'), address('two'), address('ONE')];
    const { page } = await preview(ann, lines);
    const fields = { once: hidden(page, 'once'), name: 'spring', lines: lines.join('\n') };
    const answers = await Promise.all([ann.post(area, fields), ann.post(area, fields)]);
    const [path, other] = answers.map(
      (answer) => new URL(String(answer.headers.get('location')), setup.base_url).pathname,
    );
    expect(other).toBe(path);
    expect(await listBatches(setup.db.sql, ann.workspace_id)).toHaveLength(1);
    await run(ann, String(path));
    expect(await balance(ann)).toBe(18);
    const words = textOf(await pageOf(ann, String(path)));
    expect(words).toContain('3 of 3 lines done finished');
    expect(words).toContain('Same account as line 1: free.');
    expect(words).toContain('4,321');
  });

  test('the results of a batch can be downloaded as CSV', async () => {
    const path = await start(ann, [address('csv'), 'nonsense']);
    await run(ann, path);
    const answer = await ann.get(`${path}/results.csv`);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="batch-2026-11-20.csv"');
    const batchId = path.split('/').at(-1) as string;
    const { columns, rows } = await batchResults(setup.db.sql, ann.workspace_id, batchId);
    expect(await answer.text()).toBe(csvOf(columns, rows));
  });

  test('the results of an uploaded Excel file keep its own columns, as CSV and as Excel file', async () => {
    setup.upstream.answer = notFound('lost').answer;
    const headings = ['Name', 'Link', 'Fee'];
    const own = [
      ['Ann', address('own1'), 1200],
      ['Zoë', address('lost'), null],
      ['Ann again', address('own1'), 7],
    ];
    const file = await new Response(xlsxOf({ name: 'People', headings, rows: own })).arrayBuffer();
    const { page } = await upload(ann, new Uint8Array(file));
    expect(textOf(page)).toContain('Your columns are copied into the results: Name, Link, Fee.');
    const fields = Object.fromEntries(['once', 'lines', 'own'].map((name) => [name, unescaped(hidden(page, name))]));
    const answer = await ann.post(area, { ...fields, name: '' });
    const path = new URL(String(answer.headers.get('location')), setup.base_url).pathname;
    await run(ann, path);
    const csv: string[][] = parse(await (await ann.get(`${path}/results.csv`)).text());
    const [names = [], ...rows] = csv;
    expect(names.slice(0, 5)).toEqual([...headings, 'url', 'status']);
    expect(rows.map((row) => row.slice(0, 3))).toEqual(own.map((row) => row.map((cell) => String(cell ?? ''))));
    expect(rows.map((row) => row[names.indexOf('followers')])).toEqual(['4321', '', '4321']);
    const workbook = Buffer.from(await (await ann.get(`${path}/results.xlsx`)).arrayBuffer());
    const [sheet] = await readWorkbook(workbook);
    expect(sheet?.data[0]?.slice(0, 5)).toEqual([...headings, 'URL', 'Status']);
    expect(sheet?.data[2]?.slice(0, 3)).toEqual(['Zoë', address('lost'), null]);
    const retry = await (await ann.post(`${path}/rerun`, {})).text();
    expect(JSON.parse(unescaped(hidden(retry, 'own')))).toEqual({ headings, rows: [['Zoë', address('lost')]] });
  });

  test('a file with too many columns is refused for a batch, in the preview and at the start', async () => {
    const wide = await upload(ann, `${Array(51).fill('x').join(',')}\n${address('wide')}`);
    expect([wide.status, textOf(wide.page)]).toEqual([400, expect.stringContaining('The file has 51 columns')]);
    const own = JSON.stringify({ headings: Array(51).fill('x'), rows: [] });
    expect((await ann.post(area, { lines: address('wide'), own })).status).toBe(400);
  });

  test('a batch that waits for credits or for the monthly cap shows why, and continues when it is resumed', async () => {
    const poor = await setup.member({ tier: 'pro', credits: 1 });
    const path = await start(poor, addresses(3, 'poor'));
    await run(poor, path);
    const words = textOf(await pageOf(poor, path));
    expect(words).toContain('1 of 3 lines done paused');
    expect(await pageOf(poor, path)).toContain(`<a href="${path}">Refresh</a>`);
    expect(words).toContain('You do not have enough credits. 2 lines are waiting; nothing is lost or charged.');
    await moveCredits(setup.db.sql, poor.workspace_id, { kind: 'purchase', credits: 5, reason: 'invented' });
    await changeWorkSettings(setup.db.sql, poor.workspace_id, { monthly_cap: 2 }, setup.clock.now);
    expect((await poor.post(`${path}/resume`, {})).status).toBe(303);
    await run(poor, path);
    expect(textOf(await pageOf(poor, path))).toContain('Your monthly cap is reached. 1 line is waiting');
    await changeWorkSettings(setup.db.sql, poor.workspace_id, { monthly_cap: null }, setup.clock.now);
    await poor.post(`${path}/resume`, {});
    await run(poor, path);
    expect(textOf(await pageOf(poor, path))).toContain('3 of 3 lines done finished');
    expect(await balance(poor)).toBe(3);
  });

  test('the page of a finished batch says that it is finished, not that it was started', async () => {
    const lines = [address('done')];
    const { page } = await preview(ann, lines);
    const answer = await ann.post(area, { once: hidden(page, 'once'), lines: String(lines) });
    const location = String(answer.headers.get('location'));
    const shown = async () => textOf(await pageOf(ann, location.replace(setup.base_url, '')));
    expect(await shown()).toContain('You can leave this page');
    await run(ann, new URL(location, setup.base_url).pathname);
    expect(await shown()).toContain('Finished. Every line has a result below.');
    expect(await shown()).not.toMatch(/started\.|You can leave/);
  });

  test('the results of a batch are searched, filtered and sorted by the address of the page', async () => {
    setup.upstream.answer = ({ url }) => {
      if (url.includes('lost')) return { status: 404, body: Buffer.from('') };
      const followers = url.includes('big') ? 900 : 7;
      const username = new URL(url).searchParams.get('username');
      const edges = { edge_followed_by: { count: followers }, edge_follow: { count: 0 } };
      const user = {
        id: '5',
        username,
        full_name: username,
        ...edges,
        edge_owner_to_timeline_media: { count: 0, edges: [] },
      };
      return { body: Buffer.from(JSON.stringify({ data: { user }, status: 'ok' })) };
    };
    const path = await start(ann, [address('small'), address('lost'), address('big')]);
    await run(ann, path);
    const linesOf = async (query: string) =>
      [...(await pageOf(ann, `${path}${query}`)).matchAll(/aria-label="Select line (\d+)"/g)].map(([, n]) => n);
    expect(await linesOf('')).toEqual(['1', '2', '3']);
    expect(await linesOf('?sort=-followers')).toEqual(['3', '1', '2']);
    expect(await linesOf('?sort=followers')).toEqual(['1', '3', '2']);
    expect(textOf(await pageOf(ann, `${path}?show=failed`))).toMatch(/ 2 https:\S+lost\S* not found /);
    expect(await linesOf('?show=ok&sort=-followers&q=SMALL')).toEqual(['1']);
    expect(await linesOf('?sort=nonsense&show=nonsense')).toEqual(['1', '2', '3']);
    expect(textOf(await pageOf(ann, `${path}?q=nothing`))).toContain('No lines match this filter.');
  });

  test('chosen profiles of a batch are tracked in a list, and the filter of the page stays', async () => {
    const member = await setup.member({ tier: 'pro', credits: 20 });
    const path = await start(member, addresses(12, 'follow'), 'Spring');
    await run(member, path);
    const chosen = await member.post(`${path}/track?q=follow1`, { act: 'chosen', id: '2', list: 'new' });
    const page = await chosen.text();
    expect([chosen.status, textOf(page)]).toEqual([200, expect.stringContaining('1 now tracked.')]);
    expect(page).toContain(`action="${path}/track?q=follow1"`);
    const [list] = await listLists(setup.db.sql, member.workspace_id);
    expect(list).toMatchObject({ name: 'Spring', items: 1 });
    const rest = await member.post(`${path}/track`, { act: 'shown', list: String(list?.list_id) });
    expect([rest.status, textOf(await rest.text())]).toEqual([
      400,
      expect.stringContaining(
        '9 now tracked, 1 already tracked. 2 not tracked, because your tier allows 10 tracked items.',
      ),
    ]);
    const none = await member.post(`${path}/track`, { act: 'chosen' });
    expect([none.status, textOf(await none.text())]).toEqual([400, expect.stringContaining('Nothing was selected.')]);
    expect((await ann.post(`${path}/track`, { act: 'shown' })).status).toBe(404);
  });

  test('the results say who starts the checks of tracked profiles: the server, or on the free tier the user', async () => {
    const hints = {
      air: 'On the free tier you start each check yourself.',
      pro: 'Tracked profiles are checked once a day.',
    };
    for (const tier of ['air', 'pro'] as const) {
      const member = await setup.member({ tier, credits: 5 });
      const path = await start(member, [address(`hint_${tier}`)]);
      await run(member, path);
      expect(textOf(await pageOf(member, path))).toContain(`${hints[tier]} Each successful check costs 1 credit.`);
    }
  });

  test('a cancelled batch keeps its results and cannot be cancelled again or resumed', async () => {
    const path = await start(ann, addresses(2, 'gone'));
    expect((await ann.post(`${path}/cancel`, {})).status).toBe(303);
    await run(ann, path);
    expect(textOf(await pageOf(ann, path))).toContain('0 of 2 lines done cancelled');
    for (const action of ['cancel', 'resume']) {
      const refused = await ann.post(`${path}/${action}`, {});
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain('This bulk analysis cannot be');
    }
    expect(await balance(ann)).toBe(20);
  });

  test('a finished batch can be deleted with its results, and its charges stay in the ledger', async () => {
    const path = await start(ann, [address('old')], 'old list');
    const early = await ann.post(`${path}/delete`, {});
    expect([early.status, textOf(await early.text())]).toEqual([
      400,
      expect.stringContaining('This bulk analysis cannot be deleted, because it is queued'),
    ]);
    await run(ann, path);
    expect(await pageOf(ann, '/dashboard/credits')).toContain('old list</a>');
    const gone = await ann.post(`${path}/delete`, {});
    expect([gone.status, gone.headers.get('location')]).toEqual([303, area]);
    expect(textOf(await pageOf(ann, area))).toContain('Bulk analysis deleted.');
    expect(await pageOf(ann, area)).not.toContain('old list');
    for (const suffix of ['', '/results.csv']) expect((await ann.get(`${path}${suffix}`)).status).toBe(404);
    expect((await ann.post(`${path}/delete`, {})).status).toBe(404);
    expect(textOf(await pageOf(ann, '/dashboard/credits'))).toContain('Row of a deleted analysis or import');
    expect(textOf(await pageOf(ann, '/dashboard/settings/audit'))).toContain('deleted a bulk analysis old list');
    expect(await balance(ann)).toBe(19);
  });

  test('the failed rows of a batch can be retried as a new batch, without lines that have no profile link', async () => {
    setup.upstream.answer = notFound('lost').answer;
    const path = await start(ann, [address('fine'), address('lost1'), 'nonsense', address('lost2')], 'first');
    await run(ann, path);
    const page = await pageOf(ann, path);
    expect(textOf(page)).toContain('2 not found · 1 not a profile link');
    expect(page).toContain('Analyze the 2 failed lines again');
    const preview = await ann.post(`${path}/rerun`, {});
    expect(hidden(await preview.text(), 'lines')).toBe([address('lost1'), address('lost2')].join('\n'));
    expect(await balance(ann)).toBe(19);
    const whole = await start(ann, [address('fine')]);
    await run(ann, whole);
    expect((await ann.post(`${whole}/rerun`, {})).status).toBe(400);
  });

  test('a batch of another workspace is not found and not changed', async () => {
    const bob = await setup.member({ name: 'Bob' });
    const path = await start(ann, [address('private')]);
    for (const suffix of ['', '/results.csv']) expect((await bob.get(`${path}${suffix}`)).status).toBe(404);
    for (const action of ['cancel', 'resume', 'rerun', 'delete']) {
      expect((await bob.post(`${path}/${action}`, {})).status).toBe(404);
    }
    expect(await pageOf(bob, `${area}?before=${path.split('/').at(-1)}`)).toContain('No older analyses.');
    expect((await bob.get(`${area}?before=nonsense`)).status).toBe(404);
    expect((await listBatches(setup.db.sql, ann.workspace_id))[0]?.status).toBe('queued');
  });

  test('names from platforms and typed lines are escaped on the pages of a batch', async () => {
    const evil = '<img src=x onerror=alert(1)>"\'';
    setup.upstream.answer = ({ url }) => {
      const username = new URL(url).searchParams.get('username');
      const counts = { edge_followed_by: { count: 1 }, edge_follow: { count: 0 } };
      const user = {
        id: '5',
        username,
        full_name: evil,
        ...counts,
        edge_owner_to_timeline_media: { count: 0, edges: [] },
      };
      return { body: Buffer.from(JSON.stringify({ data: { user }, status: 'ok' })) };
    };
    const lines = [address('evil'), `javascript:alert(1)//${evil}`];
    const { page: previewed } = await preview(ann, lines, { name: evil });
    const path = await start(ann, lines, evil);
    await run(ann, path);
    for (const page of [previewed, await pageOf(ann, path), await pageOf(ann, area)]) {
      expect(page).toContain('&lt;img src=x');
      expect(page).not.toMatch(/<img|href="javascript/);
    }
  });

  test('the list of batches shows the newest and links to older ones', async () => {
    const member = await setup.member({ tier: 'pro' });
    const first = setup.clock.now;
    for (let n = 0; n < 27; n += 1) {
      setup.clock.now = new Date(first.getTime() + n * 1_000);
      await member.post(`${await start(member, [address(`n${n}`)], `batch ${n}.`)}/cancel`, {});
    }
    const newest = await pageOf(member, area);
    expect(newest).toContain('batch 26.');
    expect(newest).toContain('batch 2.');
    expect(newest).not.toContain('batch 1.');
    const older = /href="([^"]*before=[^"]*)"/.exec(newest)?.[1];
    const rest = await pageOf(member, String(older));
    expect(rest).toContain('batch 1.');
    expect(rest).toContain('batch 0.');
    expect(rest).not.toContain('batch 2.');
  });
});

test('a batch can be started and followed in a browser, and every step is accessible', async () => {
  const browser = await startBrowser();
  try {
    const { page, problems } = await browser.open({ viewport: { width: 360, height: 800 } });
    await page.context().addCookies(cookiesOf(ann, setup.base_url));
    await page.goto(`${setup.base_url}${area}`);
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await page.fill('#lines', [...addresses(3, 'seen'), 'nonsense'].join('\n'));
    await page.click('text=Check the list');
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await page.click('text=Start');
    await page.waitForSelector('text=1 of 4 lines done');
    const path = new URL(page.url()).pathname;
    const held = Promise.withResolvers<void>();
    setup.upstream.answer = ({ url }) => (url.includes('seen2') ? { status: 404, body: Buffer.from('') } : null);
    setup.upstream.hold = held.promise;
    const running = run(ann, path);
    await page.waitForSelector('#batch-progress .tag:text("running")', { timeout: 30_000 });
    expect(await faultsAtEachWidth(page)).toEqual([]);
    held.resolve();
    await running;
    await page.waitForSelector('text=4 of 4 lines done', { timeout: 30_000 });
    await page.waitForSelector('#batch-rows >> text=Invented seen0');
    expect(await page.getAttribute('progress', 'value')).toBe('4');
    await page.waitForSelector('#batch-actions >> text=Analyze the failed line again', { timeout: 30_000 });
    expect(await page.locator('[data-hx-trigger^=every]').count()).toBe(0);
    expect(await faultsAtEachWidth(page)).toEqual([]);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
}, 90_000);
