import { describe, expect, it } from 'vitest';
import { shortvideoItem } from '../../../pipeline/records/shortvideo.ts';
import { videoEmbed } from '../../../pipeline/shortvideo/embed/video.ts';
import { videoOembed } from '../../../pipeline/shortvideo/oembed.ts';
import { videoPage } from '../../../pipeline/shortvideo/video-page.ts';
import { frontityPage, pageWith, readFixture, refusal, universalPage, upstream } from './upstream.ts';

const id = '7000000000000000401';
const params = { id, region: null };

function pageOf(itemStruct: Record<string, unknown>) {
  const detail = { statusCode: 0, itemInfo: { itemStruct: { id, ...itemStruct } } };
  return upstream({ '/@_/video/': universalPage({ 'webapp.video-detail': detail }) });
}

const photoPost = () =>
  upstream({ '/@_/video/': universalPage({ 'webapp.reflow.video.detail': readFixture('photo-post.json') }) });

describe('hashtags of a TikTok video page', () => {
  const challenges = [
    { title: 'glaze', id: '56' },
    { title: 'othervideo', id: '57' },
  ];
  const tagsOf = async (item: Record<string, unknown>) =>
    (await videoPage.collect(params, pageOf({ challenges, ...item }).context)).record.hashtags;

  it('hashtags of a TikTok video are its own, and the challenges of the page only add missing ids', async () => {
    const textExtra = [{ type: 1, hashtagName: 'Glaze' }];
    expect(await tagsOf({ desc: 'a pot #Glaze', textExtra })).toEqual([
      { name: 'Glaze', id: '56', source: 'platform' },
    ]);
  });

  it('hashtags of a TikTok video come from the text when the video has none, with the ids of the page', async () => {
    expect(await tagsOf({ desc: 'a pot #glaze #clay' })).toEqual([
      { name: 'glaze', id: '56', source: 'platform' },
      { name: 'clay', id: null, source: 'derived_text' },
    ]);
    expect(await tagsOf({ desc: '' })).toEqual([]);
    expect(await tagsOf({})).toBeNull();
  });
});

