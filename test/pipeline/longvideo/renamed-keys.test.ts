import { expect, it } from 'vitest';
import { type Collected, type Collector, collect } from '../../../pipeline/collect/collect.ts';
import { SourceError } from '../../../pipeline/errors.ts';
import type * as longvideo from '../../../pipeline/longvideo/collectors.ts';
import type { Fetcher } from '../../../pipeline/network/fetcher.ts';
import { describeRecorded, recordedFetcher } from '../../recorded.ts';
import { renamedPaths } from '../collect/renamed-keys.ts';
import { exchangesOf, over } from './upstream.ts';

type Row = Record<string, unknown>;
type ListName = Exclude<
  keyof typeof longvideo,
  'longvideoVideo' | 'longvideoChannel' | 'longvideoPlaylist' | 'longvideoTranscript'
>;

const official = 'youtube-data-api';
const web = 'youtube-web';
const search = { type: ['video', 'channel', 'playlist'], order: 'relevance', region_code: null, language: null };
const only = (type: string) => ({ ...search, type: [type] });
type ListCase = [ListName, string, { page?: string; [parameter: string]: unknown }];
const commentsOf = (source: string, id: string): ListCase => ['longvideoComments', source, { id, order: 'relevance' }];
const searchFor = (query: string): ListCase => ['longvideoSearch', official, { ...search, query }];

/**
 * All recorded answers with a list: the collector, the source and the parameters. `page` names a recorded later page of
 * the list.
 */
const lists: ListCase[] = [
  ['longvideoChannelVideos', official, { channel_id: 'UCzORJV8l3FWY4cFO8ot-F2w' }],
  ['longvideoChannelVideos', web, { channel_id: 'UCEAXWzgcuF6XEiJcszhikQA' }],
  ['longvideoChannelVideos', web, { channel_id: 'UCUaQMQS9lY5lit3vurpXQ6w' }],
  ['longvideoChannelVideos', web, { channel_id: 'UCTwECeGqMZee77BjdoYtI2Q' }],
  ['longvideoChannelVideos', web, { channel_id: 'UCYJ61XIK64sp6ZFFS8sctxw' }],
  ['longvideoChannelVideos', web, { channel_id: 'UCTwECeGqMZee77BjdoYtI2Q', page: 'videos.continuation' }],
  ['longvideoChannelPlaylists', official, { channel_id: 'UC_x5XG1OV2P6uZZ5FSM9Ttw' }],
  ['longvideoChannelPlaylists', web, { channel_id: 'UC2DjFE7Xf11URZqWBigcVOQ' }],
  ['longvideoChannelPlaylists', web, { channel_id: 'UC2DjFE7Xf11URZqWBigcVOQ', page: 'playlists.continuation' }],
  ['longvideoPlaylistItems', official, { playlist_id: 'UUzORJV8l3FWY4cFO8ot-F2w' }],
  ['longvideoPlaylistItems', official, { playlist_id: 'PLOU2XLYxmsIKpaV8h0AGE05so0fAwwfTw' }],
  ['longvideoPlaylistItems', official, { playlist_id: 'RDZiQo7nAkQHU' }],
  ['longvideoPlaylistItems', web, { playlist_id: 'PL8dPuuaLjXtOAKed_MxxWBNaPno5h3Zs8' }],
  ['longvideoPlaylistItems', web, { playlist_id: 'PLXJg25X-OulsVsnvZ7RVtSDW-id9_RzAO' }],
  [
    'longvideoPlaylistItems',
    web,
    { playlist_id: 'PLoumn5BIsUDeGF1vy5Nylf_RJKn5aL_nr', page: 'continuations1.items-p2' },
  ],
  ...['wtLJPvx7-ys', '7ghhRHRP6t4', 'D-lhorsDlUQ', 'F1UP7wRCPH8'].map((id) => commentsOf(official, id)),
  ...['VsFjP58j5i8', 'bjFtFMilb34', 'xaQJbozY_Is', 'D00Au7k3i6o', 'QqsLTNkzvaY'].map((id) => commentsOf(web, id)),
  ['longvideoCommentReplies', official, { comment_id: 'Ugw5zYU6n9pmIgAZWvN4AaABAg' }],
  ...['surfing', 'hakos baelz', 'live news', 'replay channels', 'neil young'].map((query) => searchFor(query)),
  ['longvideoSearch', web, { ...search, query: 'test' }],
  ['longvideoSearch', web, { ...only('channel'), query: 'test' }],
  ['longvideoSearch', web, { ...only('channel'), query: 'test', page: 'search.innertube.channels.continuation' }],
  ['longvideoSearch', web, { ...only('playlist'), query: 'test' }],
  ['longvideoSearch', web, { ...only('video'), query: 'cirque du soleil' }],
  ['longvideoSearch', web, { ...only('video'), query: 'test', page: 'search.innertube.videos.continuation' }],
  ['longvideoSearch', web, { ...only('video'), query: 'Nxk6aRHi664' }],
];

