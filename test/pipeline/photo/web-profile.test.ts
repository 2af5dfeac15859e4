import { describe, expect, test } from 'vitest';
import type { PhotoPostsParams } from '../../../pipeline/photo/params.ts';
import { newestPost, webPosts } from '../../../pipeline/photo/web/posts.ts';
import { webProfile } from '../../../pipeline/photo/web/profile.ts';
import { photoProfileRecord } from '../../../pipeline/records/photo.ts';
import { fixedAnswers, refusalOf } from './fixed-answers.ts';
import { node, twelveOfMany, user } from './fixtures/web-user.ts';

const handle = 'paper.kite';
const firstPage: PhotoPostsParams = { handle, limit: 5, cursor: null };

async function profile(more: object) {
  return (await webProfile.collect({ handle }, fixedAnswers({ body: user([], more) }).context)).record;
}

describe('the request to web_profile_info of Instagram', () => {
  test('the request to web_profile_info has the headers of the public page and the handle in lower case', async () => {
    const { context, requests } = fixedAnswers({ body: user([]) });
    await webProfile.collect({ handle: '@Paper.Kite' }, context);
    expect(requests).toEqual([
      {
        url: 'https://www.instagram.com/api/v1/users/web_profile_info/?username=paper.kite',
        headers: {
          'x-ig-app-id': '936619743392459',
          accept: 'application/json',
          referer: 'https://www.instagram.com/paper.kite/',
        },
      },
    ]);
  });
});

describe('the Instagram profile from web_profile_info', () => {
  test('the Instagram web profile has the exact counts, and a count of 0 stays 0', async () => {
    const record = photoProfileRecord.parse(await profile({}));
    expect(record).toMatchObject({
      id: '424242',
      followers: 1200,
      following: 0,
      posts: 0,
      follower_count_is_rounded: false,
    });
    expect(record.profile_url).toBe('https://www.instagram.com/paper.kite/');
  });

  test('the Instagram web profile of a private account is returned', async () => {
    expect((await profile({ is_private: true })).private).toBe(true);
  });

  test('the Instagram web profile has null where a key is missing or has the wrong type, never false or 0', async () => {
    const record = await profile({
      is_private: undefined,
      is_verified: 'perhaps',
      edge_followed_by: { count: -5 },
      edge_follow: null,
      edge_owner_to_timeline_media: 'gone',
      profile_pic_url: {},
      profile_pic_url_hd: '',
      biography: '',
    });
    expect(record).toMatchObject({
      private: null,
      verified: null,
      followers: null,
      follower_count_is_rounded: null,
      following: null,
      posts: null,
      avatar_url: null,
      avatar_variants: null,
      bio: '',
      bio_links: null,
      external_url: null,
    });
  });

  test.each([
    [{ is_business_account: true, is_professional_account: true }, 'business'],
    [{ is_business_account: false, is_professional_account: true }, 'creator'],
    [{ is_business_account: false, is_professional_account: false }, 'personal'],
    [{ is_business_account: false }, null],
    [{ is_professional_account: true }, null],
  ])('the account type of the Instagram web profile %j is %s', async (flags, accountType) => {
    expect((await profile(flags)).account_type).toBe(accountType);
  });

  test.each([
    [{ category_name: 'Musician', business_category_name: 'Shops' }, 'Musician'],
    [{ category_name: null, business_category_name: 'Shops' }, 'Shops'],
    [{ business_category_name: 'None', overall_category_name: 'Kites' }, 'Kites'],
    [{ business_category_name: 'None' }, null],
    [{ business_category_name: 'None,Medical & health' }, 'Medical & health'],
    [{ category_name: 'None', business_category_name: 'None, Kites' }, 'Kites'],
    [{ business_category_name: 'Nonesuch,Kites' }, 'Nonesuch,Kites'],
  ])('the category of the Instagram web profile %j is %s', async (names, category) => {
    expect((await profile(names)).category).toBe(category);
  });

  test('links in the bio of the Instagram web profile are the real URLs, not the redirects', async () => {
    const link = { url: 'https://kites.example/', title: '', lynx_url: 'https://l.instagram.com/?u=x' };
    expect((await profile({ bio_links: [link] })).bio_links).toEqual([{ url: link.url, title: null }]);
  });
});

