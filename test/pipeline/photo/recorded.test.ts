import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SourceContext } from '../../../pipeline/collect/collect.ts';
import type { Fetcher } from '../../../pipeline/network/fetcher.ts';
import { graphPost, graphPosts, graphProfileSource } from '../../../pipeline/photo/graph/client.ts';
import type { PhotoPostsParams } from '../../../pipeline/photo/params.ts';
import { permalinkPost } from '../../../pipeline/photo/web/permalink.ts';
import { newestPost, webPosts } from '../../../pipeline/photo/web/posts.ts';
import { webProfile } from '../../../pipeline/photo/web/profile.ts';
import { photoItem, photoProfileRecord } from '../../../pipeline/records/photo.ts';
import { describeRecorded, recordedFetcher, recordedFolder } from '../../recorded.ts';
import { fixedAnswers, refusalOf } from './fixed-answers.ts';

const photoHandles = ['megadeth', 'maynel_baby_shop'];
const mediaCodes = ['CAnqPB-Jzcj', 'Chm_-tPJqpd', 'DTc0zASEdfy'];
const metaCodes = ['DEWKjVHsYUb', 'Dakr_nSE77n'];

const text = (file: string): string => readFileSync(join(recordedFolder, file), 'utf8');
const json = (file: string) => JSON.parse(text(file));
const iso = (epochS: number) => new Date(epochS * 1000).toISOString();

