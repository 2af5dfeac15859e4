import { expect, test } from 'vitest';
import type { SpreadsheetFile } from '../harness/file.ts';
import { people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = ''] = Object.keys(people);
const minuteMs = 60_000;

type Run = { at: number; what: string; message: string; credits: number | null };

function runs(file: SpreadsheetFile): Run[] {
  return (file.run('sidebarRuns', []) as { ok: true; runs: Run[] }).runs;
}

async function openWithFormula() {
  const file = await setup.open();
  setKey(file, 'YES');
  file.type('A1', ada);
  file.type('B1', '=SOCIAL_PROFILE(A1, "followers")');
  return file;
}

test('the log of runs in a file lists the last runs newest first, with their time and result', async () => {
  const file = await openWithFormula();
  expect(runs(file)).toEqual([]);
  file.run('sidebarRefreshFormulas', ['sheet']);
  file.pass(minuteMs);
  file.run('sidebarFreeze', ['sheet']);
  expect(runs(file)).toMatchObject([
    { at: file.world().now_ms, what: 'Freeze of the sheet', rows: 1, ok: 1, failed: 0, credits: 0 },
    { at: file.world().now_ms - minuteMs, what: 'Refresh of the sheet', rows: 1, ok: 1, failed: 0, credits: null },
  ]);
});

/** Returns the names of the document properties in which the file stores the entries of its log. */
function logProperties(file: SpreadsheetFile): string[] {
  return Object.keys(file.world().properties.document).filter((name) => name.startsWith('log_'));
}

test('the log of runs keeps the twenty newest runs', async () => {
  const file = await openWithFormula();
  for (let round = 0; round < 25; round++) {
    if (round % 2 === 0) file.pass(minuteMs);
    file.run('sidebarRefreshFormulas', ['sheet']);
  }
  file.run('sidebarFreeze', ['sheet']);
  expect(runs(file)).toHaveLength(20);
  expect(logProperties(file)).toHaveLength(20);
  expect(runs(file).map(({ at }) => at)).toEqual(
    runs(file)
      .map(({ at }) => at)
      .sort((a, b) => b - a),
  );
  expect(runs(file)[0]?.what).toBe('Freeze of the sheet');
});

test('the log of runs has the entry of each of three windows that write into it at the same time', async () => {
  const file = await openWithFormula();
  file.meanwhile('Properties.setProperty', () => {
    file.meanwhile('Properties.setProperty', () => file.run('sidebarFreeze', ['sheet']));
    file.run('sidebarRefreshFormulas', ['sheet']);
  });
  file.run('sidebarRefreshFormulas', ['sheet']);
  const whats = runs(file).map(({ what }) => what);
  expect(whats.sort()).toEqual(['Freeze of the sheet', 'Refresh of the sheet', 'Refresh of the sheet']);
});

test('the entries that an earlier version of the add-on stored stay in the log until twenty newer ones follow', async () => {
  const file = await openWithFormula();
  const old = [{ at: 1, what: 'Earlier run', rows: 1, ok: 1, failed: 0, credits: 0, message: '' }];
  file.world().properties.document.runs = JSON.stringify(old);
  for (let round = 0; round < 19; round++) file.run('sidebarRefreshFormulas', ['sheet']);
  expect(runs(file)).toHaveLength(20);
  expect(runs(file)[19]).toEqual(old[0]);
  file.run('sidebarRefreshFormulas', ['sheet']);
  expect(runs(file).map(({ what }) => what)).not.toContain('Earlier run');
  expect(file.world().properties.document).not.toHaveProperty('runs');
});

test('a damaged log of runs reads as empty, and the next run starts a new log', async () => {
  const file = await openWithFormula();
  for (const damaged of ['{"a":', '{}', '[1,null,{"at":"x"}]']) {
    file.world().properties.document.runs = damaged;
    file.world().properties.document.log_0000000000001_1 = damaged;
    expect(runs(file)).toEqual([]);
  }
  file.run('sidebarRefreshFormulas', ['sheet']);
  expect(runs(file)).toHaveLength(1);
});

test('the log of runs never contains a key, and no cell can read it', async () => {
  const file = await openWithFormula();
  file.run('sidebarRefreshFormulas', ['sheet']);
  expect(JSON.stringify(runs(file))).not.toContain('tide_');
  expect(() => file.cell('sidebarRuns', [])).toThrow('getUi() from this context');
});

test('a long message in the log ends with an ellipsis', async () => {
  const file = await openWithFormula();
  file.type('C1', '=SOCIAL_FOLLOWERS(A1)', '=SOCIAL_FOLLOWERS(A1)', '=SOCIAL_FOLLOWERS(A1)', '=SOCIAL_FOLLOWERS(A1)');
  const shown = ['#ERROR!', 'Loading...', 'RATE_LIMITED', 'INSUFFICIENT_CREDITS'];
  shown.forEach((value, index) => {
    Object.assign(file.sheet()[`C${index + 1}`] ?? {}, { type: 'text', value });
  });
  const { message } = file.run('sidebarFreeze', ['sheet']) as Run;
  expect(runs(file)[0]?.message).toBe(`${message.slice(0, 199)}…`);
});
