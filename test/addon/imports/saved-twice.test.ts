import { expect, test } from 'vitest';
import type { ImportReply, ImportsReply } from '../../../addon/imports/views.ts';
import { people, setUpAddon } from '../spreadsheet-setup.ts';
import { ask, cells, importProperties, must, openWithUrls, save, usual } from './import-calls.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const changed = { ok: false, message: expect.stringContaining('Another user changed this import') };

type Saved = ImportsReply & { id: string; again: boolean };

/** Returns the values of one opened form. The sidebar sends the same form ID with each press of Save. */
const form = (id: string, choice: object = {}) => ({ ...usual, source: cells('A2:A3'), form: id, ...choice });

test('a new import whose answer was lost is saved once, and the second save changes this import and says so', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const first = must<Saved>(file, 'sidebarImportSave', form('form0001'));
  const second = must<Saved>(file, 'sidebarImportSave', form('form0001', { name: 'New name' }));
  expect(second.imports.map(({ name }) => name)).toEqual(['New name']);
  expect([first.again, second.again]).toEqual([false, true]);
  expect(second.id).toBe(first.id);
  expect(must<Saved>(file, 'sidebarImportSave', form('form0002')).imports).toHaveLength(2);
});

test('a new import that two windows save at the same time with the same form is saved once', async () => {
  const file = await openWithUrls(setup, ada, ben);
  file.meanwhile('Lock.tryLock', () => must(file, 'sidebarImportSave', form('form0001')));
  expect(must<Saved>(file, 'sidebarImportSave', form('form0001'))).toMatchObject({ again: true, imports: [{}] });
});

test('a changed import whose answer was lost is saved again without an error about another user', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3') });
  const edit = form('form0001', { id, version: 1, name: 'New name' });
  expect(must<Saved>(file, 'sidebarImportSave', edit).again).toBe(false);
  expect(must<Saved>(file, 'sidebarImportSave', { ...edit, name: 'Newest name' })).toMatchObject({
    again: true,
    imports: [{ id, name: 'Newest name' }],
  });
});

test.each([
  ['edited', { name: 'By another user', form: 'form0009' }],
  ['edited in an older sidebar', { name: 'By another user' }],
])('an import that another user %s after it was saved is not overwritten by the second save', async (_, other) => {
  const file = await openWithUrls(setup, ada, ben);
  const { id } = must<Saved>(file, 'sidebarImportSave', form('form0001'));
  const { saved } = must<ImportReply>(file, 'sidebarImport', id);
  must(file, 'sidebarImportSave', { ...form('x'), id, version: saved.version, ...other });
  expect(ask(file, 'sidebarImportSave', form('form0001'))).toMatchObject(changed);
  must(file, 'sidebarImportChange', id, 2, 'rename', 'Renamed');
  expect(ask(file, 'sidebarImportSave', form('form0009', { id, version: 1 }))).toMatchObject(changed);
});

test('an import that another user deleted after it was saved is created again by the second save', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const { id } = must<Saved>(file, 'sidebarImportSave', form('form0001'));
  must(file, 'sidebarImportChange', id, 1, 'delete');
  expect(must<Saved>(file, 'sidebarImportSave', form('form0001'))).toMatchObject({ again: false, imports: [{ id }] });
});

test.each([
  ['a name of another property', 'run', { form: 'a_run_0001' }],
  ['a long text', 'x', { form: 'x'.repeat(41) }],
  ['a number', '7', { form: 7 }],
])('the form ID of a new import is ignored when it is %s', async (_, part, choice) => {
  const file = await openWithUrls(setup, ada, ben);
  const { id } = must<Saved>(file, 'sidebarImportSave', form('', choice));
  expect(id).not.toContain(part === '7' ? 'form' : `${part}${part}`);
  expect(importProperties(file)).toEqual([`import_${id}`]);
  expect(must<Saved>(file, 'sidebarImportSave', form('', choice)).imports).toHaveLength(2);
});

test('an import whose duplicate was made, but whose answer was lost, is duplicated once', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3') });
  const duplicate = (copyId: string) => must<Saved>(file, 'sidebarImportChange', id, 1, 'duplicate', copyId);
  expect(duplicate('card0001')).toMatchObject({ again: false, imports: [{}, {}] });
  expect(duplicate('card0001')).toMatchObject({ again: true, imports: [{}, {}] });
  expect(duplicate('card0002')).toMatchObject({ again: false, imports: [{}, {}, {}] });
});