describe('the TikTok video page', () => {
  it('the TikTok video page is requested once, by the id alone', async () => {
    const { context, requests } = photoPost();
    await videoPage.collect(params, context);
    expect(requests.map(({ url }) => url)).toEqual([`https://www.tiktok.com/@_/video/${id}`]);
  });

  it('the TikTok video page follows redirects only to the canonical URL of the same item on the same host', async () => {
    const { context, requests } = photoPost();
    await videoPage.collect(params, context);
    const follow = (url: string) => requests[0]?.follow?.(new URL(url));
    expect(follow(`https://www.tiktok.com/@invented.pottery/photo/${id}`)).toBe(true);
    expect(follow(`https://www.tiktok.com/@invented.pottery/video/${id}?lang=en`)).toBe(true);
    expect(follow(`https://www.tiktok.com/@invented.pottery/video/7000000000000000402`)).toBe(false);
    expect(follow(`https://www.tiktok.com/login?redirect_url=/@invented.pottery/video/${id}`)).toBe(false);
    expect(follow(`https://m.tiktok.com/@invented.pottery/video/${id}`)).toBe(false);
    expect(follow(`http://www.tiktok.com/@invented.pottery/video/${id}`)).toBe(false);
    expect(follow('https://www.tiktok.com/')).toBe(false);
  });

  it('the TikTok page of a photo post is found after the redirect to its own URL', async () => {
    const location = `/@invented.pottery/photo/${id}`;
    const body = universalPage({ 'webapp.reflow.video.detail': readFixture('photo-post.json') });
    const { context } = upstream({ '/@_/video/': { status: 302, headers: { location } }, [location]: body });
    expect((await videoPage.collect(params, context)).record.id).toBe(id);
  });

  it('a TikTok photo post has its pictures and the permalink of a photo', async () => {
    const { record, quality, partial } = await videoPage.collect(params, photoPost().context);
    expect(shortvideoItem.parse(record)).toEqual(record);
    const picture = { width: null, height: null, asset_type: 'image', expires_at: null } as const;
    expect(record).toEqual({
      id,
      author: 'invented.pottery',
      author_id: '7000000000000000101',
      author_display_name: 'Invented Pottery',
      author_verified: true,
      author_avatar_url: 'https://cdn.example/a.jpeg',
      published_at: '2026-02-02T02:40:00.000Z',
      caption: 'two plates for @plate.friend #Plates #glaze',
      hashtags: [
        { name: 'Plates', id: '55', source: 'platform' },
        { name: 'glaze', id: '56', source: 'platform' },
      ],
      mentions: [{ name: 'plate.friend', id: '7000000000000000102', source: 'platform' }],
      views: 1400123,
      likes: 0,
      comments: null,
      shares: 18300,
      favorites: 50505,
      width: null,
      height: null,
      duration_seconds: null,
      media_url: 'https://cdn.example/p1.jpeg?x-expires=1775000000',
      video_url: null,
      media_assets: [
        {
          ...picture,
          url: 'https://cdn.example/p1.jpeg?x-expires=1775000000',
          width: 1440,
          height: 1920,
          variant: 'photo',
          expires_at: '2026-03-31T23:33:20.000Z',
        },
        { ...picture, url: 'https://cdn.example/p2.jpeg', variant: 'photo' },
      ],
      permalink: `https://www.tiktok.com/@invented.pottery/photo/${id}`,
      region_code: null,
      subtitle_tracks: null,
      effects: [{ id: '123456', name: 'Invented effect' }],
      stickers: [{ type: 4, texts: ['look', 'here'] }],
      music: null,
      playlist_id: '7000000000000000499',
      pinned: null,
    });
    expect(quality).toEqual({ shares: 'rounded' });
    expect(partial).toBeUndefined();
  });

  it('a TikTok video page never returns another item', async () => {
    const other = universalPage({ 'webapp.video-detail': { itemInfo: { itemStruct: { id: '7000000000000000402' } } } });
    expect(await refusal(videoPage.collect(params, upstream({ '/@_/': other }).context))).toEqual([422, 'us']);
  });

  it.each([{ privateItem: true }, { isContentClassified: true }])(
    'a TikTok video with %o is a final SOURCE_RESTRICTED',
    async (mark) => {
      expect(await refusal(videoPage.collect(params, pageOf(mark).context))).toEqual([403, 'resource']);
    },
  );

  it('a TikTok video page keeps ids beyond 2^53 that are sent as numbers', async () => {
    const item = `{"id":${id},"author":{"id":7000000000000000103},"music":{"id":7000000000000000207},"mixInfo":{"id":7000000000000000497}}`;
    const state = `{"__DEFAULT_SCOPE__":{"webapp.video-detail":{"itemInfo":{"itemStruct":${item}}}}}`;
    const { context } = upstream({ '/@_/': pageWith('__UNIVERSAL_DATA_FOR_REHYDRATION__', state) });
    const { record } = await videoPage.collect(params, context);
    expect(record).toMatchObject({ id, author_id: '7000000000000000103', playlist_id: '7000000000000000497' });
    expect(record.music?.id).toBe('7000000000000000207');
  });

  it('a TikTok video page derives hashtags and mentions from the caption when the platform has none', async () => {
    const { record } = await videoPage.collect(
      params,
      pageOf({ desc: '#Été2026 & mail@x.example @some.one. #123' }).context,
    );
    expect(record.hashtags).toEqual([{ name: 'Été2026', id: null, source: 'derived_text' }]);
    expect(record.mentions).toEqual([{ name: 'some.one', id: null, source: 'derived_text' }]);
    const { record: silent } = await videoPage.collect(params, pageOf({}).context);
    expect(silent).toMatchObject({ hashtags: null, mentions: null, caption: null, permalink: null });
  });

  it('a TikTok video page reads the account of a credited video as a mention, whatever name the caption shows', async () => {
    const extra = {
      type: 5,
      subType: 6,
      userId: '7000000000000000103',
      userUniqueId: 'kiln.friend',
      hashtagName: '@kiln.friend',
    };
    const { record } = await videoPage.collect(
      params,
      pageOf({
        desc: 'idea of @✨ Kiln Friend ✨ for @plate.friend',
        textExtra: [
          { ...extra, start: 8, end: 23 },
          { type: 0, start: 28, end: 41, userId: '7000000000000000102', userUniqueId: 'plate.friend' },
        ],
      }).context,
    );
    expect(record.mentions).toEqual([
      { name: 'kiln.friend', id: '7000000000000000103', source: 'platform' },
      { name: 'plate.friend', id: '7000000000000000102', source: 'platform' },
    ]);
    expect(record.hashtags).toEqual([]);
  });

  it('a TikTok video page takes video URL and cover from their second candidates', async () => {
    const video = {
      cover: '',
      originCover: 'https://cdn.example/o.jpeg',
      playAddr: '',
      bitrateInfo: [{ PlayAddr: { UrlList: ['https://cdn.example/v.mp4'] } }],
      zoomCover: { 240: 'https://cdn.example/z.jpeg?expire=1770000000' },
      width: 576,
      height: 1024,
      duration: 7,
    };
    const { record } = await videoPage.collect(params, pageOf({ video }).context);
    expect(record).toMatchObject({
      media_url: 'https://cdn.example/o.jpeg',
      video_url: 'https://cdn.example/v.mp4',
      width: 576,
      height: 1024,
      duration_seconds: 7,
    });
    expect(record.media_assets?.map(({ variant, expires_at }) => [variant, expires_at])).toEqual([
      ['originCover', null],
      ['zoomCover.240', '2026-02-02T02:40:00.000Z'],
    ]);
  });

  it('a TikTok video page completes URLs without a scheme, and leaves out what is no URL', async () => {
    const video = {
      cover: 'tos-maliva-p-0068/x',
      originCover: '//cdn.example/o.jpeg',
      playAddr: '//cdn.example/v.mp4',
    };
    const music = { id: '77', coverLarge: '//cdn.example/m.jpeg', playUrl: '//cdn.example/m.mp3' };
    const author = { uniqueId: 'pots', avatarLarger: '//cdn.example/a.jpeg' };
    const { record } = await videoPage.collect(params, pageOf({ video, music, author }).context);
    expect(record).toMatchObject({
      media_url: 'https://cdn.example/o.jpeg',
      video_url: 'https://cdn.example/v.mp4',
      author_avatar_url: 'https://cdn.example/a.jpeg',
      music: { cover_url: 'https://cdn.example/m.jpeg', play_url: 'https://cdn.example/m.mp3' },
    });
    expect(record.media_assets?.map(({ url }) => url)).toEqual(['https://cdn.example/o.jpeg']);
  });

  it.each([
    { playAddr: [{ src: 'https://cdn.example/v.mp4' }] },
    { playAddr: '', bitrateInfo: [], PlayAddrStruct: { UrlList: ['https://cdn.example/v.mp4'] } },
  ])('a TikTok video page has the URL of the video in %j', async (video) => {
    expect((await videoPage.collect(params, pageOf({ video }).context)).record.video_url).toBe(
      'https://cdn.example/v.mp4',
    );
  });

  it('the subtitles of a TikTok video page come from its second list when the first has none', async () => {
    const caption = { language: 'eng-US', languageID: '2', captionFormat: 'webvtt' };
    const claInfo = { captionInfos: [{ ...caption, url: 'https://cdn.example/s' }] };
    const tracksOf = async (video: object) =>
      (await videoPage.collect(params, pageOf({ video }).context)).record.subtitle_tracks;
    const second = { language: 'eng-US', language_id: '2', url: 'https://cdn.example/s', format: 'webvtt' };
    expect(await tracksOf({ claInfo })).toEqual([second]);
    expect(await tracksOf({ subtitleInfos: [], claInfo })).toEqual([second]);
    const subtitleInfos = [{ LanguageCodeName: 'deu-DE', Url: 'https://cdn.example/t' }];
    expect(await tracksOf({ subtitleInfos, claInfo })).toMatchObject([{ language: 'deu-DE' }]);
    expect(await tracksOf({ subtitleInfos: [] })).toEqual([]);
    expect(await tracksOf({})).toBeNull();
  });

  it('a TikTok video is read from the own script of a share page', async () => {
    const strategy = universalPage({ 'webapp.reflow.video.strategy': { other: true } });
    const shared = (videoDetail: unknown) =>
      upstream({ '/@_/': strategy + pageWith('api-data', { videoDetail, commentList: { comments: [] } }) }).context;
    const itemStruct = {
      id,
      desc: 'x',
      createTime: '1770000000',
      stats: { diggCount: 7 },
      author: { uniqueId: 'pots' },
    };
    expect((await videoPage.collect(params, shared({ statusCode: 0, itemInfo: { itemStruct } }))).record).toMatchObject(
      {
        id,
        author: 'pots',
        likes: 7,
        published_at: '2026-02-02T02:40:00.000Z',
      },
    );
    expect(await refusal(videoPage.collect(params, shared({ statusCode: 10204 })))).toEqual([404, 'resource']);
  });

  it('a TikTok video page is read in the older state formats when its universal script is empty', async () => {
    const item = {
      id,
      desc: 'x',
      author: 'invented.pottery',
      authorId: '101',
      nickname: 'Pots',
      avatarThumb: 'https://cdn.example/a.jpeg',
    };
    const state = { ItemModule: { [id]: item }, UserModule: { users: { 'invented.pottery': { verified: true } } } };
    const sigi = universalPage({}) + pageWith('SIGI_STATE', state);
    const { record } = await videoPage.collect(params, upstream({ '/@_/': sigi }).context);
    expect(record).toMatchObject({
      author: 'invented.pottery',
      author_id: '101',
      author_display_name: 'Pots',
      author_verified: true,
      author_avatar_url: 'https://cdn.example/a.jpeg',
      permalink: `https://www.tiktok.com/@invented.pottery/video/${id}`,
    });
    const props = { pageProps: { statusCode: 0, itemInfo: { itemStruct: { id, author: { uniqueId: 'pots' } } } } };
    const next = upstream({ '/@_/': pageWith('__NEXT_DATA__', { props }) });
    expect((await videoPage.collect(params, next.context)).record.author).toBe('pots');
  });
});

