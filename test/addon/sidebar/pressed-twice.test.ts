import { expect, test } from 'vitest';
import { people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const area = { sheet: 'Sheet1', a1: 'A2:A3' };
const choice = {
  ...{ name: 'SOCIAL_PROFILE', area, ticked: ['followers'], limit: '', days: '', campaign: '', section: '' },
  ...{ max_age: '1d', platform: '' },
};
const press = 'press001';

async function openWithPeople() {
  const file = await setup.open();
  setKey(file);
  file.type('A1', 'Profile', ada, ben);
  return file;
}

type SpreadsheetFile = Awaited<ReturnType<typeof openWithPeople>>;

const formulasIn = (file: SpreadsheetFile) =>
  Object.entries(file.sheet()).flatMap(([a1, { formula }]) => (formula === undefined ? [] : [a1]));

test('the first rows whose answer was lost are inserted once, and the second press returns their cell', async () => {
  const file = await openWithPeople();
  const first = file.run('sidebarFirstRows', [area, press]);
  expect(file.run('sidebarFirstRows', [area, press])).toEqual(first);
  expect(formulasIn(file)).toEqual(['B2']);
  file.run('sidebarFirstRows', [area, 'press002']);
  expect(formulasIn(file)).toHaveLength(2);
});

test('first rows that two windows insert at the same time for the same press are inserted once', async () => {
  const file = await openWithPeople();
  file.meanwhile('Lock.tryLock', () => file.run('sidebarFirstRows', [area, press]));
  expect(file.run('sidebarFirstRows', [area, press])).toMatchObject({ range: { a1: 'B2' } });
  expect(formulasIn(file)).toEqual(['B2']);
});

test('a formula whose answer was lost is inserted once, and the second press says where it is', async () => {
  const file = await openWithPeople();
  file.select('C2');
  file.run('sidebarInsertFormula', [choice, press]);
  const message = 'The formula is in C2. Your first press of the button had already done this, so nothing ran twice.';
  expect(file.run('sidebarInsertFormula', [choice, press])).toEqual({ ok: true, message });
  file.select('H2');
  expect(file.run('sidebarInsertFormula', [choice, press])).toEqual({ ok: true, message: 'The formula is in H2.' });
});

test('a refresh whose answer was lost is paid once, and the second press says so', async () => {
  const file = await openWithPeople();
  file.select('H1');
  file.answer({ button: 'OK' });
  file.call('refresh_');
  file.type('B2', '=SOCIAL_PROFILE(A2, "followers", SOCIAL_REFRESH)');
  const refresh = (id: string) => {
    file.pass(60_000);
    return (file.run('sidebarRefreshFormulas', ['file', id]) as { message: string }).message;
  };
  const before = (await setup.api.log()).credits_charged;
  const first = refresh(press);
  expect(refresh(press)).toBe(`${first} Your first press of the button had already done this, so nothing ran twice.`);
  expect((await setup.api.log()).credits_charged).toBe(before + 1);
  expect((file.run('sidebarRuns', []) as { runs: unknown[] }).runs).toHaveLength(1);
  refresh('press002');
  expect((await setup.api.log()).credits_charged).toBe(before + 2);
});

test('a refresh of another selection with the same press runs, and a press without an ID always runs', async () => {
  const file = await openWithPeople();
  file.type('B2', '=SOCIAL_PROFILE(A2, "followers")');
  file.type('B3', '=SOCIAL_PROFILE(A3, "followers")');
  const refresh = (a1: string, ...id: unknown[]) => {
    file.select(a1);
    return (file.run('sidebarRefreshFormulas', ['selection', ...id]) as { message: string }).message;
  };
  refresh('B2', press);
  for (const message of [refresh('B3', press), refresh('B3'), refresh('B3'), refresh('B3', 7)]) {
    expect(message).not.toContain('already');
  }
});

test('a refresh of the sheet whose answer was lost runs once, even when the user has selected another cell since', async () => {
  const file = await openWithPeople();
  file.type('B2', '=SOCIAL_PROFILE(A2, "followers")');
  const refresh = () => (file.run('sidebarRefreshFormulas', ['sheet', press]) as { message: string }).message;
  refresh();
  file.select('C9');
  expect(refresh()).toContain('already');
  file.show('Other');
  expect(refresh()).toBe('This sheet has no SOCIAL_ formula.');
});
