import { expect, test } from 'vitest';
import type { RunReply } from '../../../addon/imports/views.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { goodKey, setKey, setUpAddon } from '../spreadsheet-setup.ts';
import { ask, cells, invented, must, openWithUrls, save, usual, view } from './import-calls.ts';

const setup = setUpAddon();
const many = invented(30);
const urls = Object.keys(many);
const ended = { ok: false, message: expect.stringContaining('was finished or cancelled in another window') };
const fresh = { source: cells('A2:A31'), fields: ['followers'], max_age: 'fresh' };

async function openWithImport(choice: object = {}) {
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup, ...urls);
  return { file, id: save(file, { ...fresh, ...choice }) };
}

const start = (file: SpreadsheetFile, ...args: unknown[]) => must<RunReply>(file, 'sidebarImportStart', ...args);
const step = (file: SpreadsheetFile, ...args: unknown[]) => must<RunReply>(file, 'sidebarImportStep', ...args);
const charged = async () => (await setup.api.log()).credits_charged;

/** Runs an import to its end, as the sidebar does. Returns the ID of the run. */
function runWhole(file: SpreadsheetFile, id: string): string {
  const { run } = start(file, id);
  while (!step(file, id, run.id).run.finished);
  return run.id;
}

test.each([
  ['replace', { sheet: 'Rows', a1: 'A1' }],
  ['append', { sheet: 'Rows', a1: 'A1' }],
])(
  'resuming a run (%s) whose last answer was lost shows its result, and starts and pays no second run',
  async (mode, target) => {
    const { file, id } = await openWithImport({ mode, target });
    const { run } = start(file, id, 'run00001', false);
    expect(run.id).toBe('run00001');
    step(file, id, run.id);
    step(file, id, run.id);
    const rows = file.values('A1:F100', 'Rows');
    expect(start(file, id, run.id, true)).toMatchObject({
      stopped: null,
      run: { id: run.id, total: 30, done: 30, ok: 30, credits: 30, finished: true },
    });
    expect(view(file, id).run).toBeNull();
    expect(file.values('A1:F100', 'Rows')).toEqual(rows);
    expect(await charged()).toBe(30);
  },
);

test('a run whose first answer was lost is not started a second time', async () => {
  const { file, id } = await openWithImport();
  start(file, id, 'run00001', false);
  expect(start(file, id, 'run00001', false).run).toMatchObject({ id: 'run00001', done: 0, finished: false });
  step(file, id, 'run00001');
  step(file, id, 'run00001');
  expect(start(file, id, 'run00001', false).run).toMatchObject({ done: 30, finished: true });
  expect(await charged()).toBe(30);
});

test('resuming a run from an outdated list pays nothing when another user has already finished the run', async () => {
  const { file, id } = await openWithImport();
  start(file, id);
  step(file, id);
  const card = view(file, id);
  file.become('ben@example.com');
  setKey(file);
  step(file, id, card.run?.id);
  file.become('owner@example.com');
  expect(start(file, id, card.run?.id, true).run).toMatchObject({ finished: true, ok: 30 });
  expect(view(file, id).run).toBeNull();
  expect(await charged()).toBe(30);
});

test('a cancelled run cannot be resumed, and is not started again', async () => {
  const { file, id } = await openWithImport();
  const { run } = start(file, id);
  step(file, id, run.id);
  must(file, 'sidebarImportCancel', id, run.id);
  expect(ask(file, 'sidebarImportStart', id, run.id, true)).toMatchObject(ended);
  expect(view(file, id).run).toBeNull();
  expect(await charged()).toBe(20);
});

test('a window whose run has ended neither pays for nor cancels the next run of another user', async () => {
  const { file, id } = await openWithImport();
  const first = runWhole(file, id);
  const { run } = start(file, id, 'run00002', false);
  expect(ask(file, 'sidebarImportStep', id, first)).toMatchObject(ended);
  expect(ask(file, 'sidebarImportCancel', id, first)).toMatchObject(ended);
  expect(start(file, id, first, true).run).toMatchObject({ id: first, finished: true });
  expect(view(file, id).run).toMatchObject({ id: run.id, done: 0 });
  expect(await charged()).toBe(30);
});

test('a run that begins while another window ends the previous run is not ended, and the rows in the sheet stay', async () => {
  const { file, id } = await openWithImport({ mode: 'replace', target: { sheet: 'Rows', a1: 'A1' } });
  start(file, id);
  step(file, id);
  let locks = 0;
  // A step takes the lock three times: to reserve its URLs, to write their rows, and to end the run.
  const beforeEnd = (): void => {
    locks += 1;
    if (locks < 3) {
      file.meanwhile('Lock.tryLock', beforeEnd);
      return;
    }
    expect(step(file, id).run.finished).toBe(true);
    start(file, id, 'run00002', false);
  };
  file.meanwhile('Lock.tryLock', beforeEnd);
  step(file, id);
  expect(view(file, id).run).toMatchObject({ id: 'run00002', done: 0, total: 30 });
  expect(file.values('A2:A31', 'Rows').flat()).toEqual(urls);
});

test('an import that was saved by an earlier version of the add-on can be resumed', async () => {
  const { file, id } = await openWithImport();
  runWhole(file, id);
  const { document } = file.world().properties;
  const { last, ...old } = JSON.parse(document[`import_${id}`] ?? '');
  document[`import_${id}`] = JSON.stringify({ ...old, last: { ...last, run: undefined }, form: undefined });
  expect(ask(file, 'sidebarImportStart', id, 'run00009', true)).toMatchObject(ended);
  must(file, 'sidebarImportSave', { ...usual, ...fresh, id, version: 1, form: 'form0001' });
  expect(start(file, id, 'run00009', false).run).toMatchObject({ id: 'run00009', done: 0 });
});