describe('the TikTok video embed', () => {
  function embedOf(videoData: unknown) {
    const state = { source: { data: { [`/embed/v2/${id}`]: { code: 200, isError: false, videoData } } } };
    return upstream({ [`/embed/v2/${id}`]: frontityPage(state) });
  }

  it('a TikTok video embed reads the name of a mention from its position in the text and does not guess missing values', async () => {
    const { context, requests } = embedOf({
      itemInfos: { id, text: 'for @plate.friend #glaze', playCount: 10000, covers: [], createTime: '1590000000' },
      authorInfos: { uniqueId: 'invented.pottery', covers: [], coversMedium: ['https://cdn.example/a.jpeg'] },
      musicInfos: { musicId: '77', musicName: 'tune', original: '', coversLarger: ['https://cdn.example/m.jpeg'] },
      textExtra: [
        { Type: 0, Start: 4, End: 17, UserId: '7000000000000000102' },
        { Type: 1, HashtagName: 'glaze', HashtagId: '' },
      ],
      challengeInfoList: [
        { challengeId: '56', challengeName: 'Glaze' },
        { challengeId: '57', challengeName: 'kiln' },
      ],
      imagePostInfo: { displayImages: [{ urlList: ['https://cdn.example/p.jpeg'], width: 10, height: 20 }] },
    });
    const { record, quality, partial } = await videoEmbed.collect(params, context);
    expect(shortvideoItem.parse(record)).toEqual(record);
    expect(record.mentions).toEqual([{ name: 'plate.friend', id: '7000000000000000102', source: 'platform' }]);
    expect(record.hashtags).toEqual([
      { name: 'glaze', id: '56', source: 'platform' },
      { name: 'kiln', id: '57', source: 'platform' },
    ]);
    expect(record.music).toMatchObject({ id: '77', title: 'tune', original: null, duration_seconds: null });
    expect(record.music?.cover_url).toBe('https://cdn.example/m.jpeg');
    expect(record).toMatchObject({
      author_avatar_url: 'https://cdn.example/a.jpeg',
      likes: null,
      favorites: null,
      media_url: 'https://cdn.example/p.jpeg',
      permalink: `https://www.tiktok.com/@invented.pottery/photo/${id}`,
    });
    expect([quality, partial, requests.length]).toEqual([{ views: 'rounded' }, true, 1]);
  });

  it('a TikTok video embed never returns another item', async () => {
    const { context } = embedOf({ itemInfos: { id: '7000000000000000402' } });
    expect(await refusal(videoEmbed.collect(params, context))).toEqual([422, 'us']);
  });
});

