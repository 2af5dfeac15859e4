import { expect, test } from 'vitest';
import { renamedKeys, renamedPaths } from './renamed-keys.ts';

test('renamedPaths renames each key on the path to a value once, in every element of a list', () => {
  const body = { page: { rows: [{ video: { id: 'a' } }, { video: { id: 'b' } }, { other: 1 }] }, more: 'c' };
  const copies = [...renamedPaths(body, (value) => value === 'a' || value === 'b')];
  expect(copies.map(({ path }) => path)).toEqual(['page', 'page.rows', 'page.rows.*.video', 'page.rows.*.video.id']);
  expect(JSON.parse(String(copies[2]?.body))).toEqual({
    page: { rows: [{ videoRenamed: { id: 'a' } }, { videoRenamed: { id: 'b' } }, { other: 1 }] },
    more: 'c',
  });
  expect(body.page.rows[0]).toEqual({ video: { id: 'a' } });
});

test('renamedPaths yields nothing when no value matches', () => {
  expect([...renamedPaths({ rows: [{ id: 'a' }] }, () => false)]).toEqual([]);
});

test('renamedKeys renames each key once, everywhere in the value', () => {
  const body = { 'a"b': [{ id: 'ä' }, [{ id: null, other: {} }]], id: [] };
  const copies = Array.from(renamedKeys(body), (copy) => [copy.key, JSON.parse(String(copy.body))]);
  expect(copies).toEqual([
    ['a"b', { 'a"bV2': body['a"b'], id: [] }],
    ['id', { 'a"b': [{ idV2: 'ä' }, [{ idV2: null, other: {} }]], idV2: [] }],
    ['other', { 'a"b': [{ id: 'ä' }, [{ id: null, otherV2: {} }]], id: [] }],
  ]);
});
