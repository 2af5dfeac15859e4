import { describe, expect, it } from 'vitest';
import { playlistEntry } from '../../../pipeline/records/longvideo.ts';
import { playlist } from '../../../pipeline/records/shared.ts';
import { describeRecorded } from '../../recorded.ts';
import {
  at,
  bodyOf,
  changed,
  exchangesOf,
  instant,
  invented,
  readFixture,
  recorded,
  refusal,
  sourceOf,
  type Upstream,
} from './upstream.ts';

const playlistId = 'PLinvented0000000000001';
const first = { limit: 20, cursor: null };
const browse = { body: readFixture('playlist-page.json') };

const listOf = ({ collectors }: Upstream, name: string) => sourceOf(collectors.longvideoPlaylist, name);
const itemsOf = ({ collectors }: Upstream, name: string) => sourceOf(collectors.longvideoPlaylistItems, name);
const official = 'youtube-data-api';
const web = 'youtube-web';

/** Returns a later page of invented playlist entries in the format of the YouTube website. */
function appendedPage(videoIds: string[]) {
  const continuationItems = videoIds.map((videoId) => ({
    playlistVideoRenderer: { videoId, title: { simpleText: `Words of ${videoId}` } },
  }));
  return { body: { onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems } }] } };
}

describe('a playlist', () => {
  it.each(['WL', 'LL', 'HL'])('a playlist with the ID %s is private: 403 without a request', async (privateId) => {
    const upstream = invented({});
    for (const name of [official, web]) {
      const { context } = upstream;
      expect(await refusal(listOf(upstream, name).collect({ playlist_id: privateId }, context))).toEqual([
        403,
        'resource',
      ]);
      const items = itemsOf(upstream, name).collect({ playlist_id: privateId, ...first }, context);
      expect(await refusal(items)).toEqual([403, 'resource']);
    }
    expect(upstream.requests).toEqual([]);
  });

  it('a playlist of the official source has the fields that are missing in all recordings', async () => {
    const item = {
      id: playlistId,
      snippet: { title: 'Shore walks', defaultLanguage: 'en', thumbnails: {} },
      contentDetails: { itemCount: 0 },
      status: { privacyStatus: 'public' },
      player: { embedHtml: '<iframe></iframe>' },
      localizations: { is: { title: 'Fjöruferðir', description: 'x' } },
    };
    const upstream = invented({ playlists: { body: { kind: 'youtube#playlistListResponse', items: [item] } } });
    const { record } = await listOf(upstream, official).collect({ playlist_id: playlistId }, upstream.context);
    expect(record).toMatchObject({
      item_count: 0,
      thumbnails: [],
      language: 'en',
      privacy_status: 'public',
      embed_html: '<iframe></iframe>',
      localizations: { is: { title: 'Fjöruferðir', description: 'x' } },
      permalink: `https://www.youtube.com/playlist?list=${playlistId}`,
    });
  });

  it('a playlist is 404 when the official source does not have it', async () => {
    const upstream = invented({ playlists: { body: { kind: 'youtube#playlistListResponse', items: [] } } });
    expect(await refusal(listOf(upstream, official).collect({ playlist_id: playlistId }, upstream.context))).toEqual([
      404,
      'resource',
    ]);
  });

  it('a playlist of the web is read from its page', async () => {
    const upstream = invented({ browse });
    const { record, partial } = await listOf(upstream, web).collect({ playlist_id: playlistId }, upstream.context);
    expect(playlist.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      id: playlistId,
      title: 'Shore walks',
      description: 'Walks along the shore.',
      author: 'Invented Shore',
      account_id: 'UCinvented00000000000001',
      item_count: 1204,
      published_at: null,
      updated_at: '2022-07-05',
      privacy_status: 'unlisted',
    });
    expect(record.thumbnails).toHaveLength(1);
    expect(partial).toBe(true);
  });

  it.each([
    ['Last updated on 5 Sept 2024', '2024-09-05'],
    ['Last updated on Dec 1, 2021', '2021-12-01'],
    ['Updated 3 days ago', null],
    ['Updated today', null],
  ])('a playlist with the text %o was updated on %o', async (text, updatedAt) => {
    const stat = 'sidebar.playlistSidebarRenderer.items.0.playlistSidebarPrimaryInfoRenderer.stats.2';
    const upstream = invented({ browse: changed(browse.body, stat, { simpleText: text }) });
    expect((await listOf(upstream, web).collect({ playlist_id: playlistId }, upstream.context)).record.updated_at).toBe(
      updatedAt,
    );
  });

  it.each([
    ['an error alert', { alerts: [{ alertRenderer: { type: 'ERROR' } }] }, 404, 'resource'],
    ['nothing known', { microformat: {} }, 422, 'us'],
  ])('a playlist is refused when its page shows %s', async (_what, body, status, about) => {
    const upstream = invented({ browse: { body } });
    expect(await refusal(listOf(upstream, web).collect({ playlist_id: playlistId }, upstream.context))).toEqual([
      status,
      about,
    ]);
    const items = itemsOf(upstream, web).collect({ playlist_id: playlistId, ...first }, upstream.context);
    expect(await refusal(items)).toEqual([status, about]);
  });

  it('a playlist is not refused for an information alert on its page', async () => {
    const upstream = invented({ browse: changed(browse.body, 'alerts', [{ alertRenderer: { type: 'INFO' } }]) });
    expect((await listOf(upstream, web).collect({ playlist_id: playlistId }, upstream.context)).record.id).toBe(
      playlistId,
    );
  });
});

