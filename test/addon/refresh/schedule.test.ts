import { expect, test } from 'vitest';
import type { SpreadsheetFile } from '../harness/file.ts';
import { ask, exampleReport, setUpReport } from '../report-sheet/report-workspace.ts';

const setup = setUpReport();
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const triggerScope = 'https://www.googleapis.com/auth/script.scriptapp';

async function openWithReport() {
  const own = await setup.campaign();
  await setup.finish(own, exampleReport());
  const file = await setup.open(own.live_key);
  const { sheet } = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  return { own, file, sheet };
}

function runs(file: SpreadsheetFile) {
  const { runs: all } = file.run('sidebarRuns', []) as unknown as { runs: Record<string, unknown>[] };
  return all.filter(({ what }) => what === 'Scheduled refresh');
}

function schedule(file: SpreadsheetFile): unknown {
  return (file.run('sidebarSchedule', []) as { schedule: unknown }).schedule;
}

test('a refresh schedule is one trigger for each user and file, which can be replaced and removed', async () => {
  const { file } = await openWithReport();
  expect(schedule(file)).toBeNull();
  const { message } = ask(file, 'sidebarSetSchedule', 6);
  expect(message).toContain('every 6 hours, with your key');
  expect(message).toContain('let the server write them: see Write to Google Sheets');
  expect(schedule(file)).toEqual({ every_hours: 6, next: file.world().now_ms + 6 * hourMs });
  expect(ask(file, 'sidebarSetSchedule', 24).message).toContain('every day');
  expect(file.world().triggers).toMatchObject([{ handler: 'refreshOnSchedule_', every_ms: 24 * hourMs }]);
  expect(ask(file, 'sidebarSetSchedule', null)).toMatchObject({ ok: true });
  expect(file.world().triggers).toEqual([]);
  expect(schedule(file)).toBeNull();
});

test('each user has their own refresh schedule in a file', async () => {
  const { file } = await openWithReport();
  ask(file, 'sidebarSetSchedule', 6);
  file.become('ben@example.com');
  expect(schedule(file)).toBeNull();
  expect(ask(file, 'sidebarSetSchedule', 1)).toMatchObject({ ok: true });
  expect(file.world().triggers).toHaveLength(2);
  expect(ask(file, 'sidebarSetSchedule', null)).toMatchObject({ ok: true });
  expect(file.world().triggers).toMatchObject([{ creator: 'owner@example.com' }]);
});

test("removing a refresh schedule keeps the user's schedule in another file, and a lost trigger ID is recovered", async () => {
  const { file } = await openWithReport();
  const elsewhere = {
    ...{ id: 'elsewhere', handler: 'refreshOnSchedule_', creator: 'owner@example.com' },
    ...{ every_ms: hourMs, next_ms: Number.MAX_SAFE_INTEGER },
  };
  file.world().other_triggers.push(elsewhere);
  expect(schedule(file)).toBeNull();
  ask(file, 'sidebarSetSchedule', 1);
  file.world().properties.users['owner@example.com'] = {};
  expect(ask(file, 'sidebarSetSchedule', 2)).toMatchObject({ ok: true });
  expect(file.world().triggers).toMatchObject([{ every_ms: 2 * hourMs }]);
  ask(file, 'sidebarSetSchedule', null);
  expect(file.world()).toMatchObject({ triggers: [], other_triggers: [elsewhere] });
});

test('a schedule says whose key it uses, and that it waits until a key is connected', async () => {
  const { own, file } = await openWithReport();
  file.world().properties.users['owner@example.com'] = {};
  expect(ask(file, 'sidebarSetSchedule', 6).message).toContain('every 6 hours, once a key is connected under Keys.');
  file.world().properties.document.api_key = own.live_key;
  expect(ask(file, 'sidebarSetSchedule', 6).message).toContain('every 6 hours, with the sheet key of this file.');
});

test('the trigger refreshes the report without activating its sheet, and logs the run', async () => {
  const { own, file, sheet } = await openWithReport();
  ask(file, 'sidebarSetSchedule', 1);
  await setup.finish(own, exampleReport(1));
  file.show('Sheet1');
  expect(file.fireTriggers()).toEqual([]);
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done']);
  expect(file.values('A2', sheet)).toEqual([['Week from 16 to 22 November 2026 (UTC), final']]);
  expect(file.sheetState(sheet).charts).toHaveLength(3);
  expect(file.world().current.sheet).toBe('Sheet1');
  expect(runs(file)).toMatchObject([{ ok: 1, failed: 0, credits: 0, message: '1 report refreshed.' }]);
  expect(schedule(file)).toEqual({ every_hours: 1, next: file.world().now_ms + hourMs });
});

