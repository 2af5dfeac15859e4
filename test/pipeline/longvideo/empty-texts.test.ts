import { expect, it } from 'vitest';
import { longvideoSearchParams } from '../../../pipeline/longvideo/params.ts';
import { invented, sourceOf, type Upstream } from './upstream.ts';

const official = 'youtube-data-api';
const web = 'youtube-web';
const id = 'invented001';
const playlistId = 'PLinvented0000000000001';
const channelId = 'UCinvented00000000000001';
const list = { limit: 20, cursor: null };
const empty = { title: 'Shore walks', description: '', customUrl: '', localized: { title: 'Walks', description: '' } };

const answering = (endpoint: string, kind: string, ...items: object[]) =>
  invented({ [endpoint]: { body: { kind: `youtube#${kind}ListResponse`, items } } }, { keyless: false });

async function video({ collectors, context }: Upstream) {
  return (await sourceOf(collectors.longvideoVideo, official).collect({ id }, context)).record;
}
async function channel({ collectors, context }: Upstream) {
  return (await sourceOf(collectors.longvideoChannel, official).collect({ channel_id: channelId }, context)).record;
}
async function playlist({ collectors, context }: Upstream) {
  return (await sourceOf(collectors.longvideoPlaylist, official).collect({ playlist_id: playlistId }, context)).record;
}

it('an empty free text of the official YouTube source stays empty, and an empty name is null', async () => {
  const shownVideo = await video(answering('videos', 'video', { id, snippet: empty }));
  expect(shownVideo).toMatchObject({ description: '', localized: { title: 'Walks', description: '' } });
  const shownChannel = await channel(answering('channels', 'channel', { id: channelId, snippet: empty }));
  expect(shownChannel).toMatchObject({ bio: '', username: null });
  const shownPlaylist = await playlist(answering('playlists', 'playlist', { id: playlistId, snippet: empty }));
  expect(shownPlaylist).toMatchObject({ description: '', author: null });
});

it('an empty free text in a list of the official YouTube source stays empty', async () => {
  const found = answering('search', 'search', { id: { kind: 'youtube#video', videoId: id }, snippet: empty });
  const results = sourceOf(found.collectors.longvideoSearch, official);
  const search = longvideoSearchParams.parse({ query: 'tide pools' });
  expect((await results.collect(search, found.context)).record[0]?.description).toBe('');
  const listed = answering('playlistItems', 'playlistItem', { snippet: empty, contentDetails: { videoId: id } });
  const entries = sourceOf(listed.collectors.longvideoPlaylistItems, official);
  expect((await entries.collect({ playlist_id: playlistId, ...list }, listed.context)).record[0]?.description).toBe('');
  const replied = answering('comments', 'comment', { id: 'UgInvented.1', snippet: { textOriginal: '' } });
  const replies = sourceOf(replied.collectors.longvideoCommentReplies, official);
  const params = { comment_id: 'UgInventedThread0000AaABAg', ...list };
  expect((await replies.collect(params, replied.context)).record[0]?.text).toBe('');
});

it.each([
  [{ videoId: id, title: 'Shore walks', shortDescription: '' }, ''],
  [{ videoId: id, title: 'Shore walks' }, null],
])('the description of the player %o is %o', async (videoDetails, description) => {
  const player = { body: { playabilityStatus: { status: 'OK' }, videoDetails } };
  const { collectors, context } = invented({ player, next: { body: {} } });
  const { record } = await sourceOf(collectors.longvideoVideo, web).collect({ id }, context);
  expect(record.description).toBe(description);
});
