import { expect, test } from 'vitest';
import type { SpreadsheetFile } from '../harness/file.ts';
import { ask, cells, must, openWithUrls, save, usual } from '../imports/import-calls.ts';
import { goodKey, people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = ''] = Object.keys(people);
const hourMs = 3_600_000;
const hourly = { every_hours: 1, weekday: 1 };

const notChanged =
  'Another user or window is writing to this file. The schedule was not changed. Try again in a minute.';

test.each([
  ['before it has the lock', 'Lock.tryLock', { ok: true }],
  ['when it has removed the old trigger', 'ScriptApp.newTrigger', { ok: false, message: notChanged }],
  ['when it saves the new trigger', 'Properties.setProperty', { ok: false, message: notChanged }],
])(
  'two windows that set a refresh schedule at the same time (the second: %s) leave one trigger, with the interval that the sidebar shows',
  async (_, at, second) => {
    const file = await openWithUrls(setup, ada);
    must(file, 'sidebarSetSchedule', 12);
    const replies: object[] = [];
    file.meanwhile(at, () => replies.push(ask(file, 'sidebarSetSchedule', 2)));
    replies.push(ask(file, 'sidebarSetSchedule', 6));
    expect(replies).toMatchObject([second, { ok: true }]);
    expect(file.world().triggers).toMatchObject([{ every_ms: 6 * hourMs }]);
    expect(must(file, 'sidebarSchedule')).toMatchObject({ schedule: { every_hours: 6 } });
    const saved = JSON.parse(
      file.world().properties.users['owner@example.com']?.['schedule_in_invented-spreadsheet'] ?? '',
    );
    expect(saved.trigger_id).toBe(file.world().triggers[0]?.id);
  },
);

test('a refresh schedule that cannot get the lock of the file stays as it was, and the message says so', async () => {
  const file = await openWithUrls(setup, ada);
  must(file, 'sidebarSetSchedule', 12);
  const before = file.world().triggers;
  file.holdLock(60_000);
  expect(ask(file, 'sidebarSetSchedule', null)).toEqual({ ok: false, message: notChanged });
  expect(file.world().triggers).toEqual(before);
});

test('two users who set a schedule at the same time both get their own trigger', async () => {
  const file = await openWithUrls(setup, ada);
  file.meanwhile('Lock.tryLock', () => {
    file.become('ben@example.com');
    must(file, 'sidebarSetSchedule', 2);
  });
  must(file, 'sidebarSetSchedule', 6);
  expect(file.world().triggers).toMatchObject([
    { creator: 'ben@example.com', every_ms: 2 * hourMs },
    { creator: 'owner@example.com', every_ms: 6 * hourMs },
  ]);
});

test('a scheduled import that is saved while another window deletes the last one keeps its trigger', async () => {
  const file = await openWithUrls(setup, ada);
  const id = save(file, { source: cells('A2'), schedule: hourly });
  const choice = { ...usual, name: 'Second', source: cells('A2'), schedule: hourly };
  let reply = { ok: false };
  file.meanwhile('ScriptApp.deleteTrigger', () => {
    reply = ask(file, 'sidebarImportSave', choice);
  });
  must(file, 'sidebarImportChange', id, 1, 'delete');
  if (!reply.ok) must(file, 'sidebarImportSave', choice);
  expect(file.world().triggers).toMatchObject([{ every_ms: hourMs }]);
});

test('a schedule that is changed while its trigger runs is not changed back by the trigger', async () => {
  const file = await openWithUrls(setup, ada);
  must(file, 'sidebarSetSchedule', 1);
  file.pass(hourMs);
  file.meanwhile('Properties.setProperty schedule_in_', () => ask(file, 'sidebarSetSchedule', 8));
  file.fireTriggers();
  const [trigger] = file.world().triggers;
  expect(must(file, 'sidebarSchedule')).toMatchObject({ schedule: { every_hours: (trigger?.every_ms ?? 0) / hourMs } });
});

test('an import that is edited while its trigger is running is not due again at the next hour', async () => {
  const file = await openWithUrls(setup, ada);
  const id = save(file, { source: cells('A2'), schedule: { ...hourly, every_hours: 6 }, max_age: 'fresh' });
  file.pass(6 * hourMs);
  file.meanwhile('Lock.tryLock', () => file.fireTriggers());
  must(file, 'sidebarImportSave', {
    ...{ ...usual, id, version: 1, name: 'New name' },
    ...{ source: cells('A2'), schedule: { ...hourly, every_hours: 6 }, max_age: 'fresh' },
  });
  file.pass(hourMs);
  file.fireTriggers();
  expect((await setup.api.log()).credits_charged).toBe(1);
});

/** Opens a file whose formula in C2 uses the refresh cell H1, so that each refresh costs 1 credit. */
async function openWithRefreshCell() {
  const file = await openWithUrls(setup, ada);
  must(file, 'sidebarConnect', 'file', goodKey);
  file.select('H1');
  file.answer({ button: 'OK' });
  file.call('refresh_');
  file.type('C2', '=SOCIAL_PROFILE(A2, "followers", SOCIAL_REFRESH)');
  return file;
}

const refreshes = (file: SpreadsheetFile) =>
  must<{ ok: true; runs: { what: string }[] }>(file, 'sidebarRuns').runs.filter(
    ({ what }) => what === 'Scheduled refresh',
  );

test('a refresh that another user has just done is not done again when the hourly trigger for imports runs next', async () => {
  const file = await openWithRefreshCell();
  must(file, 'sidebarSetSchedule', 6);
  file.become('ben@example.com');
  setKey(file);
  must(file, 'sidebarSetSchedule', 6);
  save(file, { source: cells('A2'), target: { sheet: 'Ben', a1: 'A1' }, schedule: { ...hourly, every_hours: 24 } });
  const before = (await setup.api.log()).credits_charged;
  for (let hour = 1; hour <= 8; hour++) {
    file.pass(hourMs);
    file.fireTriggers();
  }
  expect(refreshes(file)).toHaveLength(1);
  expect((await setup.api.log()).credits_charged).toBe(before + 1);
});

test('a new schedule for an import does not postpone the refresh of the file', async () => {
  const file = await openWithRefreshCell();
  must(file, 'sidebarSetSchedule', 6);
  file.pass(5 * hourMs);
  const before = must(file, 'sidebarSchedule');
  save(file, { source: cells('A2'), target: { sheet: 'Rows', a1: 'A1' }, schedule: hourly });
  expect(must(file, 'sidebarSchedule')).toEqual(before);
  file.pass(hourMs);
  file.fireTriggers();
  expect(refreshes(file)).toHaveLength(1);
});