describeRecorded('over the recorded answers', () => {
  let recorded: Fetcher;
  const requestedUrls: string[] = [];
  beforeAll(() => {
    recorded = recordedFetcher();
  });

  function context(): SourceContext {
    return {
      ...fixedAnswers().context,
      fetch(request, signal) {
        requestedUrls.push(request.url);
        return recorded(request, signal);
      },
    };
  }

  async function walk(posts: typeof webPosts, handle: string, limit: number) {
    const pages = [];
    let cursor: PhotoPostsParams['cursor'] = null;
    do {
      const page = await posts.collect({ handle, limit, cursor }, context());
      expect(page.record.length).toBeLessThanOrEqual(limit);
      pages.push(page);
      cursor = page.next ? { source: posts.name, at: page.next } : null;
    } while (cursor !== null && pages.length < 100);
    return pages;
  }

  describe.each(photoHandles)('web_profile_info of %s', (handle) => {
    const userOf = () => json(`photo/web-profile-info.${handle}.json`).data.user;

    test('the recorded Instagram profile has the recorded values', async () => {
      const { record } = await webProfile.collect({ handle }, context());
      const user = userOf();
      expect(photoProfileRecord.parse(record)).toMatchObject({
        id: user.id,
        username: user.username,
        display_name: user.full_name,
        bio: user.biography,
        followers: user.edge_followed_by.count,
        following: user.edge_follow.count,
        posts: user.edge_owner_to_timeline_media.count,
        verified: user.is_verified,
        private: user.is_private,
        avatar_url: user.profile_pic_url_hd,
        external_url: user.external_url,
        category: user.category_name,
        account_type: 'business',
      });
      expect(record.avatar_variants).toHaveLength(2);
      expect(record.avatar_variants?.[0]?.expires_at).toMatch(/^20\d\d-.*\.000Z$/);
      expect(record.bio_links?.map((link) => link.url)).toEqual(
        user.bio_links.map((link: { url: string }) => link.url),
      );
    });

    test('the recorded Instagram posts have their values in the recorded order, through every cursor to the last', async () => {
      const pages = await walk(webPosts, handle, 5);
      expect(pages.map((page) => [page.record.length, page.partial])).toEqual([
        [5, false],
        [5, false],
        [2, true],
      ]);
      const nodes = userOf().edge_owner_to_timeline_media.edges.map((edge: { node: unknown }) => edge.node);
      pages
        .flatMap((page) => page.record)
        .forEach((item, row) => {
          const node = nodes[row];
          expect(photoItem.parse(item)).toMatchObject({
            id: node.shortcode,
            platform_content_id: node.id,
            published_at: iso(node.taken_at_timestamp),
            caption: node.edge_media_to_caption.edges[0].node.text,
            likes: node.edge_media_preview_like.count,
            comments: node.edge_media_to_comment.count,
            views: node.is_video ? node.video_view_count : null,
            width: node.dimensions.width,
            media_url: node.display_url,
            video_url: node.video_url ?? null,
            author_id: node.owner.id,
            comments_enabled: !node.comments_disabled,
            media_product_type: node.product_type ?? null,
          });
          expect(item.tagged_users).toHaveLength(node.edge_media_to_tagged_user.edges.length);
          expect(item.children?.length).toBe(node.edge_sidecar_to_children?.edges.length);
        });
    });

    test('a recorded post among the newest is found by code, and any other post is not', async () => {
      const [{ node }] = userOf().edge_owner_to_timeline_media.edges;
      const found = await newestPost(node.shortcode, handle, context());
      expect(found?.record.platform_content_id).toBe(node.id);
      expect(await newestPost('AAAAAAAAAAA', handle, context())).toBeNull();
    });
  });

  test('web_profile_info of an account that does not exist is 404', async () => {
    for (const source of [webProfile.collect, webPosts.collect]) {
      const refusal = await refusalOf(source({ handle: 'replay.nobody', limit: 3, cursor: null }, context()));
      expect(refusal).toMatchObject({ code: 'RESOURCE_NOT_FOUND', about: 'resource' });
    }
  });

  describe.each([
    ['facebook', 'photo/graph.business-discovery.profile-media.facebook.json'],
    ['facebookfordevelopers', 'rebuilt/photo/graph.business-discovery.facebookfordevelopers.p1.json'],
  ])('business discovery of %s', (handle, file) => {
    test('the recorded profile of business discovery has the recorded values', async () => {
      const { record } = await graphProfileSource.collect({ handle }, context());
      const account = json(file).business_discovery;
      expect(photoProfileRecord.parse(record)).toMatchObject({
        id: account.ig_id === undefined ? null : String(account.ig_id),
        username: account.username,
        display_name: account.name,
        bio: account.biography,
        followers: account.followers_count,
        following: account.follows_count ?? null,
        posts: account.media_count,
        external_url: account.website ?? null,
        avatar_url: account.profile_picture_url,
        private: null,
      });
    });

    test('the first recorded page of business discovery posts has the recorded values', async () => {
      const { record, quality } = await graphPosts.collect({ handle, limit: 20, cursor: null }, context());
      const { media, username } = json(file).business_discovery;
      record.forEach((item, row) => {
        const sent = media.data[row];
        const isVideo = sent.media_type === 'VIDEO';
        expect(photoItem.parse(item)).toMatchObject({
          id: sent.permalink.split('/')[4],
          permalink: sent.permalink,
          author: username,
          published_at: new Date(sent.timestamp).toISOString(),
          caption: sent.caption,
          likes: sent.like_count,
          comments: sent.comments_count,
          [isVideo ? 'video_url' : 'media_url']: sent.media_url,
        });
        const childCodes = sent.children?.data.map((child: { permalink: string }) => child.permalink.split('/')[4]);
        expect(item.children?.length).toBe(childCodes?.length);
        expect(item.children?.every((child) => /^\d{15,}$/.test(child.id ?? '')) ?? true).toBe(true);
      });
      expect(record).toHaveLength(Math.min(20, media.data.length));
      expect(Object.values(quality ?? {})).not.toContain('hidden');
    });
  });

  test('business discovery: every row once, through every cursor to the empty page after the last', async () => {
    const pages = await walk(graphPosts, 'facebook', 10);
    const ids = pages.flatMap((page) => page.record.map((item) => item.id));
    const recorded = json('photo/graph.business-discovery.profile-media.facebook.json').business_discovery.media.data;
    expect(ids).toEqual(recorded.map((row: { permalink: string }) => row.permalink.split('/')[4]));
    expect(pages.at(-1)?.record).toEqual([]);
  });

  test('business discovery: a post of a known author is found by its code', async () => {
    const sent = json('photo/graph.business-discovery.profile-media.facebook.json').business_discovery.media.data[8];
    const shortcode = sent.permalink.split('/')[4];
    const { record } = await graphPost.collect({ shortcode, author: 'facebook' }, context());
    expect(record).toMatchObject({ id: shortcode, likes: sent.like_count });
  });

  test('business discovery without permission is SOURCE_NOT_CONFIGURED', async () => {
    const refusal = await refusalOf(graphProfileSource.collect({ handle: 'replay.permission' }, context()));
    expect(refusal).toMatchObject({ code: 'SOURCE_NOT_CONFIGURED', about: 'operator' });
  });

  describe.each(mediaCodes)('the page of %s with media data', (shortcode) => {
    const files = ['carousel-location', 'carousel', 'clips'].map(
      (kind) => `photo/media-info-v1.${kind}.${shortcode}.json`,
    );
    function recorded() {
      const file = files.find((name) => existsSync(join(recordedFolder, name))) ?? '';
      const body = json(file);
      return (body.items ?? body.response.body.items)[0];
    }

    test('the recorded post page with media data has the recorded values', async () => {
      const { record, partial } = await permalinkPost.collect({ shortcode, author: null }, context());
      const media = recorded();
      expect(partial ?? false).toBe(false);
      expect(photoItem.parse(record)).toMatchObject({
        id: shortcode,
        platform_content_id: media.id.split('_')[0],
        author: media.user.username,
        author_id: String(media.user.pk),
        author_verified: media.user.is_verified,
        published_at: iso(media.taken_at),
        caption: media.caption.text,
        likes: media.like_count,
        comments: media.comment_count,
        views: media.play_count ?? null,
        media_product_type: media.product_type,
        media_type: media.media_type === 8 ? 'carousel' : 'video',
        width: media.original_width ?? media.carousel_media[0].original_width,
        duration_seconds: media.video_duration ?? null,
      });
      expect(record.location?.name).toBe(media.location?.name);
      expect(record.location?.id).toBe(media.location && String(media.location.pk));
      expect(record.children?.map((child) => child.id)).toEqual(
        media.carousel_media?.map((child: { id: string }) => child.id.split('_')[0]),
      );
      expect(record.media_url).toMatch(/^https:/);
    });

    test('the recorded post page has no square crop of a picture that is not square', async () => {
      const { record } = await permalinkPost.collect({ shortcode, author: null }, context());
      const media = recorded();
      for (const [at, child] of (record.children ?? []).entries()) {
        const sent = media.carousel_media[at];
        const shown = sent.image_versions2.candidates.find(
          (picture: { url: string }) => picture.url === child.media_url,
        );
        expect(shown.width / shown.height).toBeCloseTo(sent.original_width / sent.original_height, 1);
      }
    });
  });

  describe.each(metaCodes)('the page of %s with meta tags only', (shortcode) => {
    test('the recorded post page with meta tags only is a partial item with the values of the tags', async () => {
      const file = shortcode.startsWith('DEW') ? 'shell-mobile' : 'shell';
      const page = text(`photo/permalink.${file}.${shortcode}.html`);
      const content = (name: string) => new RegExp(`"${name}" content="([^"]*)"`).exec(page)?.[1] ?? '';
      const { record, partial, quality } = await permalinkPost.collect({ shortcode, author: null }, context());
      expect(partial).toBe(true);
      expect(photoItem.parse(record)).toMatchObject({
        id: shortcode,
        platform_content_id: content('al:ios:url').split('=')[1],
        author: content('og:url').split('/')[3],
        author_id: content('instapp:owner_user_id'),
        author_display_name: content('twitter:title').split(' (')[0],
        media_url: content('og:image').replaceAll('&amp;', '&'),
        published_at: null,
        views: null,
      });
      expect(record.caption).toContain('#');
      expect(record.caption?.endsWith('"')).toBe(false);
      expect(record.hashtags?.length).toBe(new Set(record.caption?.toLowerCase().match(/#[a-z]+/g)).size);
      const [likes, comments] = Array.from(content('og:description').matchAll(/^(\d+)M likes, (\d+)K/g), (m) => [
        Number(m[1]) * 1e6,
        Number(m[2]) * 1e3,
      ])[0] ?? [null, null];
      expect([record.likes, record.comments]).toEqual([likes, comments]);
      expect(quality?.likes).toBe(likes === null ? 'not_exposed' : 'rounded');
    });
  });

  test('the recorded page of a post that does not exist is 404', async () => {
    const refusal = await refusalOf(permalinkPost.collect({ shortcode: 'ReplayGone1', author: null }, context()));
    expect(refusal).toMatchObject({ code: 'RESOURCE_NOT_FOUND', about: 'resource' });
  });

  afterAll(() => {
    const surfaces = /web_profile_info|business_discovery|\(\?:p\|reel/;
    const photo = json('manifest.json').exchanges.filter((exchange: { url: string }) => surfaces.test(exchange.url));
    const identity = /username=([\w.]+)|username(?:\(|%28)([\w.]+)|\/(?:p|reel)\/([\w-]+)/;
    const identities = (urls: string[]) => new Set(urls.map((url) => identity.exec(url)?.slice(1).find(Boolean)));
    const recorded = photo.map((exchange: { example: { url: string } }) => exchange.example.url);
    expect([...identities(requestedUrls)]).toEqual(expect.arrayContaining([...identities(recorded)]));
  });
});
