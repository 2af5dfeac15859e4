import { describe, expect, test } from 'vitest';
import { longvideoItem } from '../../pipeline/records/longvideo.ts';
import { photoItem } from '../../pipeline/records/photo.ts';
import { fieldProblem, select, selectionOf, trimmed } from '../../server/selection.ts';

describe('trim', () => {
  test('removes null and empty values, and leaves false, zero and text', () => {
    const record = { a: null, b: '', c: [], d: {}, e: 0, f: false, g: 'x', h: [{ i: null, j: 1 }] };
    expect(trimmed(record)).toEqual({ e: 0, f: false, g: 'x', h: [{ j: 1 }] });
  });

  test('keeps empty region-restriction lists, which say something', () => {
    expect(trimmed({ region_restriction: { allowed: [] } })).toEqual({ region_restriction: { allowed: [] } });
    expect(trimmed({ region_restriction: { blocked: [] } })).toEqual({ region_restriction: { blocked: [] } });
    expect(trimmed({ region_restriction: { blocked: ['DE'] } })).toEqual({ region_restriction: { blocked: ['DE'] } });
    expect(trimmed({ region_restriction: null })).toEqual({});
  });
});

describe('fields', () => {
  test('selects dot paths inside arrays and keeps the identity of the record alone', () => {
    const record = { id: '1', username: 'u', likes: 2, children: [{ id: 'c', position: 0, width: 5 }] };
    expect(select(record, selectionOf(['children.position']))).toEqual({
      id: '1',
      username: 'u',
      children: [{ position: 0 }],
    });
  });

  test('a whole field wins over paths inside it, in either order', () => {
    const record = { id: '1', location: { id: 'l', name: 'n' } };
    for (const paths of [
      ['location', 'location.name'],
      ['location.name', 'location'],
    ]) {
      expect(select(record, selectionOf(paths))).toEqual(record);
    }
  });

  test('an unknown path names the nearest field of its own level', () => {
    expect(fieldProblem(photoItem, 'children.positon')).toContain('did you mean position?');
    expect(fieldProblem(photoItem, 'caption.text')).toContain('no fields inside');
    expect(fieldProblem(photoItem, 'children.position')).toBeNull();
    expect(fieldProblem(longvideoItem, 'localizations.de.title')).toBeNull();
  });
});
