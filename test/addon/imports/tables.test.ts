import { expect, test } from 'vitest';
import type { ImportEstimate } from '../../../addon/imports/views.ts';
import { goodKey, people, setUpAddon } from '../spreadsheet-setup.ts';
import { ask, cells, invented, must, openWithUrls, run, save, start, step, view } from './import-calls.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const at = (sheet: string, a1 = 'A1') => ({ sheet, a1 });

test('an import never overwrites cells with other content by its new columns', async () => {
  const file = await openWithUrls(setup, ada, ben);
  file.type('D3', 'mine');
  const id = save(file, { source: cells('A2:A3') });
  expect(ask(file, 'sidebarImportStart', id)).toMatchObject({
    ok: false,
    message: expect.stringContaining('B1:F3'),
  });
  expect(file.values('B1:F2').flat().join('')).toBe('');
  expect(view(file, id).run).toBeNull();
});

test('running an import again overwrites its own rows, and requests only rows that are not paid for', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3') });
  run(file, id);
  expect(run(file, id).run).toMatchObject({ ok: 2, credits: 0 });
  expect((await setup.api.log()).credits_charged).toBe(2);
  expect(file.values('G1:H1')).toEqual([['', '']]);
});

test('an import that appends rows adds them with the time of the run, and makes its sheet longer', async () => {
  const many = invented(30);
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup, ...Object.keys(many));
  const id = save(file, { source: cells('A2:A31'), mode: 'append', target: at('Snapshots'), fields: ['followers'] });
  run(file, id);
  expect(file.values('A1:D2', 'Snapshots')).toEqual([
    ['Taken at (UTC)', 'URL', 'Status', 'Followers'],
    [expect.any(Number), 'https://photo.example/p0', 'OK', 0],
  ]);
  expect(file.types('A2', 'Snapshots')).toEqual([['date']]);
  file.show('Snapshots');
  file.type(`B${file.sheetState('Snapshots').rows}`, 'an older row');
  file.show('Sheet1');
  run(file, id);
  expect(file.values('B1001:B1030', 'Snapshots').flat()).toEqual(Object.keys(many));
  expect(file.world().current.sheet).toBe('Sheet1');
  expect((await setup.api.log()).credits_charged).toBe(30);
});

test("an import that updates keeps a renamed account in its row with the user's notes, and adds a row for another account", async () => {
  const file = await openWithUrls(setup, ada, ben);
  const choice = { mode: 'update', target: at('Profiles'), fields: ['username', 'followers'] };
  const id = save(file, { source: cells('A2:A4'), ...choice });
  run(file, id);
  file.show('Profiles');
  file.type('H1', 'My notes', 'call her', 'too dear');
  file.show('Sheet1');
  const renamed = 'https://photo.example/ada.new';
  const peopleNow = {
    [renamed]: { ...people[ada], username: 'ada.new', followers: 1_300 },
    [ada]: { ...people[ada], account_id: '999', followers: 3 },
  };
  await setup.api.begin({ keys: [goodKey], people: peopleNow });
  file.type('A2', renamed, ben, ada);
  run(file, id);
  expect(file.values('A1:H4', 'Profiles').map((row) => row.filter((_, index) => index !== 1))).toEqual([
    ['Status', 'Platform', 'Account ID', 'URL', 'Username', 'Followers', 'My notes'],
    ['OK', 'photo', '72057594037927937', renamed, 'ada.new', 1_300, 'call her'],
    ['RESOURCE_NOT_FOUND', 'shortvideo', '6800000000000000001', ben, 'ben', 5_400_000, 'too dear'],
    ['OK', 'photo', '999', ada, 'ada', 3, ''],
  ]);
});

