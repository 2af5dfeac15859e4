import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { captionSegments, chosenTrack } from '../../../pipeline/longvideo/captions.ts';
import { unescapeHtml } from '../../../pipeline/parse/values.ts';
import { transcript } from '../../../pipeline/records/longvideo.ts';
import { describeRecorded, recordedFolder } from '../../recorded.ts';
import {
  at,
  bodyOf,
  changed,
  exchangesOf,
  invented,
  readFixture,
  recorded,
  refusal,
  sourceOf,
  type Upstream,
} from './upstream.ts';

const id = 'invented001';
const player = { body: readFixture('player.json') };
const tracks = 'captions.playerCaptionsTracklistRenderer.captionTracks';

const collect = ({ collectors, context }: Upstream, video = id) =>
  sourceOf(collectors.longvideoTranscript, 'youtube-web').collect({ id: video }, context);

const event = (tStartMs: number, dDurationMs: number | undefined, ...words: string[]) => ({
  tStartMs,
  dDurationMs,
  segs: words.map((utf8) => ({ utf8 })),
});
const json3 = (...events: object[]) => ({ body: { wireMagic: 'pb3', events } });

const track = (languageCode: string, kind?: string, name = languageCode) => ({
  languageCode,
  kind,
  name: { simpleText: name },
});
const captions = (captionTracks: object[], audio: object = {}) => ({
  playerCaptionsTracklistRenderer: { captionTracks, audioTracks: [audio] },
});

describe('the caption track of a transcript', () => {
  it.each([
    ['written English before all', [track('de'), track('en', 'asr'), track('en-GB'), track('en')], 'en', undefined],
    ['a written variety of English', [track('de'), track('en', 'asr'), track('en-GB')], 'en-GB', undefined],
    ['generated English before another language', [track('de'), track('en', 'asr')], 'en', 'asr'],
    ['the first written one without English', [track('is', 'asr'), track('de'), track('fr')], 'de', undefined],
    ['the first one at last', [track('is', 'asr'), track('de', 'asr')], 'is', 'asr'],
  ])('the track of a transcript is %s', (_what, listed, languageCode, kind) => {
    expect(chosenTrack(captions(listed))).toMatchObject({ languageCode, kind });
  });

  it('the track of a transcript is the default track of the video when it has no English', () => {
    const listed = [track('de'), track('fr'), track('is')];
    expect(chosenTrack(captions(listed, { defaultCaptionTrackIndex: 2, captionTrackIndices: [1] }))).toMatchObject({
      languageCode: 'is',
    });
    expect(chosenTrack(captions(listed, { captionTrackIndices: [1, 0] }))).toMatchObject({ languageCode: 'fr' });
  });

  it('the track of a transcript is not one whose language code only begins like English', () => {
    expect(chosenTrack(captions([track('enm'), track('de')], { defaultCaptionTrackIndex: 1 }))).toMatchObject({
      languageCode: 'de',
    });
  });
});

describe('segments of a YouTube caption file', () => {
  it('segments of a caption file are its events with text, in source order and with their times', () => {
    const file = {
      events: [
        { tStartMs: 0, dDurationMs: 9000, id: 1 },
        event(1200, 3400, 'Tide ', 'pools'),
        { tStartMs: 2000, aAppend: 1, segs: [{ utf8: '\n' }] },
        event(2100, 5000, 'at dawn'),
        event(9000, undefined, '  '),
      ],
    };
    expect(captionSegments(Buffer.from(JSON.stringify(file)))).toEqual([
      { start: 1.2, duration: 3.4, text: 'Tide pools' },
      { start: 2.1, duration: 5, text: 'at dawn' },
    ]);
  });

  it('segments of a caption file are read from the older XML, which is escaped twice', () => {
    const file =
      '<?xml version="1.0"?><transcript><text start="0.5" dur="2">It&amp;#39;s &lt;font color="#fff"&gt;low&lt;/font&gt; tide</text><text start="3">no end</text></transcript>';
    expect(captionSegments(Buffer.from(file))).toEqual([
      { start: 0.5, duration: 2, text: "It's low tide" },
      { start: 3, duration: null, text: 'no end' },
    ]);
  });

  it('segments of a caption file are read from the newer XML', () => {
    const file =
      '<timedtext format="3"><body><p t="500" d="2000" w="1"><s>Low</s><s t="300"> tide &amp; wind</s></p><p t="900" d="10" a="1">\n</p></body></timedtext>';
    expect(captionSegments(Buffer.from(file))).toEqual([{ start: 0.5, duration: 2, text: 'Low tide & wind' }]);
  });

  it.each(['{"events":[]}', 'WEBVTT', '<html></html>'])('the caption file %o is SOURCE_RESPONSE_CHANGED', (file) => {
    expect(() => captionSegments(Buffer.from(file))).toThrow(
      expect.objectContaining({ code: 'SOURCE_RESPONSE_CHANGED' }),
    );
  });
});

