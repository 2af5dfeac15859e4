import { expect, test } from 'vitest';
import type { ImportReply } from '../../../addon/imports/views.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { goodKey, people, setKey, setUpAddon } from '../spreadsheet-setup.ts';
import { ask, cells, invented, must, openWithUrls, refusal, save, start, step, usual, view } from './import-calls.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const hourMs = 3_600_000;
const every = (hours: number, weekday = 1) => ({ every_hours: hours, weekday });

function messages(file: SpreadsheetFile): string[] {
  return (file.run('sidebarRuns', []) as { runs: { message: string }[] }).runs.map(({ message }) => message);
}

test('a scheduled import writes values at its time with one trigger, and the sidebar shows the next time', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3'), fields: ['followers'], schedule: every(6), max_age: 'fresh' });
  expect(file.world().triggers).toMatchObject([{ handler: 'refreshOnSchedule_', every_ms: hourMs }]);
  expect(view(file, id).next).toBe(file.world().now_ms + 6 * hourMs);
  for (let hour = 1; hour <= 12; hour++) {
    file.pass(hourMs);
    expect(file.fireTriggers()).toEqual(['done']);
  }
  expect(file.values('A1:C3')).toEqual([
    ['Profile', 'Status', 'Followers'],
    [ada, 'OK', 1_200],
    [ben, 'OK', 5_400_000],
  ]);
  expect((await setup.api.log()).credits_charged).toBe(4);
  expect(messages(file)).toEqual(['Finished.', 'Finished.']);
});

test('a weekly import runs on its day of the week', async () => {
  const file = await openWithUrls(setup, ada);
  const id = save(file, { source: cells('A2'), schedule: every(168, 1) });
  // The clock of the file begins on Friday, 20 November 2026, at 10:00 UTC.
  expect(new Date(view(file, id).next ?? 0).toISOString()).toBe('2026-11-23T05:00:00.000Z');
  file.pass(3 * 24 * hourMs);
  file.fireTriggers();
  expect(new Date(view(file, id).next ?? 0).toISOString()).toBe('2026-11-30T05:00:00.000Z');
});

test('imports and the refresh of the file share one trigger, and each keeps its own interval', async () => {
  const file = await openWithUrls(setup, ada);
  must(file, 'sidebarSetSchedule', 6);
  const id = save(file, { source: cells('A2'), schedule: every(2) });
  expect(file.world().triggers).toMatchObject([{ every_ms: hourMs }]);
  for (let hour = 1; hour <= 6; hour++) {
    file.pass(hourMs);
    file.fireTriggers();
  }
  const whats = (file.run('sidebarRuns', []) as { runs: { what: string }[] }).runs.map(({ what }) => what);
  expect(whats.filter((what) => what === 'Scheduled refresh')).toHaveLength(1);
  expect(whats.filter((what) => what.startsWith('Import'))).toHaveLength(3);
  must(file, 'sidebarImportChange', id, 1, 'delete');
  expect(file.world().triggers).toMatchObject([{ every_ms: 6 * hourMs }]);
  must(file, 'sidebarSetSchedule', null);
  expect(file.world().triggers).toEqual([]);
});

test('an import that outlasts its trigger says that it continues in the next trigger, and pays for each row once', async () => {
  const many = invented(300);
  await setup.api.begin({
    keys: [goodKey],
    people: many,
    answers: Array(8).fill({ status: 429, headers: { 'retry-after': '50' }, body: '{}' }),
  });
  const file = await openWithUrls(setup);
  // Only seven of the eight refusals are left, because saving the key already used one for the request that checks the
  // key.
  file.type('A2', ...Object.keys(many));
  save(file, { source: cells('A2:A301'), fields: ['followers'], schedule: every(1), max_age: 'fresh' });
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done']);
  expect(messages(file)[0]).toMatch(/^\d+ of 300 are done\. The import continues with the next run/);
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done']);
  expect(messages(file)[0]).toBe('Finished.');
  expect((await setup.api.log()).credits_charged).toBe(300);
});

