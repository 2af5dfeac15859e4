import { expect, test } from 'vitest';
import type { PageFailure } from '../../../addon/platform/page-replies.ts';
import { goodKey, people, setUpAddon } from '../spreadsheet-setup.ts';
import {
  ask,
  cells,
  importProperties,
  invented,
  openWithUrls,
  refusal,
  run,
  save,
  start,
  step,
  view,
} from './import-calls.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const target = { sheet: 'Rows', a1: 'A1' };

test('an import skips and names dates, numbers, checkboxes and error cells, and pays nothing for them', async () => {
  const file = await openWithUrls(setup, ada);
  file.type('A3', 45_000, true, '#N/A');
  file.type('A6', 44_000);
  file.format('A6', 'yyyy-mm-dd');
  const id = save(file, { source: cells('A2:A6') });
  expect(run(file, id).run).toMatchObject({ total: 1, ok: 1, credits: 1 });
  expect(view(file, id).last?.message).toBe(
    'Finished. Skipped, because they are no link or handle: A3 (a number), A4 (a checkbox), A5 (an error) and 1 more.',
  );
});

test('an import skips and names a placeholder, which it never buys as a handle', async () => {
  const file = await openWithUrls(setup, ada, 'TBD', 'n/a');
  const id = save(file, { source: cells('A2:A4'), platform: 'photo' });
  expect(run(file, id).run).toMatchObject({ total: 1, ok: 1, credits: 1 });
  expect(view(file, id).last?.message).toContain('A3 (a placeholder), A4 (a placeholder)');
});

test('an import leaves out and counts hidden rows, unless it is set to include them', async () => {
  const file = await openWithUrls(setup, ada, ben, 'https://photo.example/unknown');
  file.hideRow(3, 'filter');
  file.hideRow(4, 'user');
  const id = save(file, { source: cells('A2:A4') });
  expect(ask(file, 'sidebarImportEstimate', id)).toMatchObject({ rows: 1, hidden: 2, cost_max: 1 });
  expect(run(file, id).run).toMatchObject({ total: 1, hidden: 2, credits: 1 });
  expect(file.values('B2:B4').flat()).toEqual(['OK', '', '']);
  expect(view(file, id).last?.message).toBe('Finished, 2 in hidden rows left out.');
  const all = save(file, { source: cells('A2:A4'), with_hidden: true, target });
  expect(run(file, all).run).toMatchObject({ total: 3, hidden: 0, ok: 2 });
});

test('an import asks Google whether rows are hidden once for each row, before the run and not in its steps', async () => {
  const many = invented(45);
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup, ...Object.keys(many));
  const id = save(file, { source: cells('A2:A46') });
  start(file, id);
  file.hideRow(46, 'user');
  expect(run(file, id).run).toMatchObject({ finished: true, done: 45 });
  expect(file.world().questions.isRowHidden).toBe(45);
});

test('an import stops with advice, for free, when Google does not say in time which rows are hidden', async () => {
  const many = invented(45);
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup, ...Object.keys(many));
  const id = save(file, { source: cells('A2:A46') });
  file.set({ question_ms: 4_000 });
  expect(ask(file, 'sidebarImportStart', id)).toMatchObject({
    message: expect.stringContaining('Also read hidden and filtered rows'),
  });
  expect((await setup.api.log()).credits_charged).toBe(0);
});

test('a step of an import checks its columns with one call, and looks up only the skipped cells that it shows', async () => {
  const file = await openWithUrls(setup, ada);
  file.type('A3', ...Array.from({ length: 50 }, (_, index) => index));
  const id = save(file, { source: cells('A2:A52') });
  start(file, id);
  const before = { ...file.world().questions };
  expect(step(file, id).run).toMatchObject({ finished: true, ok: 1 });
  expect(before.getA1Notation).toBeLessThan(10);
  expect(file.world().questions.canEdit).toBe((before.canEdit ?? 0) + 1);
});

