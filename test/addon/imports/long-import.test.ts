import { expect, test } from 'vitest';
import { scaled } from '../../harness/proof.ts';
import { goodKey, setUpAddon } from '../spreadsheet-setup.ts';
import { cells, invented, openWithUrls, save, view } from './import-calls.ts';

const setup = setUpAddon();
/** Number of rows of the long import. With `PROOF=long`, 10,000 rows take about two minutes. */
const rows = scaled(1_000, 10_000);
const hourMs = 3_600_000;
const maxPropertyBytes = 500_000;

test('a scheduled import of thousands of rows fills every row in few requests, and its stored properties stay small', async () => {
  const many = invented(rows);
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup);
  file.insertRows(2, rows);
  const { grid } = file.sheetState();
  Object.keys(many).forEach((url, index) => {
    grid[`A${index + 2}`] = { type: 'text', value: url };
  });
  const id = save(file, {
    ...{ source: cells(`A2:A${rows + 1}`), fields: ['followers'] },
    ...{ schedule: { every_hours: 1, weekday: 1 }, max_age: '1d' },
  });
  const before = (await setup.api.log()).requests.length;
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done']);
  expect(view(file, id)).toMatchObject({ run: null, last: { ok: rows, failed: 0 } });
  expect(file.values(`B2:C${rows + 1}`)).toEqual(Object.keys(many).map((_, index) => ['OK', index]));
  const { requests, credits_charged } = await setup.api.log();
  expect(credits_charged).toBe(rows);
  expect(requests.length - before).toBeLessThanOrEqual(0.06 * rows);
  expect(JSON.stringify(file.world().properties.document).length).toBeLessThan(maxPropertyBytes);
}, 600_000);