describe('entries of a playlist', () => {
  it('entries of a playlist keep the position of deleted videos, without an author', async () => {
    const items = [
      {
        id: 'entry-1',
        snippet: {
          position: 0,
          title: 'Deleted video',
          thumbnails: {},
          resourceId: { kind: 'youtube#video', videoId: 'invented001' },
        },
        status: { privacyStatus: 'privacyStatusUnspecified' },
      },
      {
        id: 'entry-2',
        snippet: { position: 1, title: 'One', resourceId: { kind: 'youtube#video', videoId: 'invented001' } },
      },
    ];
    const upstream = invented({ playlistItems: { body: { kind: 'youtube#playlistItemListResponse', items } } });
    const { record, next } = await itemsOf(upstream, official).collect(
      { playlist_id: playlistId, ...first },
      upstream.context,
    );
    expect(record.map(({ id, position, content_id }) => [id, position, content_id])).toEqual([
      ['entry-1', 0, 'invented001'],
      ['entry-2', 1, 'invented001'],
    ]);
    expect(record[0]).toMatchObject({ author: null, privacy_status: null, thumbnails: [], published_at: null });
    expect(next).toBeNull();
  });

  it('entries of a playlist are requested by limit and page token, even after an empty page', async () => {
    const page = (nextPageToken?: string) => ({
      body: { kind: 'youtube#playlistItemListResponse', items: [], nextPageToken },
    });
    const upstream = invented({ playlistItems: [page('invented-page-2'), page()] });
    const source = itemsOf(upstream, official);
    const { next } = await source.collect({ playlist_id: playlistId, limit: 7, cursor: null }, upstream.context);
    const cursor = { source: official, at: next ?? {} };
    expect((await source.collect({ playlist_id: playlistId, limit: 7, cursor }, upstream.context)).next).toBeNull();
    const sent = upstream.requests.map(({ url }) => new URL(url).searchParams);
    expect(sent.map((query) => [query.get('maxResults'), query.get('pageToken')])).toEqual([
      ['7', null],
      ['7', 'invented-page-2'],
    ]);
  });

  it('entries of a playlist are 400 for an invalid page token', async () => {
    const fault = { status: 400, body: { error: { errors: [{ reason: 'invalidPageToken', location: 'pageToken' }] } } };
    const upstream = invented({ playlistItems: fault });
    const cursor = { source: official, at: { token: 'nonsense', skip: 0 } };
    const items = itemsOf(upstream, official).collect({ playlist_id: playlistId, limit: 3, cursor }, upstream.context);
    expect(await refusal(items)).toEqual([400, 'resource']);
  });

  it('entries of a playlist of the web have pages of `limit` rows, whatever the page size of the site', async () => {
    const upstream = invented({
      browse: (request) => {
        const { continuation } = JSON.parse(request.body ?? '{}');
        return continuation === 'invented-token-2' ? appendedPage(['invented004']) : browse;
      },
    });
    const source = itemsOf(upstream, web);
    const pages: (string | null)[][] = [];
    let cursor: { source: string; at: Record<string, string | number | boolean | null> } | null = null;
    do {
      const answer = await source.collect({ playlist_id: playlistId, limit: 2, cursor }, upstream.context);
      expect(playlistEntry.array().parse(answer.record)).toEqual(answer.record);
      pages.push(answer.record.map(({ content_id }) => content_id));
      cursor = answer.next ? { source: web, at: answer.next } : null;
    } while (cursor !== null);
    expect(pages).toEqual([['invented001', 'invented002'], ['invented003'], ['invented004']]);
    expect(upstream.requests).toHaveLength(3);
  });

  it('entries of a playlist of the web have a position from 0 and no ID', async () => {
    const upstream = invented({ browse });
    const { record } = await itemsOf(upstream, web).collect({ playlist_id: playlistId, ...first }, upstream.context);
    expect(record.map(({ position, id }) => [position, id])).toEqual([
      [0, null],
      [1, null],
      [2, null],
    ]);
    expect(record[0]).toMatchObject({ playlist_owner_name: 'Invented Shore', added_at: null });
  });
});

