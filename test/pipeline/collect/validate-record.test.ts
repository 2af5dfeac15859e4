import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Collector, collect, type Source, type SourceAnswer } from '../../../pipeline/collect/collect.ts';
import { coreFields } from '../../../pipeline/records/core.ts';
import { textLimits } from '../../../pipeline/records/limits.ts';
import { count, identifier, profileCore, url } from '../../../pipeline/records/shared.ts';
import { ask, collectorOf, contextWith, type Invented, type Params, record, shape, source } from './collecting.ts';

describe('validating records of sources', () => {
  test('an invalid record is SOURCE_RESPONSE_CHANGED, logs the paths and tries the next source', async () => {
    const failures: (string | null)[] = [];
    const context = contextWith({ refused: (_, { code, reason }) => failures.push(`${code}: ${reason}`) });
    const unfit = source('tiktok-web', { record: { ...record, id: 7 } });
    expect((await ask([unfit, source('tiktok-embed', { record })], context)).source).toBe('tiktok-embed');
    expect(failures).toEqual([expect.stringMatching(/^SOURCE_RESPONSE_CHANGED: .*id \(invalid_type\)/)]);
    await expect(ask([unfit])).rejects.toMatchObject({ code: 'SOURCE_RESPONSE_CHANGED' });
  });

  test.each([
    ['has the wrong type', { ...record, followers: 'many', links: [] }, 'followers'],
    ['is deeply wrong', { ...record, links: [{ url: 'a' }, { url: 1 }] }, 'links'],
    ['is missing', { id: '1', username: 'tidepool', links: [] }, 'followers'],
  ])('a field that %s becomes null with a warning, and the rest is kept', async (_, broken, field) => {
    const answer = await ask([source('tiktok-web', { record: broken })]);
    expect(answer.record).toEqual({ ...record, ...broken, [field]: null });
    expect(answer.partial).toBe(true);
    expect(answer.warnings).toEqual([expect.stringContaining(field)]);
  });

  test.each([
    ['without identity', { ...record, username: 1 }],
    ['with a field of its own', { ...record, other: 1 }],
    ['that is no object', 'words'],
    ['that is nothing', undefined],
  ])('a record %s is an error', async (_, broken) => {
    await expect(ask([source('tiktok-web', { record: broken })])).rejects.toMatchObject({
      code: 'SOURCE_RESPONSE_CHANGED',
    });
  });

  const list = (rows: unknown[], more: Partial<Source<Params, Invented[]>> = {}) => {
    const rowsOf = {
      name: 'tiktok-web',
      credentials: null,
      collect: async () => ({ record: rows as Invented[] }),
      ...more,
    };
    const collector: Collector<Params, Invented[]> = { ...collectorOf(), record: z.array(shape), sources: [rowsOf] };
    return collect(collector, { handle: 'tidepool' }, contextWith());
  };

  test('in a list, invalid fields become null in each row separately', async () => {
    const answer = await list([record, { ...record, followers: -1, links: [] }, { ...record, links: 3 }]);
    expect(answer.record).toEqual([record, { ...record, followers: null, links: [] }, { ...record, links: null }]);
    expect(answer.warnings.map((warning) => warning.split(' ')[0])).toEqual(['1.followers', '2.links']);
    expect(answer.partial).toBe(true);
    await expect(list([record, { ...record, id: 1 }])).rejects.toMatchObject({ code: 'SOURCE_RESPONSE_CHANGED' });
    await expect(list([record, null])).rejects.toMatchObject({ code: 'SOURCE_RESPONSE_CHANGED' });
  });

  const readable = z
    .strictObject({ id: identifier, likes: count, media_url: url })
    .register(coreFields, { fields: ['likes'] });
  const longId = 'a'.repeat(textLimits.identifier + 1);
  const longUrl = `https://example.org/${'a'.repeat(textLimits.url)}`;
  const row = (id: string, mediaUrl: string | null = null, likes: number | null = 1) => {
    return { id, likes, media_url: mediaUrl };
  };
  const readableList = (answer: SourceAnswer<z.infer<typeof readable>[]>) => {
    const rowsOf = { name: 'tiktok-web', credentials: null, collect: async () => answer };
    const collector = { name: 'invented', params: z.custom<Params>(), record: z.array(readable), sources: [rowsOf] };
    return collect(collector, { handle: 'tidepool' }, contextWith());
  };

  test('in a list, only the rows with an ID or a URL that is too long are left out, with a warning', async () => {
    const record = [row(longId), row('1'), row('2', longUrl), row('3', null, null), row('4')];
    const { record: rows, ...answer } = await readableList({
      record,
      quality: { '0.likes': 'rounded', '2.likes': 'rounded', '3.likes': 'hidden', '4.likes': 'rounded' },
      warnings: ['2.likes is old.', '4.likes is old.', 'The list is old.'],
    });
    expect(rows).toEqual([row('1'), row('3', null, null), row('4')]);
    expect(answer).toMatchObject({
      partial: true,
      quality: { '1.likes': 'hidden', '2.likes': 'rounded' },
      warnings: [
        '2.likes is old.',
        'The list is old.',
        'Left out 2 of 5 rows: a text that is too long (id, media_url).',
      ],
    });
  });

  test('a list of a source with fewer fields says so also when a row is incomplete, because other rows can be in other answers', async () => {
    const answer = await readableList({ record: [row('1', null, null), row('2')], partial: true });
    expect(answer.warnings).toEqual([
      'This source has fewer fields than the route: the missing values are empty (null).',
      expect.stringMatching(/^0\.id belongs to a row without its main fields/),
    ]);
  });

  test('a list is refused when all its rows have a text that is too long, and the reason names the field', async () => {
    const answer = { record: [row(longId), row(longId)] };
    await expect(readableList(answer)).rejects.toMatchObject({
      code: 'SOURCE_RESPONSE_CHANGED',
      reason: expect.stringContaining('0.id (too_big)'),
    });
  });

  test('a record with only identity fields is SOURCE_RESPONSE_CHANGED, and a hidden count is data', async () => {
    const hollow = { ...record, followers: null };
    await expect(ask([source('tiktok-web', { record: hollow })])).rejects.toMatchObject({
      code: 'SOURCE_RESPONSE_CHANGED',
    });
    const hidden = source('tiktok-web', { record: hollow, quality: { followers: 'hidden' } });
    expect((await ask([hidden])).record).toEqual(hollow);
  });

  test('a profile without any count is an error', async () => {
    const profile = z
      .strictObject({
        username: z.string(),
        display_name: z.string(),
        followers: z.int().nullable(),
        following: z.int().nullable(),
        posts: z.int().nullable(),
      })
      .register(coreFields, { fields: profileCore });
    const counts = { followers: null, following: null, posts: null };
    const named = { username: 'tidepool', display_name: 'Tide Pool', ...counts };
    const answering = (one: typeof named) =>
      collect(
        {
          name: 'invented',
          params: z.custom<Params>(),
          record: profile,
          sources: [{ ...source('tiktok-web', { record }), collect: async () => ({ record: one }) }],
        },
        { handle: 'tidepool' },
        contextWith(),
      );
    await expect(answering(named)).rejects.toMatchObject({ code: 'SOURCE_RESPONSE_CHANGED' });
    expect((await answering({ ...named, posts: 0 as never })).record.posts).toBe(0);
  });

  test('in a list, a row without data has a warning, and a list of only such rows is an error', async () => {
    const hollow = { ...record, id: '2', followers: null };
    const answer = await list([record, hollow]);
    expect([answer.partial, answer.warnings]).toEqual([
      true,
      ['1.id belongs to a row without its main fields: the source sent this row in an unknown format.'],
    ]);
    await expect(list([hollow, hollow])).rejects.toMatchObject({ code: 'SOURCE_RESPONSE_CHANGED' });
  });

  test('a partial answer always has a warning, whose text also fits in a row of a table', async () => {
    const { partial, warnings } = await ask([source('tiktok-web', { record, partial: true })]);
    const warning = 'This source has fewer fields than the route: the missing values are empty (null).';
    expect([partial, warnings]).toEqual([true, [warning]]);
  });

  test('a null in a field that the source never has gets the quality not_exposed, unless the source sets another quality', async () => {
    const poor = { not_exposed: ['links', 'followers'] };
    const hidden = { record: { ...record, followers: null }, quality: { followers: 'hidden' as const } };
    expect((await ask([source('tiktok-web', hidden, poor)])).quality).toEqual({
      followers: 'hidden',
      links: 'not_exposed',
    });
    expect((await ask([source('tiktok-web', { record }, poor)])).quality).toEqual({ links: 'not_exposed' });
    const rows = [record, { ...record, links: [], followers: null }];
    expect((await list(rows, poor)).quality).toEqual({ '0.links': 'not_exposed', '1.followers': 'not_exposed' });
  });

  test('the validation of a record keeps the warnings and quality of the source', async () => {
    const said = {
      record,
      partial: true,
      warnings: ['region had no effect'],
      quality: { followers: 'rounded' as const },
    };
    expect(await ask([source('tiktok-web', said)])).toMatchObject(said);
  });
});
