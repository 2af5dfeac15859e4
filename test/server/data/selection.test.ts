import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { blank } from '../../../pipeline/parse/values.ts';
import { longvideoItem, playlistEntry } from '../../../pipeline/records/longvideo.ts';
import { photoItem } from '../../../pipeline/records/photo.ts';
import { catalog } from '../../../server/data/catalog.ts';
import type { SourcedRoute } from '../../../server/data/route.ts';
import { fieldProblem, selectFields, selectionOf, trimmed } from '../../../server/data/selection.ts';

const sourced = catalog
  .filter((route): route is SourcedRoute => route.availability !== 'planned')
  .map((route) => [route.path, route] as const);
const page = '/docs/api/v1/photo/post';
/** Routes that have a source whose records have no id. */
const anonymous = ['/v1/longvideo/playlist/items', '/v1/photo/hashtag', '/v1/shortvideo/hashtag'];

describe('trim', () => {
  test('trim removes null and empty values, and leaves false, zero and text', () => {
    const record = { a: null, b: '', c: [], d: {}, e: 0, f: false, g: 'x', h: [{ i: null, j: 1 }] };
    expect(trimmed(record)).toEqual({ e: 0, f: false, g: 'x', h: [{ j: 1 }] });
  });

  test('trim keeps empty region-restriction lists, which have a meaning', () => {
    expect(trimmed({ region_restriction: { allowed: [] } })).toEqual({ region_restriction: { allowed: [] } });
    expect(trimmed({ region_restriction: { blocked: [] } })).toEqual({ region_restriction: { blocked: [] } });
    expect(trimmed({ region_restriction: { blocked: ['DE'] } })).toEqual({ region_restriction: { blocked: ['DE'] } });
    expect(trimmed({ region_restriction: null })).toEqual({});
  });
});

describe('fields', () => {
  test('the parameter fields selects dot paths inside arrays and otherwise keeps only the identity of the record', () => {
    const record = { id: '1', username: 'u', likes: 2, children: [{ id: 'c', position: 0, width: 5 }] };
    expect(selectFields(record, selectionOf(['children.position']))).toEqual({
      id: '1',
      username: 'u',
      children: [{ position: 0 }],
    });
  });

  test('the parameter fields keeps the identity of a playlist entry without an id: its video and position', () => {
    const entry = { ...blank(playlistEntry), content_id: 'example0001', position: 4, title: 'tide' };
    const [row] = selectFields([entry], selectionOf(['title'])) as unknown[];
    expect(row).toEqual({ id: null, content_id: 'example0001', position: 4, title: 'tide' });
    expect(selectFields({ ...entry, id: 'entry' }, selectionOf(['title']))).toEqual({ id: 'entry', title: 'tide' });
  });

  test.each(sourced)(
    'the parameter fields leaves no record of %s without an identity, even where the source gives no id',
    (_, route) => {
      const { record } = route.collector;
      const one = record instanceof z.ZodArray ? record.element : record;
      const full = Object.fromEntries(Object.keys((one as z.ZodObject).shape).map((name) => [name, name]));
      const names = ['id', 'username', 'video_id', 'content_id', 'name'];
      for (const shown of [full, ...('id' in full && anonymous.includes(route.path) ? [{ ...full, id: null }] : [])]) {
        const kept = selectFields(shown, selectionOf(['permalink'])) as Record<string, unknown>;
        expect(names.some((name) => typeof kept[name] === 'string')).toBe(true);
      }
    },
  );

  test('a whole field in the parameter fields includes paths inside it, in either order', () => {
    const record = { id: '1', location: { id: 'l', name: 'n' } };
    for (const paths of [
      ['location', 'location.name'],
      ['location.name', 'location'],
    ]) {
      expect(selectFields(record, selectionOf(paths))).toEqual(record);
    }
  });

  test('an unknown path in the parameter fields names the nearest field of its own level', () => {
    expect(fieldProblem(photoItem, 'children.positon', page)).toContain('did you mean position?');
    expect(fieldProblem(photoItem, 'caption.text', page)).toContain('no fields inside');
    expect(fieldProblem(photoItem, 'children.position', page)).toBeNull();
    expect(fieldProblem(longvideoItem, 'localizations.de.title', page)).toBeNull();
  });

  test('an unknown path in the parameter fields that resembles no field names the page that lists the fields', () => {
    expect(fieldProblem(photoItem, 'shoe_size', page)).toBe(
      'names shoe_size, which this route does not have: /docs/api/v1/photo/post lists its fields',
    );
  });
});