test('a failed scheduled import is in the log and on its card, and its trigger fails so that Google sends a notice', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3'), name: 'Creators', schedule: every(1) });
  await setup.api.begin({ answers: [] });
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual([expect.stringMatching(/^Creators: .*revoked/)]);
  expect(messages(file)[0]).toContain('revoked');
  expect(view(file, id).stopped).toContain('revoked');
  await setup.api.begin({ keys: [goodKey], people });
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done']);
  expect(view(file, id)).toMatchObject({ stopped: null, run: null, last: { ok: 2 } });
});

test('a scheduled import runs only in the trigger and with the key of the user who scheduled it', async () => {
  const file = await openWithUrls(setup, ada);
  save(file, { source: cells('A2'), schedule: every(1), max_age: 'fresh' });
  file.become('ben@example.com');
  setKey(file);
  save(file, { source: { list: [ben] }, target: { sheet: 'Ben', a1: 'A1' }, schedule: every(1), max_age: 'fresh' });
  expect(file.world().triggers).toHaveLength(2);
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done', 'done']);
  expect((await setup.api.log()).credits_charged).toBe(2);
});

test('when the user who scheduled an import has left, the next user is told and can take the schedule over', async () => {
  const file = await openWithUrls(setup, ada);
  const id = save(file, { source: cells('A2'), schedule: every(1) });
  file.world().triggers.length = 0;
  file.become('ben@example.com');
  setKey(file);
  expect(view(file, id).late).toBeNull();
  file.pass(5 * hourMs);
  expect(view(file, id).late).toContain('has not run on its schedule since 2026-11-20 10:00 UTC. The user who');
  must(file, 'sidebarImportChange', id, 1, 'schedule');
  expect(view(file, id).late).toBeNull();
  expect(file.world().triggers).toMatchObject([{ creator: 'ben@example.com' }]);
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done']);
  expect(view(file, id).last).toMatchObject({ ok: 1 });
});

test('another user who edits a scheduled import does not take over its schedule', async () => {
  const file = await openWithUrls(setup, ada);
  const id = save(file, { source: cells('A2'), schedule: every(1) });
  file.become('ben@example.com');
  const { saved } = must<ImportReply>(file, 'sidebarImport', id);
  save(file, { ...saved, target: null, name: 'New name' });
  expect(file.world().triggers).toMatchObject([{ creator: 'owner@example.com' }]);
  file.become('owner@example.com');
  file.pass(hourMs);
  file.fireTriggers();
  expect(view(file, id)).toMatchObject({ name: 'New name', last: { ok: 1 } });
});

test('the schedule finishes a paused import when the import is due, and pays for no row twice', async () => {
  const many = invented(30);
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup, ...Object.keys(many));
  const id = save(file, { source: cells('A2:A31'), fields: ['followers'], schedule: every(2), max_age: 'fresh' });
  start(file, id);
  step(file, id);
  file.pass(hourMs);
  file.fireTriggers();
  expect(view(file, id).run?.done).toBe(20);
  file.pass(hourMs);
  file.fireTriggers();
  expect(view(file, id).run).toBeNull();
  expect((await setup.api.log()).credits_charged).toBe(30);
});

test('saving a schedule without permission for triggers is refused, naming the permission and the page that grants it', async () => {
  const file = await openWithUrls(setup, ada);
  file.set({ refused_scopes: ['https://www.googleapis.com/auth/script.scriptapp'] });
  expect(ask(file, 'sidebarImportSave', { ...usual, source: cells('A2'), schedule: every(1) })).toMatchObject({
    message: expect.stringContaining('your permission to run on a schedule'),
    link: { label: 'Give permission', url: 'https://accounts.example/allow' },
  });
  file.set({ refused_scopes: [] });
  file.set({ test_deployment: true });
  expect(refusal(file, { source: cells('A2'), schedule: every(1) })).toContain('test deployment');
  expect(ask(file, 'sidebarImports')).toEqual({ ok: true, imports: [] });
});

test('a user whose trigger Google refuses does not take over the schedule of another user', async () => {
  const file = await openWithUrls(setup, ada);
  const id = save(file, { source: cells('A2'), schedule: every(1) });
  const saved = file.world().properties.document[`import_${id}`];
  file.become('ben@example.com');
  file.set({ test_deployment: true });
  expect(ask(file, 'sidebarImportChange', id, 1, 'schedule')).toMatchObject({ ok: false });
  expect(file.world().properties.document[`import_${id}`]).toBe(saved);
});