describe('oEmbed of a TikTok video', () => {
  const html = (music: string) =>
    `<blockquote cite="https://www.tiktok.com/@pots/video/${id}" data-video-id="${id}"><a title="@pots" href="https://www.tiktok.com/@pots?refer=embed">@pots</a> <p>x <a title="t&ouml;pfern" href="https://www.tiktok.com/tag/t%C3%B6pfern?refer=embed">#töpfern</a></p>${music}</blockquote>`;
  const oembed = (answer: Record<string, unknown>) => upstream({ '/oembed?': JSON.stringify(answer) });

  it('oEmbed of a TikTok video has few fields, marked partial', async () => {
    const music =
      '<a href="https://www.tiktok.com/music/Song-Two-Parts-77?refer=embed">♬ Song - Two &amp; Parts - The - Band</a>';
    const { context, requests } = oembed({
      title: 'x #töpfern @kiln.friend',
      author_name: 'Pots',
      author_url: 'https://www.tiktok.com/@pots',
      thumbnail_url: 'https://cdn.example/t.jpeg',
      thumbnail_width: 576,
      thumbnail_height: 1024,
      html: html(music),
    });
    const { record, partial } = await videoOembed.collect(params, context);
    expect(shortvideoItem.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      id,
      author: 'pots',
      author_display_name: 'Pots',
      caption: 'x #töpfern @kiln.friend',
      hashtags: [{ name: 'töpfern', id: null, source: 'platform' }],
      mentions: [{ name: 'kiln.friend', id: null, source: 'derived_text' }],
      permalink: `https://www.tiktok.com/@pots/video/${id}`,
      media_url: 'https://cdn.example/t.jpeg',
      width: null,
      views: null,
    });
    expect(record.media_assets).toMatchObject([{ variant: 'thumbnail', width: 576, height: 1024 }]);
    expect(record.music).toMatchObject({ id: '77', title: 'Song - Two & Parts', author: 'The - Band' });
    expect(partial).toBe(true);
    expect(requests.map(({ url }) => new URL(url).searchParams.get('url'))).toEqual([
      `https://www.tiktok.com/@_/video/${id}`,
    ]);
    for (const field of videoOembed.not_exposed ?? []) expect(record).toHaveProperty(field, null);
  });

  it('oEmbed of a TikTok video has each hashtag once, as first written', async () => {
    const links = ['Clay', 'kiln', 'clay'].map((name) => `<a href="https://www.tiktok.com/tag/${name}">#${name}</a>`);
    const { record } = await videoOembed.collect(params, oembed({ title: 'x', html: html(links.join('')) }).context);
    expect(record.hashtags?.map(({ name }) => name)).toEqual(['töpfern', 'Clay', 'kiln']);
  });

  it.each([
    ['Kiln song (Slow Ver.)', 'Kiln-song-Slow-Ver'],
    ["Potters don't wait", "Potters-don't-wait"],
    ["Potters don't wait", 'Potters-don%27t-wait'],
    ['窯の歌 (feat. 陶)', '窯の歌-feat-陶'],
    ['♡', ''],
  ])('oEmbed of a TikTok video separates the author from the title %s with the URL %s', async (title, slug) => {
    const music = `<a href="https://www.tiktok.com/music/${slug}-77?refer=embed">♬ ${title} - The - Band</a>`;
    const { record } = await videoOembed.collect(params, oembed({ title: 'x', html: html(music) }).context);
    expect(record.music).toMatchObject({ id: '77', title, author: 'The - Band' });
  });

  it('oEmbed of a TikTok video keeps the complete title of a sound whose URL does not repeat it, and accepts a missing title', async () => {
    const music = '<a href="https://www.tiktok.com/music/other-77">♬ Song - Band</a>';
    const whole = await videoOembed.collect(params, oembed({ title: '', html: html(music) }).context);
    expect(whole.record).toMatchObject({ caption: '', music: { id: '77', title: 'Song - Band', author: null } });
    const { record } = await videoOembed.collect(
      params,
      oembed({ embed_product_id: id, author_unique_id: 'pots' }).context,
    );
    expect(record).toMatchObject({ author: 'pots', music: null, hashtags: null });
  });
});