type Answer = Collected<Row[]> | SourceError;

/**
 * Collects a list from one source whose answers are recorded. `changed`, if given, replaces the recorded body
 * `original`.
 */
async function ask(
  recorded: Fetcher,
  [name, source, params]: [ListName, string, object],
  original?: Buffer,
  changed?: Buffer,
) {
  const bodies: Buffer[] = [];
  const { collectors, context } = over(async (request, signal) => {
    const answer = await recorded(request, signal);
    bodies.push(answer.body);
    return original?.equals(answer.body) && changed ? { ...answer, body: changed } : answer;
  });
  const collector = collectors[name] as unknown as Collector<object, Row[]>;
  const sources = collector.sources.filter((one) => one.name === source);
  const answer: Answer = await collect({ ...collector, sources }, params, context).catch((error: unknown) => {
    if (error instanceof SourceError) return error;
    throw error;
  });
  return { answer, bodies };
}

/** Returns the cursor of a recorded later page of a list. */
function cursorOf(page: string | undefined) {
  if (page === undefined) return null;
  const exchange = [...exchangesOf('browse'), ...exchangesOf('search')].find(({ file }) => file?.includes(page));
  return { source: web, at: { token: String([exchange?.body?.continuation].flat()[0]), skip: 0 } };
}

/** Returns the parts of a row that may change only with a warning: its ID, and whether it has a title or text. */
const coreOf = (row: Row) => [row.content_id ?? row.id, typeof (row.title ?? row.text)];

describeRecorded('a list with a key renamed', () => {
  it.each(lists)('a renamed key causes 422 or a warning: %s of %s, %o', { timeout: 120_000 }, async (...row) => {
    const [name, source, { page, ...rest }] = row;
    const params = { limit: 20, cursor: cursorOf(page), ...rest };
    const recorded = recordedFetcher();
    const list: [ListName, string, object] = [name, source, params];
    const { answer: before, bodies } = await ask(recorded, list);
    if (before instanceof SourceError) throw before;
    expect(before.record.length).toBeGreaterThan(0);
    const token = source === web ? before.next?.at.token : null;
    const known = before.record.flatMap((row) => [row.content_id, row.id, row.title, row.text]);
    const values = new Set([...known, token].filter((value) => typeof value === 'string' && value !== ''));
    const silent: string[] = [];
    let copies = 0;
    for (const original of bodies) {
      for (const { path, body } of renamedPaths(JSON.parse(original.toString()), (value) => values.has(value))) {
        copies++;
        const { answer } = await ask(recorded, list, original, body);
        if (!isHonest(answer, before)) silent.push(path);
      }
    }
    expect(silent).toEqual([]);
    expect(copies).toBeGreaterThan(3);
  });
});

function isHonest(answer: Answer, before: Collected<Row[]>): boolean {
  if (answer instanceof SourceError) return answer.code === 'SOURCE_RESPONSE_CHANGED';
  const contentOf = ({ record, next }: Collected<Row[]>) => JSON.stringify([record.map(coreOf), next === null]);
  if (contentOf(answer) === contentOf(before)) return true;
  return answer.record.length > 0 && answer.partial && answer.warnings.length > 0;
}
