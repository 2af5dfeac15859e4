import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  blank,
  derivedHashtags,
  derivedMentions,
  dig,
  epochToIso,
  onceEach,
  timeToIso,
  toCount,
  toDecimal,
  toFlag,
  toList,
  toSize,
  toText,
  toUrl,
  unescapeHtml,
} from '../../../pipeline/parse/values.ts';
import { photoProfileRecord } from '../../../pipeline/records/photo.ts';
import { cpuMs } from '../../harness/cpu-time.ts';

const names = (entities: { name: string | null }[] | null) => entities?.map(({ name }) => name);

describe('dig', () => {
  test('dig follows keys and indexes, and returns undefined for a missing part of the path', () => {
    const value = { a: [{ b: null }] };
    expect(dig(value, 'a', 0, 'b')).toBeNull();
    expect(dig(value, 'a', 0, 'b', 'c')).toBeUndefined();
    expect(dig(value, 'a', 1, 'b')).toBeUndefined();
    expect(dig('text', 'length')).toBeUndefined();
    expect(dig(value, 'constructor')).toBeUndefined();
    expect(dig(undefined)).toBeUndefined();
  });
});

describe('conversions return null for unknown values', () => {
  test.each<[(value: unknown) => unknown, unknown, unknown]>([
    [toText, 'a', 'a'],
    [toText, '', null],
    [toText, 12, '12'],
    [toText, 0, '0'],
    [toText, 1e21, null],
    [toText, Number.NaN, null],
    [toText, {}, null],
    [toCount, 0, 0],
    [toCount, '0', 0],
    [toCount, '49505', 49505],
    [toCount, -1, null],
    [toCount, '-1', null],
    [toCount, 1.5, null],
    [toCount, '1.5', null],
    [toCount, '1,204', null],
    [toCount, '', null],
    [toCount, Number.NaN, null],
    [toCount, null, null],
    [toCount, true, null],
    [toCount, [3], null],
    [toCount, '9007199254740993', null],
    [toDecimal, '12.5', 12.5],
    [toDecimal, 0, 0],
    [toDecimal, -0.5, null],
    [toDecimal, Number.POSITIVE_INFINITY, null],
    [toDecimal, '1e3', null],
    [toDecimal, ' 1', null],
    [toSize, 0, null],
    [toSize, '0', null],
    [toSize, '1080', 1080],
    [toFlag, true, true],
    [toFlag, 'false', false],
    [toFlag, 0, null],
    [toFlag, '', null],
    [toList, [1], [1]],
    [toList, { length: 0 }, null],
    [epochToIso, 1763632800, '2025-11-20T10:00:00.000Z'],
    [epochToIso, '1763632800', '2025-11-20T10:00:00.000Z'],
    [epochToIso, 1763632800000, '2025-11-20T10:00:00.000Z'],
    [epochToIso, '1763632800000', '2025-11-20T10:00:00.000Z'],
    [epochToIso, 0, null],
    [epochToIso, 1e15, null],
    [epochToIso, 1e18, null],
    [toUrl, 'https://cdn.example/a.jpg', 'https://cdn.example/a.jpg'],
    [toUrl, ' HTTP://cdn.example/a.jpg\n', 'HTTP://cdn.example/a.jpg'],
    [toUrl, '//cdn.example/a.jpg', 'https://cdn.example/a.jpg'],
    [toUrl, 'tos-maliva-p-0068/a', null],
    [toUrl, 'https://two words', null],
    [toUrl, null, null],
    [epochToIso, '2025-11-20', null],
    [timeToIso, '2019-10-15T16:56:13+0000', '2019-10-15T16:56:13.000Z'],
    [timeToIso, '2026-11-20T01:00:00-08:00', '2026-11-20T09:00:00.000Z'],
    [timeToIso, '2026-11-20T10:00:00.5Z', '2026-11-20T10:00:00.500Z'],
    [timeToIso, '2026-11-20', '2026-11-20'],
    [timeToIso, '2026-02-30', null],
    [timeToIso, '2026-02-30T10:00:00Z', null],
    [timeToIso, '2026-11-20T25:00:00Z', null],
    [timeToIso, '2026-11-20T10:00:00', null],
    [timeToIso, '2 days ago', null],
    [timeToIso, 1763632800, null],
  ])('%o of %j is %j', (convert, value, expected) => {
    expect(convert(value)).toEqual(expected);
  });

  test('no value makes a conversion throw or guess', () => {
    const times = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\.\d{3}Z)?$/;
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const count = toCount(value);
        expect(count === null || (Number.isSafeInteger(count) && count >= 0)).toBe(true);
        expect(toText(value)).not.toBe('');
        for (const time of [epochToIso(value), timeToIso(value)]) expect(time ?? '2026-11-20').toMatch(times);
      }),
    );
  });
});

