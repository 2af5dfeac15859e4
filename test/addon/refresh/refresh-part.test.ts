import { expect, test } from 'vitest';
import { maxAgeParameter } from '../../../addon/formulas/max-age.ts';
import { timed } from '../../../addon/refresh/sheet-formula-text.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Opens a file with two formulas that use the refresh cell H1 (rows 1 and 2) and one that does not (row 3). */
async function openWithFormulas() {
  const file = await setup.open();
  setKey(file, 'YES');
  file.select('H1');
  file.answer({ button: 'OK' });
  file.call('refresh_');
  file.type('A1', ada, ben, ada);
  file.type('B1', '=SOCIAL_PROFILE(A1, "followers", SOCIAL_REFRESH)');
  file.type('B2', '=SOCIAL_PROFILE(A2; "followers"; SOCIAL_REFRESH)');
  file.type('B3', '=SOCIAL_PROFILE(A3, "followers")');
  file.pass(hourMs);
  return file;
}

function refresh(file: SpreadsheetFile, scope: unknown) {
  return file.run('sidebarRefreshFormulas', [scope]) as { ok: boolean; message: string };
}

async function spent(work: () => void) {
  const before = await setup.api.log();
  work();
  const after = await setup.api.log();
  const requests = after.requests.slice(before.requests.length).map(({ parameters }) => parameters);
  return { credits: after.credits_charged - before.credits_charged, requests };
}

test('refreshing the selection gets new data once, and only for the selected formulas', async () => {
  const file = await openWithFormulas();
  file.select('B1');
  const { credits, requests } = await spent(() => {
    expect(refresh(file, 'selection')).toEqual({
      ok: true,
      message: '1 formula runs again with new data, which may cost credits.',
    });
  });
  expect(requests).toMatchObject([{ url: [ada], fresh: ['true'] }]);
  expect(credits).toBe(1);
  file.pass(hourMs);
  const later = await spent(() => file.reopen());
  expect(later.credits).toBe(0);
  expect(later.requests.every(({ fresh }) => fresh?.length === 0)).toBe(true);
});

test('a second refresh of the selection replaces the time of the first, and the refresh cell still refreshes the formula', async () => {
  const file = await openWithFormulas();
  file.select('B1:C2');
  refresh(file, 'selection');
  file.pass(hourMs);
  refresh(file, 'selection');
  expect(file.sheet().B1?.formula).toBe(
    '=SOCIAL_PROFILE(A1, "followers", SOCIAL_REFRESH&" fresh 2026-11-20T12:00:00.000Z")',
  );
  expect(file.sheet().B2?.formula).toBe(
    '=SOCIAL_PROFILE(A2; "followers"; SOCIAL_REFRESH&" fresh 2026-11-20T12:00:00.000Z")',
  );
  file.pass(hourMs);
  const { credits, requests } = await spent(() => {
    expect(refresh(file, 'file')).toMatchObject({
      ok: true,
      message: expect.stringContaining('2 formulas with SOCIAL_REFRESH run again'),
    });
  });
  expect(credits).toBe(2);
  expect(requests.map(({ fresh }) => fresh)).toEqual([['true'], ['true']]);
});

test('inserting and refreshing formulas works in a file with decimal commas', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  file.set({ locale: 'de_DE', time_zone: 'Europe/Berlin' });
  file.type('A2', ada, ben);
  file.select('B2');
  const choice = {
    name: 'SOCIAL_PROFILE',
    area: { sheet: 'Sheet1', a1: 'A2:A3' },
    ticked: ['followers'],
    max_age: '7d',
  };
  expect(file.run('sidebarInsertFormula', [choice])).toMatchObject({ ok: true });
  file.type('D2', '=SOCIAL_FOLLOWERS(A2)', '=SOCIAL_FOLLOWERS(A3; ""; "7d")');
  expect(refresh(file, 'sheet').ok).toBe(true);
  expect(file.values('B2:D3')).toEqual([
    ['OK', 1_200, 1_200],
    ['OK', 5_400_000, 5_400_000],
  ]);
});

test('refreshing the file says so when no formula uses the refresh cell', async () => {
  const file = await openWithFormulas();
  file.type('B1', '', '');
  expect(refresh(file, 'file').message).toBe('No formula in this file uses SOCIAL_REFRESH, so no formula runs again.');
});

test('refreshing a formula without the refresh cell uses its own max_age, so nothing is charged twice', async () => {
  const file = await openWithFormulas();
  file.pass(24 * hourMs);
  file.select('B3');
  const { credits, requests } = await spent(() => {
    expect(refresh(file, 'selection').message).toContain("older than the formula's own max_age");
  });
  expect(requests).toMatchObject([{ url: [ada], cache_max_age: ['1d'], fresh: [] }]);
  expect(credits).toBe(0);
  expect(file.sheet().B3?.formula).toBe('=SOCIAL_PROFILE(A3, "followers","1d 2026-11-21T11:00:00.000Z")');
  expect(file.values('B3:C3')).toEqual([['OK', 1_200]]);
});

