import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeItem } from '../../../pipeline/photo/web/node-item.ts';
import { photoItem } from '../../../pipeline/records/photo.ts';
import { describeRecorded, recordedFolder } from '../../recorded.ts';
import { node } from './fixtures/web-user.ts';

const item = (more: object) => photoItem.parse(nodeItem(node(1, more), null).record);
const video = { __typename: 'XDTGraphVideo', is_video: true };

describe('Instagram media in the graph format', () => {
  test('the likes of Instagram media come from the preview edge, else from the other edge', () => {
    expect(item({}).likes).toBe(101);
    expect(item({ edge_media_preview_like: undefined }).likes).toBe(51);
  });

  test.each([
    { like_and_view_counts_disabled: true, video_view_count: 9 },
    { edge_media_preview_like: { count: -1 } },
    { edge_media_preview_like: { count: -1 }, edge_liked_by: undefined, video_view_count: -1 },
  ])('hidden counts of Instagram media are null and marked hidden: %j', (more) => {
    const { record, quality } = nodeItem(node(1, { ...video, video_view_count: 0, ...more }), null);
    expect(record).toMatchObject({ likes: null, views: null, comments: 1 });
    expect(quality).toMatchObject({ likes: 'hidden', views: 'hidden' });
  });

  test('hidden likes of Instagram media keep visible views', () => {
    const likesHidden = { edge_media_preview_like: { count: -1 }, video_view_count: 9 };
    const { record, quality } = nodeItem(node(1, { ...video, ...likesHidden }), null);
    expect(record).toMatchObject({ likes: null, views: 9 });
    expect(quality).toEqual({ likes: 'hidden', duration_seconds: 'not_exposed' });
  });

  test('the views of an Instagram video without a number are marked as not exposed', () => {
    expect(nodeItem(node(1, video), null).quality).toMatchObject({ views: 'not_exposed' });
    expect(nodeItem(node(1), null).quality).not.toHaveProperty('views');
  });

  test('tags of deleted accounts in Instagram media are left out', () => {
    const edges = [{ node: { user: null } }, { node: { user: { id: '5', username: 'u', full_name: 'U' } } }];
    const tagged = item({ edge_media_to_tagged_user: { edges } }).tagged_users;
    expect(tagged).toEqual([{ id: '5', username: 'u', display_name: 'U' }]);
  });

  test('an Instagram picture has hidden likes and no views', () => {
    expect(nodeItem(node(1, { like_and_view_counts_disabled: true }), null).quality).toEqual({ likes: 'hidden' });
  });

  test('Instagram media without a type name are a video when Instagram says so', () => {
    const unnamed = { __typename: undefined, video_view_count: 9 };
    expect(item({ ...unnamed, is_video: true })).toMatchObject({ media_type: 'video', views: 9 });
    expect(item({ ...unnamed, is_video: false })).toMatchObject({ media_type: null, views: null });
  });

  test('only Instagram videos have views, and a visible count of 0 stays 0', () => {
    expect(item({ ...video, video_view_count: 0 }).views).toBe(0);
    expect(item({ ...video, video_play_count: 5 }).views).toBe(5);
    expect(item({ video_view_count: 5 }).views).toBeNull();
  });

  test.each([
    ['PT0H1M15.066S', 75.066],
    ['PT58.189205S', 58.189],
    ['PT2H', 7200],
    ['PT0S', null],
    ['15 seconds', null],
  ])('the duration %s in the manifest of an Instagram video is %j seconds', (duration, seconds) => {
    const manifest = (text: string) => ({ dash_info: { video_dash_manifest: `<MPD ${text}>` } });
    const sent = manifest(`minBufferTime="PT2S" mediaPresentationDuration="${duration}"`);
    const { record, quality } = nodeItem(node(1, { ...video, ...sent }), null);
    expect(record.duration_seconds).toBe(seconds);
    expect('duration_seconds' in quality).toBe(seconds === null);
    expect(item({ ...video, ...sent, video_duration: 9.5 }).duration_seconds).toBe(9.5);
  });

  test('the comments count of Instagram media comes from the first existing edge', () => {
    const none = { edge_media_to_comment: undefined };
    expect(
      item({ ...none, edge_media_to_parent_comment: { count: 7 }, edge_media_preview_comment: { count: 8 } }).comments,
    ).toBe(7);
    expect(item({ ...none, edge_media_preview_comment: { count: 8 } }).comments).toBe(8);
    expect(item(none).comments).toBeNull();
  });

  test.each([
    ['GraphImage', 'image'],
    ['XDTGraphImage', 'image'],
    ['GraphVideo', 'video'],
    ['XDTGraphSidecar', 'carousel'],
    ['GraphStory', null],
    [undefined, null],
  ])('the graph type %s of Instagram media is %s', (typeName, mediaType) => {
    expect(item({ __typename: typeName }).media_type).toBe(mediaType);
  });

  test('hashtags and mentions of Instagram media come from the caption, once each, and are null without a caption', () => {
    expect(item({})).toMatchObject({
      hashtags: [{ name: 'wind', id: null, source: 'derived_text' }],
      mentions: [{ name: 'friend.of.kites', id: null, source: 'derived_text' }],
    });
    expect(item({ edge_media_to_caption: { edges: [] } })).toMatchObject({
      caption: null,
      hashtags: null,
      mentions: null,
    });
  });

  test('a missing flag of Instagram media is null, not false', () => {
    expect(item({ comments_disabled: undefined })).toMatchObject({ comments_enabled: null, paid_partnership: null });
    expect(item({ edge_media_to_sponsor_user: { edges: [] } }).paid_partnership).toBeNull();
    expect(item({ edge_media_to_sponsor_user: { edges: [{}] } }).paid_partnership).toBe(true);
    expect(item({ is_paid_partnership: false }).paid_partnership).toBe(false);
  });

  test('children of Instagram media have the numeric media id, decoded from their code when it is missing', () => {
    const edges = [
      {
        node: {
          id: '11',
          is_video: false,
          display_url: 'https://x.cdninstagram.com/a.jpg',
          dimensions: { width: 0, height: 5 },
        },
      },
      { node: { shortcode: 'B-NYjoGpQqC', is_video: true, video_url: 'https://x.cdninstagram.com/b.mp4' } },
    ];
    const record = item({ __typename: 'GraphSidecar', edge_sidecar_to_children: { edges } });
    expect(record.children).toMatchObject([
      { id: '11', position: 0, media_type: 'image', width: null, height: 5 },
      { id: '2273581388251073154', position: 1, media_type: 'video', media_url: null },
    ]);
  });

  test('an Instagram carousel without the key for its children marks them as not exposed', () => {
    const { record, quality } = nodeItem(node(1, { __typename: 'GraphSidecar' }), null);
    expect(record.children).toBeNull();
    expect(quality).toMatchObject({ children: 'not_exposed' });
  });

  test('assets of Instagram media are listed once each, with the expiry time of their URL', () => {
    const url = 'https://scontent.cdninstagram.com/invented/1.jpg?oe=6B000000';
    const displayResources = [{ src: url, config_width: 640, config_height: 800 }];
    const thumbnailResources = [{ src: 'https://x.cdninstagram.com/t.jpg', config_width: 150, config_height: 150 }];
    expect(item({ display_resources: displayResources, thumbnail_resources: thumbnailResources }).media_assets).toEqual(
      [
        {
          url,
          width: 1080,
          height: 1350,
          asset_type: 'image',
          variant: 'display_url',
          expires_at: new Date(0x6b000000 * 1000).toISOString(),
        },
        {
          url: 'https://x.cdninstagram.com/t.jpg',
          width: 150,
          height: 150,
          asset_type: 'image',
          variant: 'thumbnail_150',
          expires_at: null,
        },
      ],
    );
  });

  test.each([
    null,
    7,
    'text',
    [],
    {},
    { __typename: 5, owner: 'x', dimensions: [], edge_sidecar_to_children: 7, display_url: 5, location: 3 },
  ])('graph media %j with wrong types still gives a valid record', (broken) => {
    expect(photoItem.safeParse(nodeItem(broken, null).record).error).toBeUndefined();
  });
});

describeRecorded('over recorded media of the graph format', () => {
  test.each(['video.CAG3E8-A3wf', 'sidecar.B-NYjoGpQqC', 'image.CbP69VLKziH.node'])(
    'the recorded shortcode_media %s is read completely',
    (name) => {
      const body = JSON.parse(readFileSync(join(recordedFolder, `photo/shortcode-media.${name}.json`), 'utf8'));
      const media = body.graphql?.shortcode_media ?? body;
      const { record } = nodeItem(media, null);
      expect(photoItem.parse(record)).toMatchObject({
        id: media.shortcode,
        author: media.owner.username,
        author_display_name: media.owner.full_name,
        likes: media.edge_media_preview_like.count,
        comments: media.edge_media_to_parent_comment.count,
        views: media.video_view_count ?? null,
        duration_seconds: media.video_duration ?? null,
        paid_partnership: media.is_paid_partnership ?? null,
      });
      expect(record.children?.length).toBe(media.edge_sidecar_to_children?.edges.length);
      const sent = new Set(media.display_resources.map((resource: { src: string }) => resource.src));
      expect(record.media_assets?.filter((asset) => sent.has(asset.url))).toHaveLength(sent.size);
    },
  );
});
