import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { comment } from '../../../pipeline/records/shared.ts';
import { commentList, replyList } from '../../../pipeline/shortvideo/comments.ts';
import { refusal, upstream } from './upstream.ts';

const id = '7000000000000000501';
const first = { id, region: null, limit: 3, cursor: null };

function row(cid: string, more: Record<string, unknown> = {}) {
  return { cid, aweme_id: id, text: `text ${cid}`, reply_id: '0', digg_count: 1, create_time: 1770000000, ...more };
}

function listOf(body: Record<string, unknown>) {
  return upstream({ '/api/comment/list/': JSON.stringify({ status_code: 0, ...body }) });
}

describe('TikTok comments', () => {
  it('TikTok comments are requested once with offset and count, and with the video as referer', async () => {
    const { context, requests } = listOf({ comments: null, has_more: 0 });
    const cursor = { source: 'tiktok-comments', at: { offset: 40 } };
    expect(await commentList.collect({ ...first, limit: 7, cursor }, context)).toMatchObject({
      record: [],
      next: null,
    });
    expect(requests).toHaveLength(1);
    const url = new URL(requests[0]?.url ?? '');
    expect(url.pathname).toBe('/api/comment/list/');
    expect(Object.fromEntries(url.searchParams)).toEqual({ aweme_id: id, count: '7', cursor: '40', aid: '1988' });
    expect(requests[0]?.headers).toMatchObject({ referer: `https://www.tiktok.com/@_/video/${id}` });
  });

  it('TikTok comments have the fields of the platform, and null for missing ones', async () => {
    const user = {
      uid: '7000000000000000511',
      unique_id: 'a.visitor',
      nickname: 'A',
      avatar_thumb: { url_list: ['https://cdn.example/v'] },
    };
    const comments = [
      row('7000000000000000521', { text: '', reply_comment_total: 0, digg_count: 0, user }),
      { cid: '2' },
    ];
    const { record } = await commentList.collect(first, listOf({ comments, has_more: 0 }).context);
    expect(z.array(comment).parse(record)[0]).toEqual({
      id: '7000000000000000521',
      content_id: id,
      parent_comment_id: null,
      text: '',
      likes: 0,
      reply_count: 0,
      author_id: '7000000000000000511',
      author_username: 'a.visitor',
      author_display_name: 'A',
      author_avatar_url: 'https://cdn.example/v',
      author_profile_url: 'https://www.tiktok.com/@a.visitor',
      published_at: '2026-02-02T02:40:00.000Z',
      updated_at: null,
      image_url: null,
      image_url_retrieved_at: null,
      image_url_expires_at: null,
    });
    expect(Object.values(record[1] ?? {}).filter((value) => value !== null)).toEqual(['2', id]);
  });

  it.each(['origin_url', 'crop_url'])('the picture of a TikTok comment has a URL and its expiry: %s', async (key) => {
    const url = 'https://cdn.example/picture.image?x-expires=1801825200&x-signature=invented';
    const picture = { [key]: { url_list: [url, 'https://cdn.example/other'] } };
    const comments = [row('1', { text: '', image_list: [picture] }), row('2', { image_list: null })];
    const { record } = await commentList.collect(first, listOf({ comments, has_more: 0 }).context);
    expect(record).toMatchObject([
      {
        image_url: url,
        image_url_retrieved_at: '2026-11-20T10:00:00.000Z',
        image_url_expires_at: '2027-02-05T11:00:00.000Z',
      },
      { image_url: null, image_url_retrieved_at: null, image_url_expires_at: null },
    ]);
    expect([commentList.not_exposed, replyList.not_exposed]).toEqual([['updated_at'], ['reply_count', 'updated_at']]);
  });

  it('TikTok comments and replies belong to the requested video and comment when they name none', async () => {
    const replies = { comment_id: '8', video_id: id, region: null, limit: 3, cursor: null };
    const { context } = listOf({ comments: [{ cid: '9', reply_id: '0' }], has_more: 0 });
    expect((await replyList.collect(replies, context)).record).toMatchObject([
      { id: '9', content_id: id, parent_comment_id: '8' },
    ]);
  });

  it('the author of a TikTok comment has the first picture that exists', async () => {
    const user = { avatar_thumb: { url_list: [] }, avatar_medium: { url_list: ['//cdn.example/m'] } };
    const { record } = await commentList.collect(
      first,
      listOf({ comments: [row('1', { user })], has_more: 0 }).context,
    );
    expect(record[0]?.author_avatar_url).toBe('https://cdn.example/m');
  });

  it('TikTok comments keep ids beyond 2^53 that are sent as numbers', async () => {
    const body = `{"status_code":0,"has_more":0,"comments":[{"cid":7000000000000000523,"reply_id":7000000000000000522}]}`;
    const { record } = await commentList.collect(first, upstream({ '/api/': body }).context);
    expect(record[0]).toMatchObject({ id: '7000000000000000523', parent_comment_id: '7000000000000000522' });
  });

  it('a TikTok comment occurs once in a page', async () => {
    const comments = [row('1'), row('2'), row('1')];
    const { record } = await commentList.collect(first, listOf({ comments, has_more: 0, cursor: 3 }).context);
    expect(record.map((one) => one.id)).toEqual(['1', '2']);
  });

  it('TikTok comments end when has_more is 0, not at a short page', async () => {
    const short = await commentList.collect(first, listOf({ comments: [row('1')], has_more: 1, cursor: 3 }).context);
    expect(short).toMatchObject({ next: { offset: 3 }, partial: true });
    const last = await commentList.collect(first, listOf({ comments: [row('1')], has_more: 0, cursor: 3 }).context);
    expect(last).toMatchObject({ next: null, partial: false });
  });

  it('TikTok comments are kept when TikTok does not say where the list continues', async () => {
    const { context } = listOf({ comments: [row('1')], has_more: 1 });
    const answer = await commentList.collect(first, context);
    expect(answer).toMatchObject({ record: [{ id: '1' }], next: null, partial: true });
    expect(answer.at_end).toContain('did not say where the list continues');
  });

  it('TikTok comments are at most `limit`, and the others come with the next page', async () => {
    const comments = [row('1'), row('2'), row('1'), row('3'), row('4')];
    const cursor = { source: 'tiktok-comments', at: { offset: 10 } };
    const { context } = listOf({ comments, has_more: 0, cursor: 15 });
    const { record, next, partial } = await commentList.collect({ ...first, cursor }, context);
    expect(record.map((one) => one.id)).toEqual(['1', '2', '3']);
    expect([next, partial ?? false]).toEqual([{ offset: 14 }, false]);
  });

  it.each([
    ['an empty body is a throttle', '', 429, 'us'],
    ['a challenge instead of JSON', '<html><p class="_wafchallengeid"></p></html>', 403, 'block'],
    ['another page instead of JSON', '<html></html>', 422, 'us'],
    ['invalid JSON', 'sorry', 422, 'us'],
    ['an answer without a list', '{"status_code":0}', 422, 'us'],
    ['a comment without an id', '{"status_code":0,"comments":[{"text":"x"}]}', 422, 'us'],
    ['a list whose cursor does not advance', '{"status_code":0,"comments":null,"has_more":1,"cursor":0}', 422, 'us'],
    ['a missing video', '{"status_code":10204}', 404, 'resource'],
  ])('an answer to a request for TikTok comments has its own error: %s', async (_, body, status, about) => {
    expect(await refusal(commentList.collect(first, upstream({ '/api/': body }).context))).toEqual([status, about]);
  });

  it('a cursor of TikTok comments needs an offset', async () => {
    const cursor = { source: 'tiktok-comments', at: { after: '1' } };
    const { context, requests } = listOf({ comments: [] });
    expect(await refusal(commentList.collect({ ...first, cursor }, context))).toEqual([400, 'resource']);
    expect(requests).toHaveLength(0);
  });
});

describe('replies to TikTok comments', () => {
  it('TikTok replies are requested by video and comment, and have their parent', async () => {
    const { context, requests } = listOf({ comments: [row('9', { reply_id: '8' })], has_more: 1, cursor: 3 });
    const params = { comment_id: '8', video_id: id, region: null, limit: 3, cursor: null };
    const { record, next } = await replyList.collect(params, context);
    expect(record).toMatchObject([{ id: '9', parent_comment_id: '8', reply_count: null }]);
    expect(next).toEqual({ offset: 3 });
    const url = new URL(requests[0]?.url ?? '');
    expect(url.pathname).toBe('/api/comment/list/reply/');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      item_id: id,
      comment_id: '8',
      count: '3',
      cursor: '0',
      aid: '1988',
    });
    expect(replyList.not_exposed).toContain('reply_count');
  });
});
