import { expect, test } from 'vitest';
import { renamedPaths } from './renamed-keys.ts';

test('renamedPaths renames each key on the path to a value once, in every element of a list', () => {
  const body = { page: { rows: [{ video: { id: 'a' } }, { video: { id: 'b' } }, { other: 1 }] }, more: 'c' };
  const copies = [...renamedPaths(body, (value) => value === 'a' || value === 'b')];
  expect(copies.map(({ path }) => path)).toEqual(['page', 'page.rows', 'page.rows.*.video', 'page.rows.*.video.id']);
  expect(copies[2]?.body).toEqual({
    page: { rows: [{ videoRenamed: { id: 'a' } }, { videoRenamed: { id: 'b' } }, { other: 1 }] },
    more: 'c',
  });
  expect(body.page.rows[0]).toEqual({ video: { id: 'a' } });
});

test('renamedPaths yields nothing when no value matches', () => {
  expect([...renamedPaths({ rows: [{ id: 'a' }] }, () => false)]).toEqual([]);
});
