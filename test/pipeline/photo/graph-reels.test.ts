import { describe, expect, test } from 'vitest';
import type { SourceCursor } from '../../../pipeline/collect/collect.ts';
import { photoReels, photoUserReels } from '../../../pipeline/photo/collectors.ts';
import { graphReels } from '../../../pipeline/photo/graph/reels.ts';
import { photoItem } from '../../../pipeline/records/photo.ts';
import { type FixedAnswer, fixedAnswers, refusalOf } from './fixed-answers.ts';
import { discovery, graphError, graphMedia } from './fixtures/graph.ts';

const handle = 'paper.kite';
const fieldsOf = (url: string | undefined) => new URL(url ?? '').searchParams.get('fields') ?? '';
const post = (index: number) => graphMedia(index);
const reel = (index: number, more: object = {}) =>
  graphMedia(index, { media_type: 'VIDEO', media_product_type: 'REELS', ...more });
const page = (media: object[], after: string | null): FixedAnswer => ({ body: discovery(media, after) });
const code = (index: number) => `Inv${String(index).padStart(8, '0')}`;

async function collected(limit: number, answers: FixedAnswer[], at?: SourceCursor) {
  const { context, requests } = fixedAnswers(...answers);
  const cursor = at === undefined ? null : { source: 'instagram-graph', at };
  const answer = await graphReels.collect({ handle, limit, cursor }, context);
  return { ...answer, ids: answer.record.map((item) => photoItem.parse(item).id), requests };
}

describe('the reels of an Instagram account', () => {
  test('the reels of an Instagram account are its media with the product type of reels, in source order', async () => {
    const video = graphMedia(3, { media_type: 'VIDEO' });
    const { ids, next, partial, requests } = await collected(20, [page([reel(1), post(2), video, reel(4)], null)]);
    expect(ids).toEqual([code(1), code(4)]);
    expect([next, partial, requests.length]).toEqual([null, false, 1]);
  });

  test('the reels of an Instagram account are searched page by page until there are enough', async () => {
    const answers = [page([post(1), reel(2)], 'one'), page([post(3)], 'two'), page([reel(4), reel(5)], 'three')];
    const { ids, next, partial, requests } = await collected(2, answers);
    expect(ids).toEqual([code(2), code(4)]);
    expect([next, partial]).toEqual([{ after: 'two', skip: 1 }, false]);
    expect(requests.map(({ url }) => /media\.limit\(50\)(?:\.after\((\w+)\))?\{/.exec(fieldsOf(url))?.[1])).toEqual([
      undefined,
      'one',
      'two',
    ]);
  });

  test('the reels of an Instagram account are partial when three pages have fewer than requested, and continue after them', async () => {
    const answers = [page([reel(1)], 'one'), page([post(2)], 'two'), page([post(3)], 'three')];
    const { ids, next, partial, requests } = await collected(2, answers);
    expect([ids, next, partial]).toEqual([[code(1)], { after: 'three', skip: 0 }, true]);
    expect(requests).toHaveLength(3);
  });

  test('the reels of an Instagram account are each returned once when every cursor is followed until null', async () => {
    const one = page([reel(1), post(2), reel(3), reel(4)], 'one');
    const two = page([post(5), reel(6)], null);
    const seen: (string | null)[][] = [];
    let at: SourceCursor | null | undefined;
    for (const answers of [[one], [one, two]]) {
      const { ids, next } = await collected(2, answers, at ?? undefined);
      seen.push(ids);
      at = next;
    }
    expect([seen, at]).toEqual([
      [
        [code(1), code(3)],
        [code(4), code(6)],
      ],
      null,
    ]);
  });

  test('the reels of an Instagram account end when the source repeats its cursor', async () => {
    const { ids, next } = await collected(5, [page([reel(1)], 'same'), page([reel(2)], 'same')]);
    expect([ids, next]).toEqual([[code(1), code(2)], null]);
  });

  test('the reels of an Instagram account keep hidden likes null and marked, by row', async () => {
    const { record, quality } = await collected(2, [
      page([post(1), reel(2), reel(3, { like_count: undefined })], null),
    ]);
    expect(record.map((item) => item.likes)).toEqual([102, null]);
    expect(quality).toMatchObject({ '1.likes': 'hidden' });
    expect(quality).not.toHaveProperty(['0.likes']);
  });

  test('the reels of an Instagram account are an error when a video has no product type', async () => {
    const { context } = fixedAnswers(
      page([graphMedia(1, { media_type: 'VIDEO', media_product_type: undefined })], null),
    );
    const refusal = await refusalOf(graphReels.collect({ handle, limit: 2, cursor: null }, context));
    expect(refusal).toMatchObject({ code: 'SOURCE_RESPONSE_CHANGED', about: 'us' });
  });

  test('the reels of an Instagram account always request the product type, although other fields may be omitted', async () => {
    const fault = { status: 400, body: graphError(100, undefined, 'nonexisting field (view_count)') };
    const { requests } = await collected(1, [fault, page([reel(1)], null)]);
    expect(requests.map(({ url }) => /view_count/.test(fieldsOf(url)))).toEqual([true, false]);
    expect(requests.every(({ url }) => fieldsOf(url).includes('media_product_type'))).toBe(true);
  });

  test('the reels of both Instagram routes come from the official source alone', () => {
    for (const collector of [photoReels, photoUserReels]) expect(collector.sources).toEqual([graphReels]);
  });
});
