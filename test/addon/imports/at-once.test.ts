import { expect, test } from 'vitest';
import type { ImportsReply, RunReply } from '../../../addon/imports/views.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { goodKey, setUpWorkbench } from '../spreadsheet-setup.ts';
import { ask, cells, invented, must, openWithUrls, save, start, step, usual, view } from './import-calls.ts';

const bench = setUpWorkbench();
const many = invented(30);
const urls = Object.keys(many);
const fresh = { source: cells('A2:A31'), fields: ['followers'], max_age: 'fresh' };

async function openWithImport(choice: object = {}) {
  await bench.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(bench, ...urls);
  return { file, id: save(file, { ...fresh, ...choice }) };
}

const charged = async () => (await bench.api.log()).credits_charged;
const written = (file: SpreadsheetFile) => file.values('C2:C31').filter(([value]) => value !== '').length;

test('cancelling an import whose step another user has just paid for writes its rows and counts its credits', async () => {
  const { file, id } = await openWithImport();
  const { run } = start(file, id);
  let cancelling: unknown;
  file.meanwhile('UrlFetchApp.fetchAll', () => {
    file.become('ben@example.com');
    cancelling = ask(file, 'sidebarImportCancel', id, run.id);
  });
  expect(must<RunReply>(file, 'sidebarImportStep', id, run.id)).toMatchObject({
    stopped: expect.stringContaining('was cancelled in another window'),
    run: { done: 20, credits: 20, finished: false },
  });
  expect(cancelling).toMatchObject({ imports: [{ stopped: expect.stringContaining('is being cancelled') }] });
  expect(written(file)).toBe(20);
  expect(view(file, id)).toMatchObject({
    run: null,
    last: { ok: 20, credits: 20, message: 'Cancelled, 10 not requested.' },
  });
  expect(await charged()).toBe(20);
});

test('an import whose window was closed during a step can be cancelled a minute later, edited and run again', async () => {
  const { file, id } = await openWithImport();
  start(file, id);
  file.stopAt('UrlFetchApp.fetchAll');
  expect(() => step(file, id)).toThrow('maximum execution time');
  must(file, 'sidebarImportCancel', id);
  expect(ask(file, 'sidebarImportSave', { ...usual, ...fresh, id, version: 1 })).toMatchObject({ ok: false });
  file.pass(61_000);
  must(file, 'sidebarImportCancel', id);
  expect(view(file, id)).toMatchObject({ run: null, last: { message: 'Cancelled, 30 not requested.' } });
  start(file, id);
  file.stopAt('UrlFetchApp.fetchAll');
  expect(() => step(file, id)).toThrow('maximum execution time');
  must(file, 'sidebarImportCancel', id);
  file.pass(61_000);
  expect(start(file, id).run).toMatchObject({ done: 0, total: 30 });
  expect(step(file, id).run.done).toBe(20);
});

test('a cancelled run whose window was closed during a step is ended, not started again, by Resume', async () => {
  const { file, id } = await openWithImport();
  const { run } = start(file, id);
  file.stopAt('UrlFetchApp.fetchAll');
  expect(() => step(file, id)).toThrow('maximum execution time');
  must(file, 'sidebarImportCancel', id);
  file.pass(61_000);
  expect(ask(file, 'sidebarImportStart', id, run.id, true)).toMatchObject({ ok: false });
  expect(view(file, id)).toMatchObject({ run: null, last: { message: 'Cancelled, 30 not requested.' } });
});

test('an import that is running in another window is not deleted, so that its paid rows are not lost', async () => {
  const { file, id } = await openWithImport();
  start(file, id);
  let reply: unknown;
  file.meanwhile('UrlFetchApp.fetchAll', () => {
    reply = ask(file, 'sidebarImportChange', id, 1, 'delete');
  });
  step(file, id);
  expect(reply).toMatchObject({ ok: false, message: expect.stringContaining('Cancel its run') });
  expect(written(file)).toBe(20);
  expect(must<ImportsReply>(file, 'sidebarImportChange', id, 1, 'delete').imports).toEqual([]);
});