test.each([
  ['beside', 'B1:E3'],
  [target, 'A1:E3'],
])('an import whose headings and rows were removed, for example with undo, writes them again: %j', async (to, area) => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3'), target: to });
  expect(run(file, id).run.finished).toBe(true);
  if (to !== 'beside') file.show('Rows');
  const written = file.values(area);
  for (const column of to === 'beside' ? 'BCDEF' : 'ABCDEFG') file.type(`${column}1`, '', '', '');
  file.show('Sheet1');
  expect(run(file, id)).toMatchObject({ stopped: null, run: { finished: true, ok: 2, credits: 0 } });
  expect(file.values(area, to === 'beside' ? 'Sheet1' : 'Rows')).toEqual(written);
});

test('a renamed heading pauses an import without writing or charging, and restoring the heading continues it', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3') });
  start(file, id);
  file.type('C1', 'Fans');
  const before = file.sheet();
  expect(step(file, id).stopped).toContain('The heading “Followers” is no longer in row 1');
  expect(file.sheet()).toEqual(before);
  expect((await setup.api.log()).credits_charged).toBe(0);
  file.type('C1', 'Followers');
  expect(step(file, id).run.finished).toBe(true);
});

test.each([
  ['protected', 'Some of the cells Sheet1!'],
  ['merged', 'merged'],
] as const)(
  '%s cells in the target of an import give an error message before anything is paid',
  async (kind, words) => {
    const file = await openWithUrls(setup, ada);
    const id = save(file, { source: cells('A2') });
    start(file, id);
    file.mark('D2', kind);
    expect(step(file, id).stopped).toContain(words);
    expect((await setup.api.log()).credits_charged).toBe(0);
    file.mark('D2', null);
    expect(step(file, id).run).toMatchObject({ finished: true, ok: 1 });
  },
);

test('a data validation rule that refuses a value stops the import with a message, and continuing does not pay for rows again', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3'), max_age: 'fresh' });
  start(file, id);
  file.mark('C3', 'validated');
  expect(step(file, id).stopped).toContain('data validation rule');
  expect((await setup.api.log()).credits_charged).toBe(2);
  file.mark('C3', null);
  expect(step(file, id).run).toMatchObject({ finished: true, ok: 2, credits: 2 });
  expect(view(file, id).last).toMatchObject({ credits: 2 });
  expect((await setup.api.log()).credits_charged).toBe(2);
});

test('an import whose sheet was deleted shows a message that says what to do', async () => {
  const file = await openWithUrls(setup, ada);
  file.show('Rows');
  file.show('URLs');
  file.type('A1', 'Profile', ada);
  const id = save(file, { source: cells('A2', false, 'URLs'), target });
  start(file, id);
  file.deleteSheet('Rows');
  expect(step(file, id).stopped).toContain('The sheet of this import was deleted');
  file.deleteSheet('URLs');
  expect(step(file, id).stopped).toContain('The cells with the links were deleted');
  expect((await setup.api.log()).credits_charged).toBe(0);
});

test('an import whose rows would overwrite the URLs is refused', async () => {
  const file = await openWithUrls(setup, ada);
  const id = save(file, { source: cells('A2'), mode: 'update', target: { sheet: 'Sheet1', a1: 'A1' } });
  expect((ask(file, 'sidebarImportStart', id) as PageFailure).message).toContain('overwrite the cells with the links');
});

test('an import of URLs in the first row, which leaves no row for headings, is refused with a sentence', async () => {
  const file = await openWithUrls(setup, ada);
  file.type('A1', ben);
  const id = save(file, { source: cells('A1:A2') });
  expect((ask(file, 'sidebarImportStart', id) as PageFailure).message).toContain('Insert one, then select');
});

test('an import reads a bare handle in the first row as data, unless the user says that the row is a heading', async () => {
  const file = await openWithUrls(setup, ada);
  const guess = (first: string) => {
    file.type('A1', first);
    file.select('A1:A2');
    return (file.run('sidebarPickCells', []) as { heading: boolean | null }).heading;
  };
  expect(['Profile', 'Channel link', 'My creators', 'nasa', 'Instagram', '@nasa', ada].map(guess)).toEqual([
    ...[true, true, true, null, null, false, false],
  ]);
  file.type('A1', 'nasa');
  const list = { ...cells('A1:A2'), heading: false };
  expect(ask(file, 'sidebarImportEstimate', { ...choice(list), target })).toMatchObject({ rows: 2 });
  expect(ask(file, 'sidebarImportEstimate', choice({ ...list, heading: true }))).toMatchObject({ rows: 1 });
});