test('refreshing the sheet runs only its own formulas, with the max_age in the refresh cell', async () => {
  const file = await openWithFormulas();
  file.type('H1', '7d');
  file.show('Other');
  file.type('A1', ada);
  file.type('B1', '=SOCIAL_PROFILE(A1, "posts", SOCIAL_REFRESH)');
  file.pass(8 * 24 * hourMs);
  const { credits, requests } = await spent(() => {
    expect(refresh(file, 'sheet').message).toContain('rows older than 7d');
  });
  expect(requests).toMatchObject([{ cache_max_age: ['7d'], fields: ['status,posts,retrieved_at,cached'] }]);
  expect(credits).toBe(0);
  expect(file.sheet('Sheet1').B1?.formula).not.toContain('&');
});

test('a refresh keeps text that names the refresh cell, formulas of Sheets, and the max_age of each formula', async () => {
  const file = await openWithFormulas();
  file.type('D1', '=SUM(C1:C2)', 'plain SOCIAL_REFRESH');
  file.type('E1', '=SOCIAL_PROFILE(A1, "followers", "7d")');
  refresh(file, 'sheet');
  expect(file.sheet().D1?.formula).toBe('=SUM(C1:C2)');
  expect(file.values('D2')).toEqual([['plain SOCIAL_REFRESH']]);
  expect(file.sheet().E1?.formula).toBe('=SOCIAL_PROFILE(A1, "followers", "7d 2026-11-20T11:00:00.000Z")');
});

test('refreshing a selection without a formula gives a message that says what to do', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  expect(refresh(file, 'file').message).toContain('This file has no refresh cell. Select an empty cell');
  expect(refresh(file, 'sheet').message).toBe('This sheet has no SOCIAL_ formula.');
  expect(refresh(file, 'selection').message).toContain('Select the cell that holds the formula');
  expect(refresh(file, 'all').message).toBe('Choose the selection, the sheet or the file.');
  expect(() => file.cell('sidebarRefreshFormulas', ['file'])).toThrow('getUi() from this context');
});

test('a refresh cell without a max_age is an error before any request', async () => {
  const file = await openWithFormulas();
  file.type('H1', true);
  const { requests } = await spent(() => {
    expect(refresh(file, 'sheet')).toMatchObject({
      ok: false,
      message: expect.stringContaining('The refresh cell does not contain'),
    });
  });
  expect(requests).toEqual([]);
  expect(file.sheet().B1?.formula).not.toContain('&');
});

test('a refresh changes nothing while another user writes', async () => {
  const file = await openWithFormulas();
  const before = JSON.stringify(file.sheet());
  file.holdLock(hourMs);
  expect(refresh(file, 'sheet')).toMatchObject({
    ok: false,
    message: expect.stringContaining('Another user or window is writing'),
  });
  expect(JSON.stringify(file.sheet())).toBe(before);
});

test('when several refresh times follow a max_age, the latest time counts', () => {
  const nowMs = Date.UTC(2026, 10, 20, 10);
  const at = (agoMs: number) => new Date(nowMs - agoMs).toISOString();
  expect(maxAgeParameter(`fresh ${at(hourMs)} fresh ${at(minuteMs)}`, nowMs)).toBe('fresh=true');
  expect(maxAgeParameter(`fresh ${at(minuteMs)} fresh ${at(hourMs)}`, nowMs)).toBe('fresh=true');
  expect(maxAgeParameter(`fresh ${at(hourMs)} fresh ${at(2 * hourMs)}`, nowMs)).toBe('cache_max_age=1d');
  expect(maxAgeParameter(` fresh ${at(minuteMs)}`, nowMs)).toBe('fresh=true');
  expect(maxAgeParameter(`7d ${at(hourMs)} fresh ${at(minuteMs)}`, nowMs)).toBe('cache_max_age=7d');
});

const time = '2026-11-20T11:00:00.000Z';

test.each([
  ['=SOCIAL_PROFILE(A2)', `=SOCIAL_PROFILE(A2;;"1d ${time}")`],
  ['=SOCIAL_PROFILE(A2; "a,b"; "7d"; "tiktok")', `=SOCIAL_PROFILE(A2; "a,b"; "7d ${time}"; "tiktok")`],
  ['=SOCIAL_VIEWS(A2,"fresh")', `=SOCIAL_VIEWS(A2,"fresh ${time}")`],
  ['=SOCIAL_VIEWS(A2,H1)', `=SOCIAL_VIEWS(A2,H1&" ${time}")`],
  ['=SOCIAL_CREDITS()', `=SOCIAL_CREDITS("1d ${time}")`],
  [`=SORT(SOCIAL_POSTS('It''s (x)'!A2;3);1)`, `=SORT(SOCIAL_POSTS('It''s (x)'!A2;3;;"1d ${time}");1)`],
  [
    '=IFERROR(SOCIAL_VIEWS(A2);0)+SOCIAL_LIKES(B2)',
    `=IFERROR(SOCIAL_VIEWS(A2;"1d ${time}");0)+SOCIAL_LIKES(B2;"1d ${time}")`,
  ],
  ['="SOCIAL_VIEWS(A2)"', '="SOCIAL_VIEWS(A2)"'],
])('a refresh gives %s a new argument, and a second one replaces its time', (formula, refreshed) => {
  expect(timed(formula, time)).toBe(refreshed);
  expect(timed(timed(formula, '2026-11-19T11:00:00.000Z'), time)).toBe(refreshed);
});

test('a checkbox or a time before the time of a refresh means a max_age of one day', () => {
  for (const content of ['true', 'FALSE', '', '46000.125'])
    expect(maxAgeParameter(`${content} ${time}`, Date.parse(time))).toBe('cache_max_age=1d');
});