describe('the list of Instagram posts from web_profile_info', () => {
  async function walk(limit: number, body: object) {
    const pages: { ids: (string | null)[]; partial: boolean | undefined }[] = [];
    let cursor: PhotoPostsParams['cursor'] = null;
    do {
      const answer = await webPosts.collect({ handle, limit, cursor }, fixedAnswers({ body }).context);
      pages.push({ ids: answer.record.map((item) => item.id), partial: answer.partial });
      cursor = answer.next ? { source: 'instagram-web', at: answer.next } : null;
    } while (cursor !== null && pages.length < 20);
    return pages;
  }

  test.each([
    [1, 12],
    [5, 3],
    [12, 1],
    [20, 1],
  ])('a limit of %i returns the twelve Instagram posts in %i pages, partial only at the end', async (limit, count) => {
    const pages = await walk(limit, twelveOfMany());
    expect(pages).toHaveLength(count);
    expect(pages.every(({ ids }) => ids.length <= limit)).toBe(true);
    expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(12);
    expect(pages.map(({ partial }) => partial)).toEqual(pages.map((_, index) => index === count - 1));
  });

  test('the Instagram web posts are complete when the source shows all posts of the account', async () => {
    expect(await walk(2, user([node(1), node(2), node(3)]))).toMatchObject([{ partial: false }, { partial: false }]);
  });

  test('the Instagram web posts continue after the post in the cursor when newer posts were added', async () => {
    const { context } = fixedAnswers({ body: user([node(9), node(1), node(2), node(3)]) });
    const before = await webPosts.collect(
      { ...firstPage, limit: 1 },
      fixedAnswers({ body: user([node(1), node(2)]) }).context,
    );
    const after = await webPosts.collect(
      { ...firstPage, cursor: { source: 'instagram-web', at: before.next ?? {} } },
      context,
    );
    expect(after.record.map((item) => item.id)).toEqual(['Inv00000002', 'Inv00000003']);
  });

  test('a missing post in the cursor is an error that says to start again without a cursor', async () => {
    const cursor = { source: 'instagram-web', at: { anchor: '1' } };
    const refusal = await refusalOf(
      webPosts.collect({ ...firstPage, cursor }, fixedAnswers({ body: twelveOfMany() }).context),
    );
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT', about: 'resource' });
    expect(refusal.message).toContain('start again without cursor');
  });

  test('pinned Instagram web posts stay first, in source order', async () => {
    const pinned = node(1, { pinned_for_users: [{ id: '424242' }] });
    const answer = await webPosts.collect(firstPage, fixedAnswers({ body: user([pinned, node(8), node(7)]) }).context);
    expect(answer.record.map((item) => item.id)).toEqual(['Inv00000001', 'Inv00000008', 'Inv00000007']);
  });

  test('the account completes the author of its own Instagram posts, but not of posts by a co-author', async () => {
    const other = node(2, { owner: { id: '7', username: 'someone.else' } });
    const { record } = await webPosts.collect(firstPage, fixedAnswers({ body: user([node(1), other]) }).context);
    expect(record[0]).toMatchObject({ author: handle, author_display_name: 'Paper Kite', author_verified: true });
    expect(record[1]).toMatchObject({
      author: 'someone.else',
      author_id: '7',
      author_display_name: null,
      author_verified: null,
    });
  });

  test('the duration of an Instagram video comes from the list of long videos, else from its manifest, else it is not exposed', async () => {
    const video = { __typename: 'GraphVideo', is_video: true };
    const playable = { ...video, dash_info: { video_dash_manifest: '<MPD mediaPresentationDuration="PT0H0M12.4S">' } };
    const long = { edges: [{ node: node(1, { ...video, video_duration: 12.5 }) }] };
    const nodes = [node(1, playable), node(2, video), node(3, playable)];
    const body = user(nodes, { edge_felix_video_timeline: long });
    const { record, quality } = await webPosts.collect(firstPage, fixedAnswers({ body }).context);
    expect(record.map((item) => item.duration_seconds)).toEqual([12.5, null, 12.4]);
    expect(Object.entries(quality ?? {}).filter(([path]) => path.endsWith('duration_seconds'))).toEqual([
      ['1.duration_seconds', 'not_exposed'],
    ]);
  });

  test('the Instagram web posts of an account without posts are an empty list', async () => {
    expect(await webPosts.collect(firstPage, fixedAnswers({ body: user([]) }).context)).toMatchObject({
      record: [],
      next: null,
    });
  });

  const restricted = { count: 300, page_info: { has_next_page: true }, edges: [] };
  test.each([
    ['of a private account is restricted', { is_private: true }, 'SOURCE_RESTRICTED', 'resource'],
    [
      'with a post count and an empty list is restricted',
      { edge_owner_to_timeline_media: restricted },
      'SOURCE_RESTRICTED',
      'block',
    ],
    ['that is missing is a changed answer', { edge_owner_to_timeline_media: null }, 'SOURCE_RESPONSE_CHANGED', 'us'],
    [
      'with a row without ids is a changed answer',
      { edge_owner_to_timeline_media: { edges: [{ node: {} }] } },
      'SOURCE_RESPONSE_CHANGED',
      'us',
    ],
  ])('a list of Instagram posts %s', async (_name, more, code, about) => {
    const { context } = fixedAnswers({ body: user([], more) });
    expect(await refusalOf(webPosts.collect(firstPage, context))).toMatchObject({ code, about });
  });
});

describe('an Instagram web post of a known author', () => {
  test('an Instagram web post of a known author is found among the newest in one call', async () => {
    const { context, requests } = fixedAnswers({ body: twelveOfMany() });
    expect((await newestPost('Inv00000011', handle, context))?.record).toMatchObject({ id: 'Inv00000011', likes: 111 });
    expect(requests).toHaveLength(1);
  });

  test('an Instagram web post is null when it is not among the newest, and restricted when the account is private', async () => {
    expect(await newestPost('Inv00000099', handle, fixedAnswers({ body: twelveOfMany() }).context)).toBeNull();
    const { context } = fixedAnswers({ body: user([node(1)], { is_private: true }) });
    expect((await refusalOf(newestPost('Inv00000001', handle, context))).about).toBe('resource');
  });
});
