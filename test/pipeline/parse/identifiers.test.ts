import { expect, test } from 'vitest';
import {
  channelHandleFormat,
  longvideoVideoIdFormat,
  photoHandleFormat,
  photoPostIdFormat,
  shortvideoHandleFormat,
  shortvideoVideoIdFormat,
} from '../../../pipeline/parse/identifiers.ts';

test.each([
  [
    'Instagram handle',
    photoHandleFormat,
    ['a', '@a', 'A.b_1', 'a'.repeat(30)],
    ['', '@', 'a b', 'a-b', 'a'.repeat(31), '@@a', 'a\n'],
  ],
  ['Instagram post id', photoPostIdFormat, ['abcde', 'a'.repeat(32), 'B-N_j'], ['abcd', 'a'.repeat(33), 'abc.de']],
  ['TikTok handle', shortvideoHandleFormat, ['ab', '@ab', 'a'.repeat(24)], ['a', '@a', 'a'.repeat(25), 'a-b']],
  [
    'TikTok video id',
    shortvideoVideoIdFormat,
    ['1234567890', '1'.repeat(24)],
    ['123456789', '1'.repeat(25), '12345678a0', '١٢٣٤٥٦٧٨٩٠'],
  ],
  [
    'YouTube channel handle',
    channelHandleFormat,
    ['abc', '@a.b', 'море', 'a·b-c'],
    ['ab', 'a b c', 'a/bc', 'a'.repeat(31)],
  ],
  ['YouTube video id', longvideoVideoIdFormat, ['abc-DEF_123'], ['abc-DEF_12', 'abc-DEF_1234', 'abc DEF_123']],
])('the pattern of an identifier accepts the valid examples and no other: %s', (_name, { pattern }, good, bad) => {
  expect(good.filter((value) => !pattern.test(value))).toEqual([]);
  expect(bad.filter((value) => pattern.test(value))).toEqual([]);
});

test('a handle is normalized to lower case without @', () => {
  expect(
    [photoHandleFormat, shortvideoHandleFormat, channelHandleFormat].map(({ normalize }) => normalize('@TidePool')),
  ).toEqual(Array(3).fill('tidepool'));
});
