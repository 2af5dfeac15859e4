import { expect, test } from 'vitest';
import { type LinkInput, readLinkInput } from '../../../pipeline/links/input.ts';

const now = new Date('2026-11-02T10:00:00Z');
const input: LinkInput = {
  ...{ label: 'Weekly', shows: 'list', week: '', urls: [], fields: [], posts: '', refresh: '', cap: '', expires: '' },
};

test('a data link with an expiry date that does not exist is refused', () => {
  expect(readLinkInput({ ...input, expires: '2027-02-28' }, now).expires_at).toEqual(new Date('2027-02-28T23:59:59Z'));
  expect(() => readLinkInput({ ...input, expires: '2027-02-30' }, now)).toThrow(
    'The expiry date must be in the future',
  );
});

test('a data link for the week of a day that does not exist is refused', () => {
  const shows = 'report:0190a0b0-0000-7000-8000-000000000000:items';
  expect(readLinkInput({ ...input, shows, week: '2026-02-28' }, now).content).toMatchObject({ week: '2026-02-23' });
  expect(() => readLinkInput({ ...input, shows, week: '2026-02-30' }, now)).toThrow(
    'Enter the week as one of its days',
  );
});

test('a data link without a number of posts shows as many posts as a formula and a sheet import without a number', () => {
  const urls = ['https://www.instagram.com/someone/'];
  const postsOf = (posts: string) => readLinkInput({ ...input, shows: 'posts', urls, posts }, now).content;
  expect(postsOf('')).toMatchObject({ limit: 3 });
  expect(postsOf('20')).toMatchObject({ limit: 20 });
  expect(() => postsOf('21')).toThrow('The number of posts must be between 1 and 20.');
});