describe('a transcript', () => {
  it('a transcript joins the segments of the chosen track and ends with the last caption', async () => {
    const timedtext = json3(event(0, 9000, 'Tide\npools'), event(1000, 2500, 'at dawn '));
    const upstream = invented({ player, timedtext });
    const { record } = await collect(upstream);
    expect(transcript.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      video_id: id,
      video_title: 'Tide pools at dawn #Tidepools',
      author: 'Invented Shore',
      channel_id: 'UCinvented00000000000001',
      language: 'en',
      language_name: 'English',
      generated: false,
      text: 'Tide pools at dawn',
      segment_count: 2,
      duration_seconds: 9,
    });
    expect(record.available_languages).toHaveLength(2);
    expect(JSON.stringify(record)).not.toContain('signed');
    expect(upstream.requests.map(({ url }) => new URL(url).searchParams.get('fmt'))).toEqual([null, 'json3']);
  });

  it('a transcript has no duration when any time of its segments is incomplete', async () => {
    const { record } = await collect(
      invented({ player, timedtext: json3(event(0, 900, 'a'), event(900, undefined, 'b')) }),
    );
    expect([record.duration_seconds, record.segments?.[1]?.duration]).toEqual([null, null]);
  });

  it('a transcript replaces the format in the URL of its track, and only sends requests to YouTube', async () => {
    const named = changed(player.body, `${tracks}.0.baseUrl`, '/api/timedtext?v=x&fmt=srv3&lang=en');
    const upstream = invented({ player: named, timedtext: json3(event(0, 1, 'a')) });
    await collect(upstream);
    expect(upstream.requests[1]?.url).toBe('https://www.youtube.com/api/timedtext?v=x&fmt=json3&lang=en');
    for (const address of [
      'https://elsewhere.example/api/timedtext?v=x',
      'https://www.youtube.com/redirect?q=x',
      undefined,
    ]) {
      const strange = invented({ player: changed(player.body, `${tracks}.0.baseUrl`, address) });
      expect(await refusal(collect(strange))).toEqual([422, 'us']);
      expect(strange.requests).toHaveLength(1);
    }
  });

  it.each([
    ['withheld: an empty file', { body: '' }, 403, 'us'],
    ['throttled', { status: 429, body: '' }, 429, 'block'],
    ['refused', { status: 403, body: '' }, 403, 'block'],
    ['missing', { status: 404, body: '' }, 422, 'us'],
    ['a page', { body: '<!DOCTYPE html><p>Hello' }, 422, 'us'],
  ])('a transcript is refused when its captions are %s', async (_what, timedtext, status, about) => {
    expect(await refusal(collect(invented({ player, timedtext })))).toEqual([status, about]);
  });

  it('a transcript is 404 for a video without tracks and 403 for a restricted video', async () => {
    const uncaptioned = changed(player.body, 'captions', undefined);
    expect(await refusal(collect(invented({ player: uncaptioned })))).toEqual([404, 'resource']);
    const restricted = changed(player.body, 'playabilityStatus.status', 'LOGIN_REQUIRED');
    expect(await refusal(collect(invented({ player: restricted })))).toEqual([403, 'resource']);
    const renamed = changed(player.body, 'captions', { captionsTracklistRenderer: {} });
    expect(await refusal(collect(invented({ player: renamed })))).toEqual([422, 'us']);
  });
});

describeRecorded('recorded transcripts', () => {
  it.each([
    ['rCAS2eD-mcw', 'en'],
    ['ud9d5cMDP_0', 'de'],
  ])('recorded transcripts equal the caption file of %s', async (video, language) => {
    const file = bodyOf(exchangesOf('timedtext').find(({ query }) => query?.v === video));
    const events = (
      at(file, 'events') as { segs?: { utf8: string }[]; tStartMs: number; dDurationMs?: number }[]
    ).filter(({ segs }) => (segs ?? []).some(({ utf8 }) => utf8.trim() !== ''));
    const { record } = await collect(recorded({ key: null }), video);
    expect(transcript.parse(record)).toEqual(record);
    expect(record.segments?.map(({ start }) => start)).toEqual(events.map(({ tStartMs }) => tStartMs / 1000));
    expect(record.segments?.map(({ text }) => text)).toEqual(
      events.map(({ segs = [] }) => segs.map(({ utf8 }) => utf8).join('')),
    );
    expect(record.segment_count).toBe(events.length);
    const complete = events.every(({ dDurationMs }) => dDurationMs !== undefined);
    const end = Math.max(...events.map(({ tStartMs, dDurationMs = 0 }) => tStartMs + dDurationMs));
    expect(record.duration_seconds).toBe(complete ? end / 1000 : null);
    expect(record).toMatchObject({ video_id: video, language, generated: false });
    expect(record.text).not.toMatch(/\n/);
  });

  it('recorded transcripts are read from the older format', async () => {
    const file = readFileSync(join(recordedFolder, 'longvideo/timedtext.srv1.eF8Qqp7rjDg.xml'), 'utf8');
    const starts = [...file.matchAll(/<text start="([\d.]+)"/g)].map(([, start]) => Number(start));
    const { record } = await collect(recorded({ key: null }), 'eF8Qqp7rjDg');
    expect(record.segments?.map(({ start }) => start)).toEqual(starts);
    expect(record.text).toBe(unescapeHtml(record.text ?? ''));
  });

  it.each([
    ['withheld captions', 'GJLlxj_dtq8', 403, 'us'],
    ['captions turned off', 'dsMFmonKDD4', 404, 'resource'],
    ['an age restriction', 'rwcfPqbAx-0', 403, 'resource'],
    ['a region restriction', '_PL2HJKxnOM', 403, 'resource'],
    ['members only', 'ayI2iBwGdxw', 403, 'resource'],
    ['payment', 'SyKPsFRP_Oc', 403, 'resource'],
    ['a private video', '8VajtrESJzA', 404, 'resource'],
    ['no video', 'INVALID_ID_', 404, 'resource'],
    ['a login wall against bots', 'replayBotWl', 403, 'block'],
    ['the consent page', 'rplyConsent', 403, 'block'],
    ['a throttle', 'replaySorry', 429, 'block'],
  ])('recorded transcripts are refused for %s', async (_what, video, status, about) => {
    expect(await refusal(collect(recorded({ key: null }), video))).toEqual([status, about]);
  });
});