const collaborators = (...names: string[]) => ({
  showDialogCommand: {
    panelLoadingStrategy: {
      inlineContent: {
        dialogViewModel: {
          customContent: {
            listViewModel: {
              listItems: names.map((name, index) => ({
                listItemViewModel: {
                  title: { content: name },
                  rendererContext: {
                    commandContext: {
                      onTap: { innertubeCommand: { browseEndpoint: { browseId: `UCinvented0000000000000${index}` } } },
                    },
                  },
                },
              })),
            },
          },
        },
      },
    },
  },
});
const tapped = (innertubeCommand: object) => ({ rendererContext: { commandContext: { onTap: { innertubeCommand } } } });

/** Returns an invented playlist entry in the layout that YouTube's website has had since June 2026. */
function lockup(contentId: string, index: number, metadata: object) {
  const sources = [{ url: 'https://images.example/336.jpg', width: 336, height: 188 }];
  return {
    lockupViewModel: {
      contentId,
      contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
      contentImage: { thumbnailViewModel: { image: { sources } } },
      metadata: { lockupMetadataViewModel: { title: { content: `Words of ${contentId}` }, ...metadata } },
      ...tapped({ watchEndpoint: { videoId: contentId, playlistId, index } }),
    },
  };
}

const browseId = 'UCinvented00000000000001';
const linkedOwner = {
  content: 'Invented Shore',
  commandRuns: [{ onTap: { innertubeCommand: { browseEndpoint: { browseId } } } }],
};
const rowsOf = (text: object) => ({
  metadata: { contentMetadataViewModel: { metadataRows: [{ metadataParts: [{ text }] }] } },
});
const together = {
  image: { avatarStackViewModel: tapped(collaborators('Invented Shore', 'Invented Friend')) },
  ...rowsOf({ content: 'Invented Shore and Invented Friend' }),
};
const nextPage = {
  continuationItemViewModel: {
    continuationCommand: { innertubeCommand: { continuationCommand: { token: 'invented-token-2' } } },
  },
};

