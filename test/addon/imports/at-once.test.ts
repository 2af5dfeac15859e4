import { expect, test } from 'vitest';
import type { ImportsReply, RunReply } from '../../../addon/imports/views.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { goodKey, setKey, setUpAddon } from '../spreadsheet-setup.ts';
import { ask, cells, invented, must, openWithUrls, save, start, step, usual, view } from './import-calls.ts';

const setup = setUpAddon();
const many = invented(30);
const urls = Object.keys(many);
const hourMs = 3_600_000;
const every = (hours: number) => ({ every_hours: hours, weekday: 1 });
const fresh = { source: cells('A2:A31'), fields: ['followers'], max_age: 'fresh' };

async function openWithImport(choice: object = {}) {
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup, ...urls);
  return { file, id: save(file, { ...fresh, ...choice }) };
}

const charged = async () => (await setup.api.log()).credits_charged;
const written = (file: SpreadsheetFile) => file.values('C2:C31').filter(([value]) => value !== '').length;
type Runs = { ok: true; runs: { what: string; failed: number; message: string }[] };
const runs = (file: SpreadsheetFile) => must<Runs>(file, 'sidebarRuns').runs;

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

test('Resume ends, and does not restart, a cancelled run whose window was closed during a step', async () => {
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

test('a trigger does not report a failure when a user finishes its import in the sidebar in the meantime', async () => {
  const { file, id } = await openWithImport({ schedule: every(1) });
  const { run } = start(file, id);
  file.stopAt('UrlFetchApp.fetchAll');
  expect(() => step(file, id)).toThrow('maximum execution time');
  file.pass(hourMs);
  // Reserves the next step for another window, so that the trigger waits for it.
  const name = `import_${id}_run`;
  const saved = JSON.parse(file.world().properties.document[name] ?? '');
  const lease = { by: 'window', until_ms: file.world().now_ms + 30_000 };
  file.world().properties.document[name] = JSON.stringify({ ...saved, lease });
  file.meanwhile('Utilities.sleep', () => {
    file.pass(30_000);
    while (!must<RunReply>(file, 'sidebarImportStep', id, run.id).run.finished);
  });
  expect(file.fireTriggers()).toEqual(['done']);
  expect(runs(file)).toMatchObject([{ failed: 0, message: 'Finished.' }]);
  expect(view(file, id)).toMatchObject({ run: null, stopped: null });
});

test('a trigger that continues a run does not start a second one when the run is finished in the meantime', async () => {
  const { file, id } = await openWithImport({ schedule: every(6) });
  start(file, id);
  step(file, id);
  const name = `import_${id}_run`;
  const saved = JSON.parse(file.world().properties.document[name] ?? '');
  file.world().properties.document[name] = JSON.stringify({ ...saved, by_schedule: true });
  file.pass(hourMs);
  file.meanwhile('Properties.getProperty api_key', () => step(file, id));
  expect(file.fireTriggers()).toEqual(['done']);
  expect(view(file, id)).toMatchObject({ run: null, last: { ok: 30 } });
  expect(await charged()).toBe(30);
});

test('two triggers that start a due import at the same time run it once', async () => {
  const { file, id } = await openWithImport({ schedule: every(6) });
  file.pass(6 * hourMs);
  file.meanwhile('Lock.tryLock', () => {
    for (const trigger of file.world().triggers) trigger.next_ms = file.world().now_ms;
    file.fireTriggers();
  });
  expect(file.fireTriggers()).toEqual(['done']);
  expect(view(file, id)).toMatchObject({ run: null, last: { ok: 30 } });
  expect(runs(file)).toHaveLength(1);
  expect(await charged()).toBe(30);
});

test('a weekly import whose trigger Google stops before the run begins runs an hour later, not a week later', async () => {
  const { file, id } = await openWithImport({ schedule: every(168) });
  file.pass(3 * 24 * hourMs);
  file.stopAt('Properties.getProperty api_key');
  expect(file.fireTriggers()).toEqual(['Exceeded maximum execution time']);
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done']);
  expect(view(file, id).last).toMatchObject({ ok: 30 });
});

test('a scheduled import that cannot start is reported once for each interval, not once an hour', async () => {
  const { file, id } = await openWithImport({ schedule: every(6) });
  must(file, 'sidebarDisconnect', 'account');
  file.pass(6 * hourMs);
  expect(file.fireTriggers()).toEqual([expect.stringContaining('No key is connected')]);
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done']);
  setKey(file);
  file.pass(5 * hourMs);
  file.fireTriggers();
  expect(view(file, id).last).toMatchObject({ ok: 30 });
});
