import { expect, test } from 'vitest';
import { setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon('bound');

test('the samples of the add-on fill five rows in a separate sheet without a key or a request', async () => {
  const file = await setup.open();
  file.type('A1', 'mine');
  expect(file.run('sidebarSamples', [])).toMatchObject({ ok: true, sheet: 'Tidemark samples' });
  expect(file.values('A1', 'Tidemark samples')[0]?.[0]).toContain('invented accounts');
  expect(file.values('B3:B8', 'Tidemark samples').flat()).toEqual([...Array(5).fill('SAMPLE'), '']);
  expect(file.types('E3:G3', 'Tidemark samples')).toEqual([['number', 'number', 'boolean']]);
  expect(file.values('A1', 'Sheet1')).toEqual([['mine']]);
  expect((await setup.api.log()).requests).toEqual([]);
});

test('a second click on the samples shows the same rows and keeps what the user wrote beside them', async () => {
  const file = await setup.open();
  file.run('sidebarSamples', []);
  file.type('H3', 'my note');
  file.show('Sheet1');
  file.run('sidebarSamples', []);
  expect(file.world().current.sheet).toBe('Tidemark samples');
  expect(file.values('H3', 'Tidemark samples')).toEqual([['my note']]);
  expect(file.world().sheets).toHaveLength(2);
});
