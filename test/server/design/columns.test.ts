import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { controlsColumn, table, titleColumn } from '../../../server/dashboard/ui/components.ts';
import { dataTable } from '../../../server/dashboard/ui/parts/data-table.ts';

const root = new URL('../../../', import.meta.url);

/** Returns the class of the cells of each column in the first row of a table. */
const classesIn = (html: string) =>
  [...(/<tbody>(?<row>.*?)<\/tr>/s.exec(html)?.groups?.row?.matchAll(/<td(?: class="([^"]*)")?/g) ?? [])].map(
    ([, name]) => name ?? '',
  );

test('the width of a table column comes from the description of the column, and a new heading keeps it', async () => {
  const columns = (heading: string) => [
    titleColumn(heading),
    { heading: 'Credits', number: true },
    { heading: 'Read', time: true },
    { heading: 'Reason', long: true },
    { heading: 'Payment', wide: true },
    'Status',
    controlsColumn,
  ];
  const shown = async (heading: string) => String(await table('Rows', columns(heading), [[1, 2, 3, 4, 5, 6, 7]]));
  expect(classesIn(await shown('Name'))).toEqual(['title', 'number', 'time', 'long', 'wide', '', 'controls']);
  expect(classesIn(await shown('Another name'))).toEqual(classesIn(await shown('Name')));
});

test('a table with check boxes has them in the corner of the card, beside the name of its row', async () => {
  const shown = dataTable({
    ...{ id: 'rows', caption: 'Rows', total: 1, page_size: 10, empty: '', facts: '' },
    columns: [
      { heading: 'Item', title: true },
      { heading: 'Line', number: true, position: true },
    ],
    rows: [{ id: '1', label: 'one', cells: ['one', 1] }],
    url: new URL('http://localhost/rows'),
    bulk: { action: '/dashboard/tracking', buttons: '', visitor: { role: 'owner', is_operator: false } },
  });
  expect(classesIn(String(await shown))).toEqual(['corner', 'title', 'number position']);
});

test('no style rule depends on the heading of a table column, because a changed heading would lose the rule', () => {
  const sheets = globSync('server/**/*.css', { cwd: root.pathname });
  expect(sheets.length).toBeGreaterThan(5);
  const found = sheets.filter((path) => readFileSync(new URL(path, root), 'utf8').includes('[data-label'));
  expect(found).toEqual([]);
});
