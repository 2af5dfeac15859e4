import { expect, test } from 'vitest';
import { archivedAd } from '../../../pipeline/adlibrary/archived-ad.ts';
import { xPost } from '../../../pipeline/microblog/x-post.ts';
import { xProfile } from '../../../pipeline/microblog/x-user.ts';
import { graphItem, graphProfile } from '../../../pipeline/photo/graph/item.ts';
import { nodeItem } from '../../../pipeline/photo/web/node-item.ts';
import { v1Item } from '../../../pipeline/photo/web/v1-item.ts';
import { commentList } from '../../../pipeline/shortvideo/comments.ts';
import { itemAnswer } from '../../../pipeline/shortvideo/item-struct.ts';
import { fixedAnswers } from '../photo/fixed-answers.ts';

const noIncludes = { users: new Map(), posts: new Map(), media: new Map() };
const node = (text: unknown) => ({ edge_media_to_caption: { edges: [{ node: { text } }] } });

/**
 * The kinds of free text that platforms return, each with a function that converts the text to its field in our record.
 */
const texts: [string, (text: unknown) => unknown][] = [
  ['bio of an Instagram profile of the official API', (text) => graphProfile({ biography: text }).bio],
  ['caption of an Instagram post of the official API', (text) => graphItem({ caption: text }, null).record.caption],
  ['caption of a listed Instagram post', (text) => nodeItem(node(text), null).record.caption],
  ['caption of an Instagram page', (text) => v1Item({ caption: { text } }).record.caption],
  ['caption of a TikTok video', (text) => itemAnswer({ desc: text }, null).record.caption],
  ['bio of a microblog profile', (text) => xProfile({ description: text }).bio],
  ['text of a microblog post', (text) => xPost({ text }, noIncludes).record.text],
  ['body of an ad', (text) => archivedAd({ ad_creative_bodies: [text] }).bodies?.[0] ?? null],
];

test.each(texts)('an empty %s stays empty, and a missing one is null', (_name, read) => {
  expect([read(''), read(undefined), read(null), read(' a ')]).toEqual(['', null, null, ' a ']);
});

test('an empty name, id or address is null', () => {
  const empty = { ig_id: '', username: '', name: '', profile_picture_url: '', website: '' };
  expect(graphProfile(empty)).toMatchObject({
    id: null,
    username: null,
    display_name: null,
    avatar_url: null,
    external_url: null,
  });
});

test('an empty comment stays empty', async () => {
  const body = { status_code: 0, has_more: 0, comments: [{ cid: '1', text: '' }, { cid: '2' }] };
  const params = { id: '7000000000000000401', region: null, limit: 3, cursor: null };
  const { record } = await commentList.collect(params, fixedAnswers({ body }).context);
  expect(record.map(({ text }) => text)).toEqual(['', null]);
});
