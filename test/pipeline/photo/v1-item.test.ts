import { describe, expect, test } from 'vitest';
import { v1Item } from '../../../pipeline/photo/web/v1-item.ts';
import { photoItem } from '../../../pipeline/records/photo.ts';
import { carousel, media, picture } from './fixtures/v1-media.ts';

const item = (more: object) => photoItem.parse(v1Item(media(more)).record);
const address = (name: string) => `https://scontent.cdninstagram.com/invented/${name}.jpg?oe=6B000000`;

describe('Instagram media in the v1 format', () => {
  test('the preview of v1 media is the widest picture with the ratio of the original, not a square of the same width', () => {
    expect(item({}).media_url).toBe(address('full'));
  });

  test('the preview of v1 media is the first picture when no ratio matches or the original size is unknown', () => {
    expect(item({ original_width: 0 }).media_url).toBe(address('square'));
    expect(item({ image_versions2: { candidates: [picture('a', 10, 10), picture('b', 20, 20)] } }).media_url).toBe(
      address('a'),
    );
  });

  test('the preview of v1 media is display_uri when there are no pictures', () => {
    const record = item({ image_versions2: undefined, display_uri: address('uri') });
    expect(record.media_url).toBe(address('uri'));
    expect(record.media_assets).toMatchObject([{ url: address('uri'), asset_type: 'image', variant: 'display_uri' }]);
  });

  test('the video of v1 media is the widest version, the first on a tie', () => {
    const version = (name: string, width: number) => ({ url: address(name), width, height: 1, type: 101 });
    const videoVersions = [version('a', 480), version('b', 720), version('c', 720)];
    const record = item({
      media_type: 2,
      video_versions: videoVersions,
      video_duration: 3.5,
      play_count: 9,
      ig_play_count: 7,
    });
    expect(record).toMatchObject({ media_type: 'video', video_url: address('b'), duration_seconds: 3.5, views: 9 });
    expect(record.media_assets?.filter((asset) => asset.asset_type === 'video')).toHaveLength(3);
  });

  test('hidden likes and views of v1 media are null and marked hidden, even when the source sends a number', () => {
    const video = (more: object) => v1Item(media({ media_type: 2, video_duration: 3.5, ...more }));
    const { record, quality } = video({ like_and_view_counts_disabled: true, play_count: 9 });
    expect(record).toMatchObject({ likes: null, views: null, comments: 0 });
    expect(quality).toEqual({ likes: 'hidden', views: 'hidden' });
    expect(v1Item(media({ like_count: -1 })).quality).toEqual({ likes: 'hidden' });
    expect(v1Item(media({ like_and_view_counts_disabled: true })).quality).toEqual({ likes: 'hidden' });
    const shown = video({ like_count: -1, play_count: 9 });
    expect([shown.record.views, shown.quality]).toEqual([9, { likes: 'hidden' }]);
    const unseen = video({ like_count: -1, play_count: 0 });
    expect([unseen.record.views, unseen.quality]).toEqual([null, { likes: 'hidden', views: 'hidden' }]);
  });

  test('the views of v1 media are the first existing of the three counts', () => {
    expect(item({ play_count: null, ig_play_count: 7, view_count: 5 }).views).toBe(7);
    expect(item({ view_count: 5 }).views).toBe(5);
    expect(item({}).views).toBeNull();
  });

  test('the type of v1 media may be a name when its number is missing', () => {
    const named = (name: string) => item({ media_type: undefined, __typename: `XIGPolaris${name}Media` }).media_type;
    expect(['Image', 'Photo', 'Video', 'Carousel', 'Other'].map(named)).toEqual([
      'image',
      'image',
      'video',
      'carousel',
      null,
    ]);
    expect(item({ media_type: 77 }).media_type).toBeNull();
  });

  test('a v1 carousel without pictures of its own has the pictures and the size of its first item', () => {
    const none = { image_versions2: undefined, original_width: undefined, original_height: undefined };
    const { record } = v1Item(carousel(none));
    expect(record).toMatchObject({ media_url: address('first'), width: 1080, height: 1080, video_url: null });
    expect(record.media_assets).toMatchObject([
      { url: address('first'), width: 1080, height: 1080, asset_type: 'image' },
    ]);
    expect(v1Item(carousel({ ...none, carousel_media: undefined })).record).toMatchObject({
      width: null,
      media_assets: null,
    });
  });

  test('a v1 carousel has the size of its first item, because its own is not always that of a picture', () => {
    const ownSize = { original_width: 612, original_height: 612 };
    expect(item({ ...carousel(ownSize) })).toMatchObject({ width: 1080, height: 1080 });
    expect(item({ ...carousel({ ...ownSize, carousel_media: undefined }) })).toMatchObject({ width: 612 });
    const half = [{ media_type: 1, original_width: 1080 }];
    expect(item({ ...carousel({ ...ownSize, carousel_media: half }) })).toMatchObject({ width: 612, height: 612 });
  });

  test('the tagged users of a v1 carousel are those of its items, each once', () => {
    const tagging = (...pks: number[]) => ({
      media_type: 1,
      usertags: { in: pks.map((pk) => ({ user: { pk, username: `u${pk}`, full_name: '' } })) },
    });
    const tagged = (...items: object[]) => item({ ...carousel({ carousel_media: items }) }).tagged_users;
    expect(tagged(tagging(5), tagging(6, 5), {})?.map(({ id }) => id)).toEqual(['5', '6']);
    expect(tagged(tagging())).toEqual([]);
    expect(tagged({})).toBeNull();
  });

  test('the views and the duration of a v1 video are marked when Instagram sends none', () => {
    const unseen = v1Item(media({ media_type: 2 }));
    expect(unseen.record).toMatchObject({ views: null, duration_seconds: null });
    expect(unseen.quality).toEqual({ views: 'not_exposed', duration_seconds: 'not_exposed' });
  });

  test('the children of a v1 carousel without its items are null and marked', () => {
    const { record, quality } = v1Item(carousel({ carousel_media: undefined }));
    expect(record.children).toBeNull();
    expect(quality).toEqual({ children: 'not_exposed' });
  });

  test('a v1 reel has the URL of a reel', () => {
    expect(item({ product_type: 'CLIPS' })).toMatchObject({
      media_product_type: 'clips',
      permalink: expect.stringMatching(/\/reel\//),
    });
  });

  test('flags of v1 media are null when they are missing', () => {
    expect(item({})).toMatchObject({
      comments_enabled: null,
      paid_partnership: null,
      tagged_users: null,
      location: null,
    });
    const record = item({
      comments_disabled: true,
      is_paid_partnership: false,
      usertags: { in: [{ user: { pk: 5, username: 'u', full_name: '' } }] },
      location: { pk: 99, name: 'Lake', slug: 'lake' },
    });
    expect(record).toMatchObject({ comments_enabled: false, paid_partnership: false });
    expect(record.tagged_users).toEqual([{ id: '5', username: 'u', display_name: null }]);
    expect(record.location).toEqual({ id: '99', name: 'Lake', slug: null });
  });

  test('v1 media with sponsors are a paid partnership when the flag is missing', () => {
    expect(item({ sponsor_tags: [{ sponsor: { username: 'kite.shop' } }] }).paid_partnership).toBe(true);
    expect(item({ sponsor_tags: [] }).paid_partnership).toBeNull();
    expect(item({ sponsor_tags: [{}], is_paid_partnership: false }).paid_partnership).toBe(false);
  });

  test('the type of v1 media without number and name is that of its files', () => {
    const untyped = { media_type: undefined };
    const videoVersions = [{ url: address('v'), width: 1, height: 1 }];
    expect(item({ ...untyped, video_versions: videoVersions }).media_type).toBe('video');
    expect(item({ ...untyped, carousel_media: [{ ...untyped, video_versions: videoVersions }] })).toMatchObject({
      media_type: 'carousel',
      children: [{ media_type: 'video' }],
    });
    expect(item({ media_type: 1, video_versions: videoVersions }).media_type).toBe('image');
    expect(item(untyped).media_type).toBeNull();
  });

  test('the picture of the author of v1 media may have another name', () => {
    const user = { pk: 5, username: 'u', profile_image_uri: address('u') };
    expect(item({ user }).author_avatar_url).toBe(address('u'));
  });

  test('tags of deleted accounts in v1 media are left out', () => {
    const tags = [{ user: null }, { user: { pk: 5, username: 'u' } }, {}];
    expect(item({ usertags: { in: tags } }).tagged_users).toEqual([{ id: '5', username: 'u', display_name: null }]);
    expect(item({ usertags: { in: [{ user: null }] } }).tagged_users).toEqual([]);
  });

  test('the author and the location of v1 media may have other names', () => {
    const owner = { id: '424242', username: 'paper.kite' };
    expect(item({ user: null, owner })).toMatchObject({ author: 'paper.kite', author_id: '424242' });
    expect(item({ location: { id: '99', name: 'Lake' } }).location).toEqual({ id: '99', name: 'Lake', slug: null });
  });

  test('the description of a v1 carousel is its own, else that of its first item', () => {
    const described = carousel({ carousel_media: [{ accessibility_caption: 'a lake' }, {}] });
    expect(v1Item(described).record.accessibility_caption).toBe('a lake');
    expect(v1Item({ ...described, accessibility_caption: 'two lakes' }).record.accessibility_caption).toBe('two lakes');
  });

  test('the id of v1 media is the part before the owner id', () => {
    expect(item({ pk: undefined }).platform_content_id).toBe('3614066038397325312');
    expect(item({ pk: '3614066038397325312_424242' }).platform_content_id).toBe('3614066038397325312');
  });

  test.each([
    null,
    7,
    'text',
    [],
    {},
    { media_type: 8, carousel_media: [null, 5], image_versions2: [], user: 'x', caption: 'y' },
  ])('v1 media %j with wrong types still gives a valid record', (broken) => {
    expect(photoItem.safeParse(v1Item(broken).record).error).toBeUndefined();
  });
});