describe('entries of a playlist in the current layout of the web', () => {
  const section = 'contents.twoColumnBrowseResultsRenderer.tabs.0.tabRenderer.content.sectionListRenderer.contents.0';
  const entriesOf = async (contents: object[]) => {
    const upstream = invented({ browse: changed(browse.body, `${section}.itemSectionRenderer.contents`, contents) });
    return itemsOf(upstream, web).collect({ playlist_id: playlistId, ...first }, upstream.context);
  };

  it('entries of a playlist in the current layout of the web are only those of the first section', async () => {
    const list = section.slice(0, -2);
    const recommended = [lockup('invented003', 0, rowsOf(linkedOwner)), nextPage];
    const sections = [[lockup('invented001', 0, rowsOf(linkedOwner))], recommended].map((contents) => ({
      itemSectionRenderer: { contents },
    }));
    const upstream = invented({ browse: changed(browse.body, list, sections) });
    const { record, next } = await itemsOf(upstream, web).collect(
      { playlist_id: playlistId, ...first },
      upstream.context,
    );
    expect([record.map(({ content_id }) => content_id), next ?? null]).toEqual([['invented001'], null]);
  });

  it('entries of a playlist in the current layout of the web have all fields that the page shows', async () => {
    const entries = [lockup('invented001', 0, rowsOf(linkedOwner)), lockup('invented002', 1, together), nextPage];
    const { record, next, warnings } = await entriesOf(entries);
    expect(playlistEntry.array().parse(record)).toEqual(record);
    expect(record).toMatchObject([
      {
        playlist_id: playlistId,
        content_id: 'invented001',
        resource_kind: 'youtube#video',
        title: 'Words of invented001',
        position: 0,
        author: 'Invented Shore',
        author_id: browseId,
        playlist_owner_name: 'Invented Shore',
        thumbnails: [{ url: 'https://images.example/336.jpg', width: 336 }],
        permalink: `https://www.youtube.com/watch?v=invented001&list=${playlistId}`,
      },
      { content_id: 'invented002', position: 1, author: 'Invented Shore', author_id: 'UCinvented00000000000000' },
    ]);
    expect([next, warnings]).toEqual([{ token: 'invented-token-2', skip: 0 }, undefined]);
  });

  it('entries of a playlist in the current layout of the web continue on the next page', async () => {
    const continuationItems = [lockup('invented101', 100, rowsOf(linkedOwner)), nextPage];
    const body = { onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems } }] };
    const upstream = invented({ browse: { body } });
    const cursor = { source: web, at: { token: 'invented-token-1', skip: 0 } };
    const later = { playlist_id: playlistId, limit: 20, cursor };
    const { record, next, warnings } = await itemsOf(upstream, web).collect(later, upstream.context);
    expect(record.map(({ content_id, position }) => [content_id, position])).toEqual([['invented101', 100]]);
    expect([next, warnings]).toEqual([{ token: 'invented-token-2', skip: 0 }, undefined]);
  });

  it('entries of a playlist end when a page continues with itself', async () => {
    const body = { onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems: [nextPage] } }] };
    const upstream = invented({ browse: { body } });
    const cursor = { source: web, at: { token: 'invented-token-2', skip: 0 } };
    const repeated = { playlist_id: playlistId, limit: 20, cursor };
    expect((await itemsOf(upstream, web).collect(repeated, upstream.context)).next).toBeNull();
  });

  it.each([
    ['thumbnailViewModel', { thumbnailViewModel: { image: { sources: [{ url: 'https://images.example/s.jpg' }] } } }],
    ['thumbnail', { sources: [{ url: 'https://images.example/s.jpg' }] }],
  ])('entries of a playlist of shorts are read from its grid, with the picture in %s', async (name, picture) => {
    const shortsLockupViewModel = {
      [name]: picture,
      indexInCollection: 3,
      overlayMetadata: { primaryText: { content: 'A wave' } },
      onTap: { innertubeCommand: { reelWatchEndpoint: { videoId: 'invented003' } } },
    };
    const grid = { richGridRenderer: { contents: [{ richItemRenderer: { content: { shortsLockupViewModel } } }] } };
    const { record, warnings } = await entriesOf([grid]);
    expect(record).toMatchObject([
      {
        content_id: 'invented003',
        title: 'A wave',
        position: 3,
        author: null,
        thumbnails: [{ url: 'https://images.example/s.jpg' }],
      },
    ]);
    expect(warnings).toBeUndefined();
  });

  it('shorts of a playlist that cannot be read are counted in a warning, and 422 when no short can be read', async () => {
    const unread = { richItemRenderer: { content: { shortsLockupViewModel: {} } } };
    const gridOf = (...contents: object[]) => entriesOf([{ richGridRenderer: { contents } }]);
    const { record, warnings } = await gridOf(unread, lockup('invented001', 1, rowsOf(linkedOwner)));
    expect(record.map(({ content_id }) => content_id)).toEqual(['invented001']);
    expect(warnings).toEqual([expect.stringMatching(/^Left out 1 of /)]);
    expect(await refusal(gridOf(unread, unread))).toEqual([422, 'us']);
  });

  it('entries of a playlist are an empty list when its page has only a message, and 422 when it has nothing', async () => {
    expect((await entriesOf([{ messageRenderer: {} }])).record).toEqual([]);
    expect(await refusal(entriesOf([]))).toEqual([422, 'us']);
    expect(await refusal(entriesOf([{ futureViewModel: {} }]))).toEqual([422, 'us']);
  });
});

