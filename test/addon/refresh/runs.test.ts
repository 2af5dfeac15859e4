import { expect, test } from 'vitest';
import type { SpreadsheetFile } from '../harness/file.ts';
import { people, setKey, setUpWorkbench } from '../spreadsheet-setup.ts';

const bench = setUpWorkbench();
const [ada = ''] = Object.keys(people);
const minuteMs = 60_000;

type Run = { at: number; what: string; message: string; credits: number | null };

function runs(file: SpreadsheetFile): Run[] {
  return (file.run('sidebarRuns', []) as { ok: true; runs: Run[] }).runs;
}

async function openWithFormula() {
  const file = await bench.open();
  setKey(file, 'YES');
  file.type('A1', ada);
  file.type('B1', '=SOCIAL_PROFILE(A1, "followers")');
  return file;
}

test('the log of a file lists its last runs newest first, with their time and result', async () => {
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

test('the log of runs keeps twenty runs and always fits one property of the file', async () => {
  const file = await openWithFormula();
  for (let round = 0; round < 25; round++) {
    file.pass(minuteMs);
    file.run('sidebarRefreshFormulas', ['sheet']);
  }
  expect(runs(file)).toHaveLength(20);
  expect(runs(file)[0]?.at).toBe(file.world().now_ms);
  const kept = file.world().properties.document.runs ?? '';
  const long = JSON.parse(kept).map((run: Run) => ({ ...run, message: '漢'.repeat(200) }));
  file.world().properties.document.runs = JSON.stringify(long);
  file.pass(minuteMs);
  file.run('sidebarRefreshFormulas', ['sheet']);
  expect(Buffer.byteLength(file.world().properties.document.runs ?? '')).toBeLessThanOrEqual(9 * 1024);
  expect(runs(file)[0]?.at).toBe(file.world().now_ms);
  expect(runs(file).length).toBeGreaterThan(5);
});

test('a damaged log of runs reads as empty, and the next run starts a new log', async () => {
  const file = await openWithFormula();
  for (const damaged of ['{"a":', '{}', '[1,null,{"at":"x"}]']) {
    file.world().properties.document.runs = damaged;
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