describe('unescapeHtml', () => {
  test('unescapeHtml removes one level of escapes', () => {
    expect(unescapeHtml('a=1&amp;b=&quot;&#39;&#x1F600;&lt;&gt;&nbsp;&amp;lt;')).toBe('a=1&b="\'😀<>\u00a0&lt;');
  });

  test('unescapeHtml keeps unknown references unchanged', () => {
    const text = '&unknown; &constructor; &#x110000; &#xd800; &#0; & &amp';
    expect(unescapeHtml(text)).toBe(text);
  });
});

describe('hashtags and mentions from text', () => {
  test('hashtags consist of letters, marks, digits and underscores of any script', () => {
    expect(names(derivedHashtags('#Tide #водоросли #हिन्दी #a_1 #2026best'))).toEqual([
      'Tide',
      'водоросли',
      'हिन्दी',
      'a_1',
      '2026best',
    ]);
  });

  test('digits alone, anchors, entities and words before the # sign are not hashtags', () => {
    expect(derivedHashtags('#1 a#b /#c &#39; # #️⃣ #1️⃣')).toEqual([]);
  });

  test('an emoji before the # sign does not hide the hashtag', () => {
    expect(names(derivedHashtags('❤️#sea 🌊#wave'))).toEqual(['sea', 'wave']);
  });

  test('mentions lose trailing dots, and email addresses are not mentions', () => {
    expect(names(derivedMentions('hi @rock.pool. @a_b... mail me@example.com @', 'photo'))).toEqual([
      'rock.pool',
      'a_b',
    ]);
  });

  test.each([
    'https://www.tiktok.com/@mrbeast',
    'tiktok.com/@mrbeast/video/1',
    'more on www.tiktok.com/@mrbeast.',
    '(https://youtube.com/@mrbeast?si=1)',
    'mail info-@mrbeast.example or a.b+c@mrbeast.example',
  ])('a name inside a link or a mail address is not a mention: %s', (text) => {
    for (const platform of ['photo', 'shortvideo', 'longvideo', 'microblog'] as const) {
      expect(derivedMentions(text, platform)).toEqual([]);
    }
  });

  test('mentions next to links, slashes and punctuation are found', () => {
    const text = 'with @a.b/@c, thanks...@dee -@eff (@gee) tiktok.com/@none @hhh';
    expect(names(derivedMentions(text, 'photo'))).toEqual(['a.b', 'c', 'dee', 'eff', 'gee', 'hhh']);
  });

  test('a mentioned name has only the characters of its platform', () => {
    const text = 'hi @sea-kelp·reef_1. and @Größe, @مرجان';
    expect(names(derivedMentions(text, 'longvideo'))).toEqual(['sea-kelp·reef_1', 'Größe', 'مرجان']);
    expect(names(derivedMentions('@sea.kelp-reef', 'photo'))).toEqual(['sea.kelp']);
    expect(names(derivedMentions('@sea_kelp.reef', 'microblog'))).toEqual(['sea_kelp']);
  });

  test('hashtags and mentions of a long text without spaces are read in little CPU time', async () => {
    const spent = await cpuMs(() => {
      for (const part of ['a.', 'a@', '@a', 'a-', 'a/@', '.']) derivedMentions(part.repeat(20_000), 'longvideo');
    });
    expect(spent).toBeLessThan(2_000);
  });

  test('each hashtag and mention of a text occurs once, as first written, derived from text and without an id', () => {
    expect(derivedHashtags('#Sea #SEA #sea')).toEqual([{ name: 'Sea', id: null, source: 'derived_text' }]);
    expect(derivedMentions('@Sea @sea', 'photo')).toEqual([{ name: 'Sea', id: null, source: 'derived_text' }]);
  });

  test('onceEach keeps order and spelling of the first occurrence, and takes id and source from the platform', () => {
    const written = { name: 'Sea', id: null, source: 'derived_text' } as const;
    const kelp = { name: 'kelp', id: null, source: 'platform' } as const;
    const linked = { name: 'SEA', id: '12', source: 'platform' } as const;
    expect(onceEach([written, kelp, linked, { ...linked, id: '13' }, { ...written, name: 'sea' }])).toEqual([
      { name: 'Sea', id: '12', source: 'platform' },
      kelp,
    ]);
  });

  test('hashtags and mentions are null for a missing text, and an empty list for a text without names', () => {
    expect(derivedHashtags(null)).toBeNull();
    expect(derivedMentions(null, 'photo')).toBeNull();
    expect(derivedHashtags('')).toEqual([]);
    expect(derivedMentions('', 'photo')).toEqual([]);
  });
});

test('blank returns a valid record of a schema with every field null', () => {
  const record = blank(photoProfileRecord);
  expect(photoProfileRecord.parse(record)).toEqual(record);
  expect(new Set(Object.values(record))).toEqual(new Set([null]));
});