test('a report of a chosen finished week stays, and a report whose sheet was deleted is not written again', async () => {
  const { own, file, sheet } = await openWithReport();
  const chosen = await setup.finish(own, exampleReport(1));
  await setup.finish(own, exampleReport(2));
  expect(ask(file, 'sidebarInsertReport', own.campaign_id, chosen)).toMatchObject({ ok: true, sheet });
  ask(file, 'sidebarSetSchedule', 1);
  file.pass(hourMs);
  file.fireTriggers();
  expect(file.values('A2', sheet)).toEqual([['Week from 16 to 22 November 2026 (UTC), final']]);
  expect(runs(file)).toMatchObject([{ ok: 0, failed: 0 }]);
  ask(file, 'sidebarInsertReport', own.campaign_id, null);
  file.deleteSheet(sheet);
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done']);
  expect(file.world().sheets.map(({ name }) => name)).toEqual(['Sheet1', 'Autumn at sea details']);
  ask(file, 'sidebarInsertReport', own.campaign_id, null);
  expect(file.world().sheets.map(({ name }) => name)).toEqual(['Sheet1', 'Autumn at sea details', sheet]);
  file.deleteSheet(sheet);
  file.deleteSheet('Autumn at sea details');
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done']);
  expect(file.world().properties.document).not.toHaveProperty(`report_sheet_${own.campaign_id}`);
});

test('two refresh schedules at about the same time are one run, so nothing is paid twice', async () => {
  const { file } = await openWithReport();
  file.show('Sheet1');
  file.select('H1');
  file.answer({ button: 'OK' });
  file.call('refresh_');
  ask(file, 'sidebarSetSchedule', 1);
  file.become('ben@example.com');
  ask(file, 'sidebarSetSchedule', 1);
  file.pass(hourMs);
  const refreshedMs = file.world().now_ms;
  const at = () => String(file.values('H1', 'Sheet1')[0]?.[0]);
  expect(file.fireTriggers()).toEqual(['done', 'done']);
  expect(at()).toBe(`fresh ${new Date(refreshedMs).toISOString()}`);
  file.pass(20 * minuteMs);
  for (const trigger of file.world().triggers) trigger.next_ms = file.world().now_ms;
  expect(file.fireTriggers()).toEqual(['done', 'done']);
  expect(at()).toBe(`fresh ${new Date(refreshedMs).toISOString()}`);
  expect(runs(file)).toHaveLength(1);
  expect(runs(file)[0]).toMatchObject({
    credits: null,
    message: expect.stringContaining('with the refresh cell run again'),
  });
});

test('a scheduled refresh runs with the key of its creator, even when another user has the file open', async () => {
  const { own, file, sheet } = await openWithReport();
  ask(file, 'sidebarSetSchedule', 1);
  await setup.finish(own, exampleReport(1));
  file.become('ben@example.com');
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done']);
  expect(file.values('A2', sheet)).toEqual([['Week from 16 to 22 November 2026 (UTC), final']]);
});

test('every failure of a scheduled refresh is logged, because Google sends no notification', async () => {
  const { own, file } = await openWithReport();
  ask(file, 'sidebarSetSchedule', 1);
  file.pass(hourMs);
  await setup.sql`update api_keys set revoked_at = now() where workspace_id = ${own.workspace_id}`;
  expect(file.fireTriggers()).toEqual(['done']);
  expect(runs(file)[0]).toMatchObject({ ok: 0, failed: 1, message: expect.stringContaining('does not know this key') });
  file.pass(hourMs);
  file.holdLock(5 * minuteMs);
  expect(file.fireTriggers()).toEqual(['done']);
  expect(runs(file)[0]).toMatchObject({
    failed: 1,
    message: expect.stringContaining('Another user or window is writing'),
  });
  file.pass(hourMs);
  file.set({ refused_scopes: ['https://www.googleapis.com/auth/script.external_request'] });
  expect(file.fireTriggers()).toEqual(['done']);
  expect(runs(file)[0]).toMatchObject({ failed: 1, message: expect.stringContaining('permission again') });
});

test('a schedule with an unknown interval, without permission or in a test deployment is refused with a sentence', async () => {
  const { file } = await openWithReport();
  for (const wrong of [0, 0.5, 3, 48, '6', '', true]) {
    expect(ask(file, 'sidebarSetSchedule', wrong)).toMatchObject({
      ok: false,
      message: expect.stringContaining('1, 2, 4'),
    });
  }
  file.set({ refused_scopes: [triggerScope] });
  expect(ask(file, 'sidebarSetSchedule', 1)).toMatchObject({
    ok: false,
    message:
      'The add-on needs your permission to run on a schedule (“Allow this application to run when you are not present”). Give it, then try again.',
    link: { label: 'Give permission', url: 'https://accounts.example/allow' },
  });
  file.set({ refused_scopes: [], test_deployment: true });
  expect(ask(file, 'sidebarSetSchedule', 1)).toMatchObject({
    ok: false,
    message: expect.stringContaining('test deployment'),
  });
  expect(schedule(file)).toBeNull();
});

test('no cell or page can call the trigger function, and no cell can call a function of the sidebar', async () => {
  const { file } = await openWithReport();
  expect(() => file.cell('refreshOnSchedule_', [])).toThrow('Unknown function');
  expect(() => file.run('refreshOnSchedule_', [])).toThrow('not callable');
  for (const name of ['sidebarSchedule', 'sidebarSetSchedule', 'sidebarCampaigns', 'sidebarInsertReport']) {
    expect(() => file.cell(name, [1])).toThrow('getUi() from this context');
  }
});
