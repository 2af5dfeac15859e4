import { describe, expect, it } from 'vitest';
import {
  isRoundedFollowers,
  officialCount,
  secondsOfDuration,
  shownAmount,
} from '../../../pipeline/longvideo/amounts.ts';

describe('counts that the YouTube website shows', () => {
  it.each([
    ['12,345 views', 12345, false],
    ['31 views', 31, false],
    ['1 video', 1, false],
    ['77 subscribers', 77, false],
    ['19', 19, false],
    ['No views', 0, false],
    ['No subscribers', 0, false],
    ['1.25m subscribers', 1_250_000, true],
    ['6.54k subscribers', 6_540, true],
    ['1.3B', 1_300_000_000, true],
    ['1.3bn views', 1_300_000_000, true],
    ['4.1K', 4_100, true],
    ['21\u00a0k videos', 21_000, true],
  ])('the count %o of the YouTube website is %i, rounded %o', (text, count, rounded) => {
    expect(shownAmount(text)).toEqual({ count, rounded });
  });

  it.each([
    '12.345',
    '1,25 Mio. Abonnenten',
    '12,5 K suscriptores',
    '12.345 visualizaciones',
    'Like',
    'No',
    'No idea',
    'Me gusta',
    '',
    null,
  ])('the text %o of the YouTube website is refused, because it is not an English count', (text) => {
    expect(shownAmount(text)).toEqual({ count: null, rounded: null });
  });
});

describe('counts of the official YouTube source', () => {
  it('counts of the official YouTube source are decimal strings, and anything else is a changed answer', () => {
    expect(officialCount('1234567')).toBe(1234567);
    expect(officialCount('0')).toBe(0);
    expect(officialCount(undefined)).toBeNull();
    expect(() => officialCount('12k')).toThrow(expect.objectContaining({ code: 'SOURCE_RESPONSE_CHANGED' }));
  });

  it('subscriber counts of YouTube from 1,000 up are rounded when they have at most three significant digits', () => {
    expect([null, 0, 120, 999].map(isRoundedFollowers)).toEqual([null, false, false, false]);
    expect([1000, 1230, 2_290_000, 74_300_000].map(isRoundedFollowers)).toEqual([true, true, true, true]);
    expect([1234, 1_927_873].map(isRoundedFollowers)).toEqual([false, false]);
  });
});

describe('an ISO 8601 duration', () => {
  it.each([
    ['PT10M5S', 605],
    ['PT2H', 7200],
    ['P1DT2H', 93_600],
    ['PT1S', 1],
    ['P3W3DT20H31M21S', 2_147_481],
    ['P1W', 604_800],
    ['P0D', 0],
  ])('the ISO 8601 duration %s has %i seconds', (text, seconds) => {
    expect(secondsOfDuration(text)).toBe(seconds);
  });

  it.each(['P', 'PT', 'P1Y', '53:53', '', null])('the text %o is no duration, so the parser returns null', (text) => {
    expect(secondsOfDuration(text)).toBeNull();
  });
});