const choice = (source: unknown) => ({
  ...{ name: 'x', kind: 'profiles', source, mode: 'replace', fields: ['followers'], max_age: '1d', platform: 'photo' },
});

test.each([['several columns', 'A1:B3', 'one column']])(
  'the sidebar refuses %s as the cells of an import, and says what to select',
  async (_, area, words) => {
    const file = await openWithUrls(setup, ada);
    file.select(area);
    expect(ask(file, 'sidebarPickCells')).toMatchObject({ ok: false, message: expect.stringContaining(words) });
  },
);

test('an import with invalid settings is refused with a sentence, and nothing is saved', async () => {
  const file = await openWithUrls(setup, ada);
  const source = cells('A2');
  expect(refusal(file, { source, fields: [] })).toBe('Tick at least one column.');
  expect(refusal(file, { source: { list: [' ', ''] }, target })).toContain('Type at least one link');
  expect(refusal(file, { source: { cells: null } })).toContain('Select the cells');
  expect(refusal(file, { source: cells('A2', false, 'Gone') })).toContain('no sheet “Gone”');
  expect(refusal(file, { source: { list: [ada] } })).toContain('Choose a cell for the table');
  expect(refusal(file, { source, target: { sheet: 'Rows', a1: 'A' } })).toContain('such as A1');
  expect(refusal(file, { source, kind: 'latest', target, limit: '21' })).toContain('1 to 20');
  expect(refusal(file, { source, schedule: { every_hours: 3 } })).toContain('interval');
  expect(
    refusal(file, {
      source: {
        list: Array(900)
          .fill(0)
          .map((_, i) => `${i}${'y'.repeat(200)}`),
      },
      target,
    }),
  ).toContain('too long to be saved');
  expect(importProperties(file)).toEqual([]);
});

test('an import of only hidden or empty cells does not start', async () => {
  const file = await openWithUrls(setup, ada);
  file.hideRow(2, 'user');
  const id = save(file, { source: cells('A2:A9') });
  expect(ask(file, 'sidebarImportStart', id)).toMatchObject({ message: expect.stringContaining('hidden') });
});

test('an import takes ten thousand entries, and refuses more with a sentence', async () => {
  const file = await openWithUrls(setup, ada);
  file.insertRows(3, 10_100);
  const { grid } = file.sheetState();
  for (let row = 2; row < 10_002; row++) grid[`A${row}`] = { type: 'text', value: `https://photo.example/${row}` };
  const ask10k = () => ask(file, 'sidebarImportEstimate', choice(cells('A2:A11000', true)));
  expect(ask10k()).toMatchObject({ ok: true, rows: 10_000 });
  file.type('A10002', '@one-more');
  expect(ask10k()).toMatchObject({ ok: false, message: expect.stringContaining('the limit of one import is 10,000') });
});

test('the form of an import counts only the cells that the import requests', async () => {
  const file = await openWithUrls(setup, ada, ben, ada, 'n/a', 'ninguno');
  file.select('A1:A1000');
  expect(ask(file, 'sidebarPickCells')).toMatchObject({ heading: true, entries: 2 });
  file.type('A1', '@nasa');
  expect(ask(file, 'sidebarPickCells')).toMatchObject({ heading: false, entries: 3 });
});

test('an import of a typed list skips and names a heading and placeholders, which it never buys as handles', async () => {
  await setup.api.begin({
    keys: [goodKey],
    people: { ...people, Usuario: {}, TBD: {}, '@kelp': { platform: 'photo' } },
  });
  const file = await openWithUrls(setup);
  const source = { list: ['Usuario', ada, 'TBD', '', 'n/a', '@kelp'] };
  const id = save(file, { source, target, platform: 'photo' });
  expect(ask(file, 'sidebarImportEstimate', id)).toMatchObject({ rows: 2 });
  expect(run(file, id).run).toMatchObject({ total: 2, ok: 2, credits: 2, finished: true });
  expect(view(file, id).last?.message).toBe(
    'Finished. Skipped, because they are no link or handle: “Usuario” (a heading), “TBD” (a placeholder), “n/a” (a placeholder).',
  );
});
