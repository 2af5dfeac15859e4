import { expect, test } from 'vitest';
import type { ImportReply, ImportsReply } from '../../../addon/imports/views.ts';
import type { PageFailure } from '../../../addon/platform/page-replies.ts';
import { people, setUpAddon } from '../spreadsheet-setup.ts';
import {
  ask,
  cells,
  importProperties,
  must,
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

test('a saved import is visible to every editor of the file, and each editor runs it with their own key', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3'), name: 'Our creators' });
  file.become('ben@example.com');
  expect(view(file, id)).toMatchObject({
    name: 'Our creators',
    kind: 'profiles',
    target: 'beside the links',
    last: null,
  });
  expect(ask(file, 'sidebarImportStart', id)).toMatchObject({
    message: expect.stringContaining('No key is connected'),
  });
});

test('an import can be edited, renamed, duplicated and deleted, and a deleted one leaves nothing in the file', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const list = { list: Array.from({ length: 600 }, (_, index) => `https://photo.example/${'p'.repeat(60)}${index}`) };
  const id = save(file, { source: list, target });
  expect(importProperties(file).length).toBeGreaterThan(4);
  const opened = must<ImportReply>(file, 'sidebarImport', id).saved;
  expect(opened.source).toEqual(list);
  save(file, { ...opened, source: { list: [ada, ben] } });
  expect(importProperties(file)).toHaveLength(2);
  must(file, 'sidebarImportChange', id, 2, 'rename', 'Second name');
  const { imports } = must<ImportsReply>(file, 'sidebarImportChange', id, 3, 'duplicate');
  expect(imports.map(({ name }) => name)).toEqual(['Second name', 'Second name (copy)']);
  for (const one of imports) must(file, 'sidebarImportChange', one.id, one.version, 'delete');
  expect(importProperties(file)).toEqual([]);
  expect(file.world().named_ranges).toEqual({});
});

test('deleting an import deletes its unfinished run', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3') });
  start(file, id);
  must(file, 'sidebarImportChange', id, 1, 'delete');
  expect(importProperties(file)).toEqual([]);
  expect(ask(file, 'sidebarImportStep', id)).toMatchObject({ ok: false, message: expect.stringContaining('removed') });
});

test('when two editors change an import at the same time, the second gets an error message and the first change stays', async () => {
  const file = await openWithUrls(setup, ada);
  const id = save(file, { source: cells('A2'), name: 'One' });
  const first = must<ImportReply>(file, 'sidebarImport', id).saved;
  save(file, { ...first, target: null, name: 'Two' });
  expect(refusal(file, { ...first, target: null, name: 'Three' })).toContain('Another user changed this import');
  expect((ask(file, 'sidebarImportChange', id, 1, 'delete') as PageFailure).message).toContain('Another user changed');
  expect(view(file, id).name).toBe('Two');
  file.holdLock(60_000);
  expect(refusal(file, { source: cells('A2') })).toContain('Another user or window is writing');
});

test('an import with an unfinished run cannot be edited, because its rows belong to the old fields', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3') });
  start(file, id);
  const opened = must<ImportReply>(file, 'sidebarImport', id).saved;
  expect(refusal(file, { ...opened, target: null })).toContain('Resume or cancel its run first');
});

test('fields that are added to an import become new columns of the same table, whose rows are replaced', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3'), target, fields: ['followers'] });
  run(file, id);
  file.show('Rows');
  file.insertRows(1, 2);
  file.show('Sheet1');
  const opened = must<ImportReply>(file, 'sidebarImport', id).saved;
  expect(opened.target).toEqual({ sheet: 'Rows', a1: 'A3' });
  save(file, { ...opened, fields: ['followers', 'username'] });
  expect(run(file, id).run).toMatchObject({ ok: 2, credits: 0 });
  expect(file.values('A3:D5', 'Rows')).toEqual([
    ['URL', 'Status', 'Followers', 'Username'],
    [ada, 'OK', 1_200, 'ada'],
    [ben, 'OK', 5_400_000, 'ben'],
  ]);
  expect(file.world().sheets.map(({ name }) => name)).toEqual(['Sheet1', 'Rows']);
});

test('the cost of an import is estimated without charging or saving anything', async () => {
  const file = await openWithUrls(setup, ada, ben, 'not a profile');
  const choice = { name: 'x', kind: 'profiles', mode: 'replace', fields: ['followers'], max_age: '1d', platform: '' };
  const reply = ask(file, 'sidebarImportEstimate', { ...choice, source: cells('A2:A4') });
  expect(reply).toMatchObject({ rows: 3, cost_min: 2, cost_max: 2, unreadable_rows: 1, formula: 'SOCIAL_PROFILE' });
  expect(importProperties(file)).toEqual([]);
  expect((await setup.api.log()).credits_charged).toBe(0);
});

test('saving an import removes properties that an older version of the add-on left in the file', async () => {
  const file = await openWithUrls(setup, ada);
  Object.assign(file.world().properties.document, { fill: '{}', fill_0: '[]', fill_12: '[]' });
  save(file, { source: cells('A2') });
  expect(Object.keys(file.world().properties.document).filter((name) => name.startsWith('fill'))).toEqual([]);
});

test('each run of an import is in the log with its rows, failures and credits', async () => {
  const file = await openWithUrls(setup, ada, 'https://photo.example/unknown');
  const id = save(file, { source: cells('A2:A3') });
  start(file, id);
  step(file, id);
  expect(file.run('sidebarRuns', [])).toMatchObject({
    runs: [{ what: 'Import “Creators”', rows: 2, ok: 1, failed: 1, credits: 1, message: 'Finished.' }],
  });
});