const lists = exchangesOf('playlists').filter(({ query }) => query?.id !== undefined);
const entryLists = exchangesOf('playlistItems').filter(({ file }) => !file?.includes('error'));
const pages = exchangesOf('browse').filter(({ body }) => String(body?.browseId).startsWith('VL'));

describeRecorded('recorded playlists', () => {
  it.each(lists.map((exchange) => [String(exchange.query?.id), exchange] as const))(
    'recorded playlists have all fields from the official source: %s',
    async (id, exchange) => {
      const item = at(bodyOf(exchange), 'items.0');
      const upstream = recorded();
      const { record } = await listOf(upstream, official).collect({ playlist_id: id }, upstream.context);
      expect(playlist.parse(record)).toEqual(record);
      expect(record).toMatchObject({
        id,
        title: at(item, 'snippet.title'),
        author: at(item, 'snippet.channelTitle'),
        account_id: at(item, 'snippet.channelId'),
        published_at: instant(at(item, 'snippet.publishedAt')),
        updated_at: null,
        item_count: at(item, 'contentDetails.itemCount') ?? null,
      });
    },
  );

  it.each(entryLists.map((exchange) => [String(exchange.query?.playlistId), exchange] as const))(
    'recorded playlists have official entries: %s',
    async (id, exchange) => {
      const items = at(bodyOf(exchange), 'items') as unknown[];
      const upstream = recorded();
      const source = itemsOf(upstream, official);
      const { record, next } = await source.collect({ playlist_id: id, ...first }, upstream.context);
      expect(playlistEntry.array().parse(record)).toEqual(record);
      const shown = items.slice(0, 20);
      expect(record.map((row) => row.content_id)).toEqual(shown.map((item) => at(item, 'snippet.resourceId.videoId')));
      expect(record.map((row) => row.position)).toEqual(shown.map((item) => at(item, 'snippet.position')));
      expect(record.map((row) => row.id)).toEqual(shown.map((item) => at(item, 'id') ?? null));
      expect(record.map((row) => row.author)).toEqual(
        shown.map((item) => at(item, 'snippet.videoOwnerChannelTitle') ?? null),
      );
      expect(record.map((row) => row.added_at)).toEqual(shown.map((item) => instant(at(item, 'snippet.publishedAt'))));
      const more =
        items.length > 20 ? { token: null, skip: 20 } : { token: at(bodyOf(exchange), 'nextPageToken'), skip: 0 };
      expect(next).toEqual(more);
    },
  );

  it.each(
    pages
      .filter((page) => at(bodyOf(page), 'sidebar') !== undefined)
      .map((page) => [String(page.body?.browseId), page] as const),
  )('public page %s', async (browseId, page) => {
    const items = at(bodyOf(page), 'sidebar.playlistSidebarRenderer.items');
    const stats = at(items, '0.playlistSidebarPrimaryInfoRenderer.stats');
    const upstream = recorded({ key: null });
    const { record } = await listOf(upstream, web).collect({ playlist_id: browseId.slice(2) }, upstream.context);
    expect(playlist.parse(record)).toEqual(record);
    const owner = '1.playlistSidebarSecondaryInfoRenderer.videoOwner.videoOwnerRenderer.title.runs.0';
    const updated = new Date(
      `${at(stats, '2.runs.1.text') ?? at(stats, '2.simpleText')} UTC`.replace(/.* on /, '').replace('Sept', 'Sep'),
    );
    expect(record).toMatchObject({
      id: browseId.slice(2),
      title: at(bodyOf(page), 'microformat.microformatDataRenderer.title'),
      author: at(items, `${owner}.text`),
      account_id: at(items, `${owner}.navigationEndpoint.browseEndpoint.browseId`),
      item_count: Number(at(stats, '0.runs.0.text')),
      updated_at: updated.toISOString().slice(0, 10),
      privacy_status: at(bodyOf(page), 'microformat.microformatDataRenderer.unlisted') === true ? 'unlisted' : null,
    });
  });

  it.each(['PL8dPuuaLjXtOAKed_MxxWBNaPno5h3Zs8', 'PLXJg25X-OulsVsnvZ7RVtSDW-id9_RzAO'])(
    'recorded playlists have public entries: %s',
    async (id) => {
      const page = JSON.stringify(bodyOf(pages.find(({ body }) => body?.browseId === `VL${id}`)));
      const ids = [...page.matchAll(/"playlistVideoRenderer":\{"videoId":"([^"]+)"/g)].map(([, videoId]) => videoId);
      const upstream = recorded({ key: null });
      const { record, next } = await itemsOf(upstream, web).collect({ playlist_id: id, ...first }, upstream.context);
      expect(record.map((row) => row.content_id)).toEqual(ids.slice(0, 20));
      expect(record.map((row) => row.position)).toEqual(ids.slice(0, 20).map((_, index) => index));
      expect(next).toEqual(ids.length > 20 ? { token: null, skip: 20 } : null);
    },
  );

  it('recorded playlists continue with the rows of a recorded second page', async () => {
    const second = exchangesOf('browse').find(({ file }) => file?.includes('continuations1.items-p2'));
    const upstream = recorded({ key: null });
    const cursor = { source: web, at: { token: String([second?.body?.continuation].flat()[0]), skip: 0 } };
    const params = { playlist_id: 'PLoumn5BIsUDeGF1vy5Nylf_RJKn5aL_nr', limit: 20, cursor };
    const { record, next } = await itemsOf(upstream, web).collect(params, upstream.context);
    expect(record.map((row) => row.position)).toEqual(Array.from({ length: 20 }, (_, index) => 100 + index));
    expect(next).toEqual({ ...cursor.at, skip: 20 });
  });

  it.each([
    ['official entries of a missing playlist', official, 'PLerrPlaylistNotFound', 404],
    ['official entries without permission', official, 'PLerrPermission', 403],
    ['a page of no list', web, 'INVALID_ID', 404],
  ])('recorded playlists are refused: %s', async (_what, name, id, status) => {
    const upstream = recorded();
    const items = itemsOf(upstream, name).collect({ playlist_id: id, ...first }, upstream.context);
    expect(await refusal(items)).toEqual([status, 'resource']);
  });
});