test('an import into a table of the user fills known headings, keeps other columns and formats, and adds missing columns', async () => {
  const file = await openWithUrls(setup, ada, ben);
  file.show('Creators');
  for (const [index, heading] of ['Link', 'Owner', 'FOLLOWERS', 'Retrieved at (UTC)'].entries()) {
    file.type(`${'CDEF'[index]}5`, heading);
  }
  file.type('C6', ben);
  file.type('D6', 'Zoe');
  file.format('E6:E9', '#,##0');
  file.show('Sheet1');
  const id = save(file, {
    ...{ source: cells('A2:A3'), mode: 'update', target: at('Creators', 'C5') },
    fields: ['followers', 'retrieved_at'],
  });
  run(file, id);
  expect(file.values('C5:J7', 'Creators')).toEqual([
    ['Link', 'Owner', 'FOLLOWERS', 'Retrieved at (UTC)', 'Status', 'Taken at (UTC)', 'Platform', 'Account ID'],
    [ben, 'Zoe', 5_400_000, '', 'OK', expect.any(Number), 'shortvideo', '6800000000000000001'],
    [ada, '', 1_200, '', 'OK', expect.any(Number), 'photo', '72057594037927937'],
  ]);
  expect(file.sheetState('Creators').looks.E6?.number_format).toBe('#,##0');
});

test("an import that replaces its table keeps only the newest rows, and the user's cells beside and below stay", async () => {
  const file = await openWithUrls(setup, ada, ben, 'https://photo.example/unknown');
  const id = save(file, { source: cells('A2:A4'), target: at('Now'), fields: ['followers'] });
  run(file, id);
  file.show('Now');
  file.type('D4', 'beside');
  file.type('A9', 'below');
  file.show('Sheet1');
  file.type('A2', ben, '', '');
  run(file, id);
  expect(file.values('A1:D4', 'Now')).toEqual([
    ['URL', 'Status', 'Followers', ''],
    [ben, 'OK', 5_400_000, ''],
    ['', '', '', ''],
    ['', '', '', 'beside'],
  ]);
  expect(file.values('A9', 'Now')).toEqual([['below']]);
});

test('an import that would replace rows of the user is refused before anything is paid', async () => {
  const file = await openWithUrls(setup, ada);
  file.show('Mine');
  file.type('A1', 'URL', 'https://photo.example/typed-by-hand');
  file.show('Sheet1');
  const id = save(file, { source: cells('A2'), target: at('Mine'), fields: ['followers'] });
  expect(ask(file, 'sidebarImportStart', id)).toMatchObject({
    message: expect.stringContaining('“URL” are not empty'),
  });
  expect(file.values('A2', 'Mine')).toEqual([['https://photo.example/typed-by-hand']]);
  expect((await setup.api.log()).credits_charged).toBe(0);
});

test('an import of posts has a row with an ID for each post, and an import of latest posts as many rows as there are posts', async () => {
  const post = 'https://photo.example/p/1';
  const posts = [1, 2].map((id) => ({ platform: 'photo', id: `${id}`, status: 'OK', views: id * 10 }));
  await setup.api.begin({
    keys: [goodKey],
    post: { [post]: { platform: 'photo', id: '77', views: 5 } },
    posts: { [ada]: posts, [ben]: [] },
  });
  const file = await openWithUrls(setup, post);
  run(file, save(file, { kind: 'posts', source: cells('A2'), fields: ['id', 'views'] }));
  expect(file.values('B1:D2')).toEqual([
    ['Status', 'ID', 'Views'],
    ['OK', '77', 5],
  ]);
  const latest = save(file, {
    ...{ kind: 'latest', source: { list: [ada, ben, 'https://photo.example/unknown'] }, mode: 'append' },
    ...{ target: at('Latest'), fields: ['views'] },
  });
  const before = (await setup.api.log()).credits_charged;
  const ended = run(file, latest).run;
  expect(ended).toMatchObject({ done: 3, ok: 2, failed: 2 });
  // The list without posts costs as much as the other list.
  expect([ended?.credits, (await setup.api.log()).credits_charged - before]).toEqual([2, 2]);
  expect(file.values('B1:E5', 'Latest')).toEqual([
    ['URL', 'Status', 'ID', 'Views'],
    [ada, 'OK', '1', 10],
    [ada, 'OK', '2', 20],
    [ben, 'NO_DATA', '', ''],
    ['https://photo.example/unknown', 'RESOURCE_NOT_FOUND', '', ''],
  ]);
});

