import { expect, test } from 'vitest';
import { address } from '../batches/batch-workspace.ts';
import { openImportSetup } from './import-setup.ts';

const setup = await openImportSetup();
const home = (handle: string) => `https://www.instagram.com/${handle}`;

test('a sheet import with a platform does not buy a heading or a placeholder as the handle of a stranger', async () => {
  setup.type(1, 1, [['Usuario'], ['@anna'], ['TBD'], ['n/a'], ['–'], ['ben']]);
  const workspaceId = await setup.workspace(10);
  const more = { source_range: 'Sheet1!A:A', platform: 'photo', fields: 'status' };
  expect(await setup.go(workspaceId, await setup.create(workspaceId, more))).toMatchObject({ outcome: 'OK' });
  expect(setup.table().slice(1)).toEqual([
    ['Usuario', 'INVALID_INPUT'],
    [home('anna'), 'OK'],
    ...['TBD', 'n/a', '–'].map((text) => [text, 'INVALID_INPUT']),
    [home('ben'), 'OK'],
  ]);
  expect(await setup.balance(workspaceId)).toBe(8);
});

test('a sheet import with a platform uses the link of a row, not a word before it, and else the text with an @', async () => {
  setup.type(1, 1, [
    ['Acme', address('anna')],
    ['Bolt', '@ben'],
    ['cleo', ''],
    ['Dora', '＠dora.k'],
  ]);
  const workspaceId = await setup.workspace(10);
  const more = { source_range: 'Sheet1!A1:B', platform: 'photo', fields: 'status' };
  expect(await setup.go(workspaceId, await setup.create(workspaceId, more))).toMatchObject({ outcome: 'OK' });
  expect(setup.table()).toEqual([
    ['URL', 'Status'],
    [address('anna'), 'OK'],
    [home('ben'), 'OK'],
    [home('cleo'), 'OK'],
    [home('dora.k'), 'OK'],
  ]);
});
