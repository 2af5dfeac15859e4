import { expect, test } from 'vitest';
import { callable } from '../../../scripts/check-addon-callable.ts';
import { goodKey, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();

/** Arguments that a curious editor of the file may pass when calling a function of the add-on by hand. */
const tries: unknown[][] = [
  [],
  ['account'],
  ['file', ''],
  ['api_key', 'api_key'],
  [{ place: 'account' }],
  [[['A2']], 'key'],
];

function outcome(work: () => unknown): string {
  try {
    return JSON.stringify(work()) ?? '';
  } catch (error) {
    return String(error);
  }
}

test('no function of the add-on that an editor can call returns, logs, shows or writes the API key', async () => {
  const file = await setup.open({ owner: 'owner@example.com', user: 'owner@example.com' });
  setKey(file, 'YES');
  setKey(file, 'NO');
  expect(JSON.stringify(file.world().properties)).toContain(goodKey);
  const names = Object.values(callable).flat();
  expect(file.callable.filter((name) => !name.endsWith('_')).toSorted()).toEqual(names.toSorted());
  file.become('editor@example.com');
  const said = names.flatMap((name) =>
    tries.flatMap((args) => [outcome(() => file.cell(name, args)), outcome(() => file.run(name, args))]),
  );
  expect(said).toHaveLength(names.length * tries.length * 2);
  const { properties: _kept, ...seen } = file.world();
  for (const text of [...said, JSON.stringify(seen)]) expect(text).not.toContain(goodKey);
});

test('every function of the sidebar throws in a cell before it has any effect', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  const before = JSON.stringify(file.world());
  for (const name of callable.page) expect(() => file.cell(name, ['account'])).toThrow();
  expect(JSON.stringify(file.world())).toBe(before);
});
