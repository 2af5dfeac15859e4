import { expect, test } from 'vitest';
import { readMaxAge } from '../../../addon/formulas/max-age.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { people, setKey, setUpWorkbench } from '../spreadsheet-setup.ts';

const bench = setUpWorkbench();
const [ada = '', ben = ''] = Object.keys(people);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Two formulas that name the refresh cell H1, in rows 1 and 2, and one in row 3 that does not. */
async function openWithFormulas() {
  const file = await bench.open();
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
  const before = await bench.api.log();
  work();
  const after = await bench.api.log();
  const asked = after.requests.slice(before.requests.length).map(({ parameters }) => parameters);
  return { credits: after.credits_charged - before.credits_charged, asked };
}

test('refreshing the selection buys fresh data for the selected formulas alone, once', async () => {
  const file = await openWithFormulas();
  file.select('B1');
  const { credits, asked } = await spent(() => {
    expect(refresh(file, 'selection')).toEqual({
      ok: true,
      message: '1 formula asked again for fresh data, for which credits may be charged.',
    });
  });
  expect(asked).toMatchObject([{ url: [ada], fresh: ['true'] }]);
  expect(credits).toBe(1);
  file.pass(hourMs);
  const later = await spent(() => file.reopen());
  expect(later.credits).toBe(0);
  expect(later.asked.every(({ fresh }) => fresh?.length === 0)).toBe(true);
});

test('a second refresh of a part replaces the stamp of the first, and the refresh cell still refreshes the formula', async () => {
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
  const { credits, asked } = await spent(() => {
    expect(refresh(file, 'file')).toMatchObject({ ok: true, message: expect.stringContaining('SOCIAL_REFRESH: 2.') });
  });
  expect(credits).toBe(2);
  expect(asked.map(({ fresh }) => fresh)).toEqual([['true'], ['true']]);
});

test('a formula that does not name the refresh cell asks again within its own max_age: nothing is bought twice', async () => {
  const file = await openWithFormulas();
  file.select('B3');
  const { credits, asked } = await spent(() => {
    expect(refresh(file, 'selection').message).toContain('at most for what is older than the own max_age');
  });
  expect(asked).toMatchObject([{ url: [ada], cache_max_age: ['1d'], fresh: [] }]);
  expect(credits).toBe(0);
  expect(file.sheet().B3?.formula).toBe('=SOCIAL_PROFILE(A3, "followers")');
  expect(file.values('B3:C3')).toEqual([['OK', 1_200]]);
});

test('refreshing the sheet runs its formulas and no others, and a word in the refresh cell stays in force', async () => {
  const file = await openWithFormulas();
  file.type('H1', '7d');
  file.show('Other');
  file.type('A1', ada);
  file.type('B1', '=SOCIAL_PROFILE(A1, "posts", SOCIAL_REFRESH)');
  const { credits, asked } = await spent(() => {
    expect(refresh(file, 'sheet').message).toContain('for what is older than 7d');
  });
  expect(asked).toMatchObject([{ cache_max_age: ['7d'], fields: ['status,posts'] }]);
  expect(credits).toBe(0);
  expect(file.sheet('Sheet1').B1?.formula).not.toContain('&');
});

test('a text that only names the cell, and other formulas, are left as they are', async () => {
  const file = await openWithFormulas();
  file.type('D1', '=SUM(C1:C2)', 'plain SOCIAL_REFRESH');
  file.type('E1', '=SOCIAL_PROFILE(A1, "followers", "7d")');
  refresh(file, 'sheet');
  expect(file.sheet().D1?.formula).toBe('=SUM(C1:C2)');
  expect(file.values('D2')).toEqual([['plain SOCIAL_REFRESH']]);
  expect(file.sheet().E1?.formula).toBe('=SOCIAL_PROFILE(A1, "followers", "7d")');
});

test('where nothing can be refreshed it says what to do', async () => {
  const file = await bench.open();
  setKey(file, 'YES');
  expect(refresh(file, 'file').message).toContain('This file has no refresh cell. Select an empty cell');
  expect(refresh(file, 'sheet').message).toBe('This sheet has no SOCIAL_ formula.');
  expect(refresh(file, 'selection').message).toContain('Select the cell that holds the formula');
  expect(refresh(file, 'all').message).toBe('Choose the selection, the sheet or the file.');
  expect(() => file.cell('sidebarRefreshFormulas', ['file'])).toThrow('getUi() from this context');
});

test('a refresh cell with something else in it is told of before anything is asked', async () => {
  const file = await openWithFormulas();
  file.type('H1', true);
  const { asked } = await spent(() => {
    expect(refresh(file, 'sheet')).toMatchObject({
      ok: false,
      message: expect.stringContaining('The refresh cell holds'),
    });
  });
  expect(asked).toEqual([]);
  expect(file.sheet().B1?.formula).not.toContain('&');
});

test('while somebody else writes, nothing is touched', async () => {
  const file = await openWithFormulas();
  const before = JSON.stringify(file.sheet());
  file.holdLock(hourMs);
  expect(refresh(file, 'sheet')).toMatchObject({
    ok: false,
    message: expect.stringContaining('Somebody else is writing'),
  });
  expect(JSON.stringify(file.sheet())).toBe(before);
});

test('of several times behind a word the latest counts', () => {
  const nowMs = Date.UTC(2026, 10, 20, 10);
  const at = (agoMs: number) => new Date(nowMs - agoMs).toISOString();
  expect(readMaxAge(`fresh ${at(hourMs)} fresh ${at(minuteMs)}`, nowMs)).toBe('fresh');
  expect(readMaxAge(`fresh ${at(minuteMs)} fresh ${at(hourMs)}`, nowMs)).toBe('fresh');
  expect(readMaxAge(`fresh ${at(hourMs)} fresh ${at(2 * hourMs)}`, nowMs)).toBe('1d');
  expect(readMaxAge(` fresh ${at(minuteMs)}`, nowMs)).toBe('fresh');
  expect(readMaxAge(`7d ${at(hourMs)} fresh ${at(minuteMs)}`, nowMs)).toBe('7d');
});