test('the latest posts of a profile keep their rows when an import updates them by ID', async () => {
  const posts = (views: number) => ['1', '2'].map((id) => ({ platform: 'photo', id, views }));
  await setup.api.begin({ keys: [goodKey], posts: { [ada]: posts(5) } });
  const file = await openWithUrls(setup, ada);
  const id = save(file, {
    kind: 'latest',
    source: cells('A2'),
    mode: 'update',
    target: at('Posts'),
    fields: ['views'],
  });
  run(file, id);
  await setup.api.begin({ keys: [goodKey], posts: { [ada]: [{ platform: 'photo', id: '3', views: 1 }, ...posts(9)] } });
  run(file, id);
  expect(file.values('D2:F5', 'Posts')).toEqual([
    ['1', ada, 9],
    ['2', ada, 9],
    ['3', ada, 1],
    ['', '', ''],
  ]);
});

test('an import sends handles with its platform, and URLs in the same column without a platform', async () => {
  await setup.api.begin({ keys: [goodKey], people: { ...people, '@nasa': { followers: 7 }, 12345: { followers: 8 } } });
  const file = await openWithUrls(setup, '@nasa', ada);
  file.type('A4', 12_345);
  const id = save(file, { source: cells('A2:A4'), platform: 'photo', fields: ['followers'] });
  expect(run(file, id).run).toMatchObject({ ok: 3, failed: 0 });
  expect(file.values('C2:C4').flat()).toEqual([7, 1_200, 8]);
  const { requests } = await setup.api.log();
  const sent = requests.filter(({ path }) => path === '/v1/workflows/profile');
  expect(sent.map(({ parameters }) => parameters.platform)).toEqual([[], ['photo']]);
});

test('an import of a thousand profiles takes at most sixty requests', async () => {
  const many = invented(1_000);
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup);
  file.insertRows(2, 500);
  file.type('A2', ...Object.keys(many));
  const before = (await setup.api.log()).requests.length;
  const id = save(file, { source: cells('A2:A1500', true), fields: ['followers'] });
  expect(run(file, id).run).toMatchObject({ ok: 1_000, credits: 1_000, finished: true });
  expect((await setup.api.log()).requests.length - before).toBeLessThanOrEqual(60);
}, 120_000);

test('a thousand URLs of 500 characters are imported, and the run leaves nothing in the properties of the file', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [
      `https://photo.example/${index}?${'x'.repeat(480)}`,
      { followers: index },
    ]),
  );
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup);
  file.insertRows(2, 500);
  file.type('A2', ...Object.keys(many));
  const id = save(file, { source: cells('A2:A1500', true), fields: ['followers'] });
  start(file, id);
  expect(step(file, id).run.done).toBeGreaterThan(10);
  const all = { stopped: null, wait_s: null, run: { ok: 1_000, failed: 0, finished: true } };
  expect(run(file, id)).toMatchObject(all);
  expect(Object.keys(file.world().properties.document).filter((name) => name.includes('run_'))).toEqual([]);
}, 120_000);

test('before the first run of an import, the form shows the column of each field, and nothing is written', async () => {
  const file = await openWithUrls(setup, ...Object.keys(invented(1)));
  file.type('C1', 'FOLLOWERS');
  file.type('B1', 'Username');
  const planned = (choice: Record<string, unknown>) =>
    must<ImportEstimate>(file, 'sidebarImportEstimate', {
      ...{ name: '', kind: 'profiles', platform: '', limit: '', mode: 'replace', target: null, max_age: '1d' },
      ...{ with_hidden: false, schedule: null, fields: ['followers', 'bio'], source: cells('A2') },
      ...choice,
    }).columns;
  expect(planned({})).toEqual([
    { field: 'status', heading: 'Status', column: 4, is_new: true },
    { field: 'followers', heading: 'FOLLOWERS', column: 3, is_new: false },
    { field: 'bio', heading: 'Bio', column: 5, is_new: true },
  ]);
  expect(planned({ target: { sheet: 'Not there yet', a1: 'AA3' } }).map(({ column }) => column)).toEqual([
    27, 28, 29, 30,
  ]);
  expect(file.values('A1:F1')).toEqual([['Profile', 'Username', 'FOLLOWERS', '', '', '']]);
  expect(file.world().sheets).not.toHaveProperty('Not there yet');
});
