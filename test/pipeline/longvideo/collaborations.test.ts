import { describe, expect, it } from 'vitest';
import { longvideoSearchParams } from '../../../pipeline/longvideo/params.ts';
import { describeRecorded } from '../../recorded.ts';
import { exchangesOf, invented, recorded, sourceOf } from './upstream.ts';

const web = 'youtube-web';
const playlistId = 'PLinvented0000000000001';
const channel = (browseId: string) => ({ browseEndpoint: { browseId } });
const owner = { author: 'Invented Shore', author_id: 'UCinvented00000000000001' };

/** Returns the dialog of a collaboration: a list of accounts, of which the first owns the video. */
const dialog = (...items: object[]) => ({
  showDialogCommand: {
    panelLoadingStrategy: {
      inlineContent: {
        dialogViewModel: {
          customContent: {
            listViewModel: { listItems: items.map((listItemViewModel) => ({ listItemViewModel })) },
          },
        },
      },
    },
  },
});
const tapped = (name: string, id: string) => ({
  title: { content: name },
  rendererContext: { commandContext: { onTap: { innertubeCommand: channel(id) } } },
});
const linked = (name: string, id: string) => ({
  title: { content: name, commandRuns: [{ onTap: { innertubeCommand: channel(id) } }] },
});
const second = tapped('Invented Friend', 'UCinvented00000000000002');

const byline = (navigationEndpoint: object) => ({
  runs: [{ text: 'Invented Shore and Invented Friend', navigationEndpoint }],
});
const title = { simpleText: 'Shore walks' };

async function searchAuthor(row: object) {
  const body = {
    onResponseReceivedCommands: [{ appendContinuationItemsAction: { continuationItems: [row] } }],
  };
  const { collectors, context } = invented({ search: { body } });
  const cursor = { source: web, at: { token: 'page-2', skip: 0 } };
  const params = longvideoSearchParams.parse({ query: 'tide pools', cursor });
  const { record } = await sourceOf(collectors.longvideoSearch, web).collect(params, context);
  return { author: record[0]?.author, author_id: record[0]?.channel_id };
}

async function entryAuthor(shortBylineText: object) {
  const row = { playlistVideoRenderer: { videoId: 'invented001', title, shortBylineText } };
  const body = { onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems: [row] } }] };
  const { collectors, context } = invented({ browse: { body } });
  const cursor = { source: web, at: { token: 'page-2', skip: 0 } };
  const { record } = await sourceOf(collectors.longvideoPlaylistItems, web).collect(
    { playlist_id: playlistId, limit: 20, cursor },
    context,
  );
  return { author: record[0]?.author, author_id: record[0]?.author_id };
}

/**
 * Creates a video in YouTube's newer layout. `text` contains the names of the video's channels, and `image` their
 * pictures.
 */
function lockup(text: object, image?: object) {
  const metadata = { contentMetadataViewModel: { metadataRows: [{ metadataParts: [{ text }] }] } };
  const lockupMetadataViewModel = { title: { content: 'Shore walks' }, image, metadata };
  const contentType = 'LOCKUP_CONTENT_TYPE_VIDEO';
  return { lockupViewModel: { contentId: 'invented001', contentType, metadata: { lockupMetadataViewModel } } };
}

describe('the author of a YouTube collaboration', () => {
  it.each([tapped, linked])('the author of a collaboration is the first account of its dialog (%o)', async (first) => {
    const opened = dialog(first('Invented Shore', 'UCinvented00000000000001'), second);
    const video = { videoId: 'invented001', title, ownerText: byline(opened) };
    expect(await searchAuthor({ videoRenderer: video })).toEqual(owner);
    expect(await entryAuthor(byline(opened))).toEqual(owner);
  });

  it('the author of a collaboration is found in a row of the newer layout', async () => {
    const opened = dialog(tapped('Invented Shore', 'UCinvented00000000000001'), second);
    const text = {
      content: 'Invented Shore and Invented Friend',
      commandRuns: [{ onTap: { innertubeCommand: opened } }],
    };
    expect(await searchAuthor(lockup(text))).toEqual(owner);
  });

  it('the author of a collaboration is found behind the pictures of its channels when the names have no link', async () => {
    const innertubeCommand = dialog(tapped('Invented Shore', 'UCinvented00000000000001'), second);
    const text = { content: 'Invented Shore and Invented Friend' };
    const image = { avatarStackViewModel: { rendererContext: { commandContext: { onTap: { innertubeCommand } } } } };
    expect(await searchAuthor(lockup(text, image))).toEqual(owner);
  });

  it.each([
    ['the dialog cannot be read', byline({ showDialogCommand: {} })],
    ['the first account has no id', byline(dialog({ title: { content: 'Invented Shore' } }, second))],
    [
      'the text links several channels',
      {
        runs: ['UCinvented00000000000001', 'UCinvented00000000000002'].map((id) => ({
          text: id,
          navigationEndpoint: channel(id),
        })),
      },
    ],
  ])('the author of a collaboration is null when %s', async (_what, shown) => {
    expect(await entryAuthor(shown)).toEqual({ author: null, author_id: null });
  });

  it('the author of a video by one channel is the name in the byline, with its ID when the name has a link', async () => {
    const run = { text: 'Invented Shore' };
    expect(await entryAuthor({ runs: [{ ...run, navigationEndpoint: channel(owner.author_id) }] })).toEqual(owner);
    expect(await entryAuthor({ runs: [run] })).toEqual({ author: 'Invented Shore', author_id: null });
  });
});

describeRecorded('recorded collaborations', () => {
  it('recorded collaborations in a playlist and in a search have the owner as the author', async () => {
    const { collectors, context } = recorded({ key: null });
    const later = exchangesOf('browse').find(({ file }) => file?.includes('continuations1.items-p2'));
    const cursor = { source: web, at: { token: String([later?.body?.continuation].flat()[0]), skip: 0 } };
    const list = { playlist_id: 'PLoumn5BIsUDeGF1vy5Nylf_RJKn5aL_nr', limit: 20, cursor };
    const entries = await sourceOf(collectors.longvideoPlaylistItems, web).collect(list, context);
    const params = longvideoSearchParams.parse({ query: 'Nxk6aRHi664', type: ['video'] });
    const results = await sourceOf(collectors.longvideoSearch, web).collect(params, context);
    const rows = [...entries.record.map((row) => [row.author, row.author_id])];
    rows.push(...results.record.map((row) => [row.author, row.channel_id]));
    expect(rows.every(([, id]) => id?.startsWith('UC'))).toBe(true);
    expect(rows.filter(([author]) => author?.includes(' and '))).toEqual([]);
  });
});
