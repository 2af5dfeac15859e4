import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { collect } from '../../../pipeline/collect/collect.ts';
import type { UpstreamRequest } from '../../../pipeline/network/fetcher.ts';
import { transcript } from '../../../pipeline/records/longvideo.ts';
import { describeRecorded, recordedFolder } from '../../recorded.ts';
import { at, changed, invented, readFixture, recorded, refusal, sourceOf, type Upstream } from './upstream.ts';

const id = 'invented001';
const player = { body: readFixture('player.json') };
const words = { body: { wireMagic: 'pb3', events: [{ tStartMs: 0, dDurationMs: 900, segs: [{ utf8: 'low tide' }] }] } };

const from = ({ collectors, context }: Upstream, source: string, video = id) =>
  sourceOf(collectors.longvideoTranscript, source).collect({ id: video }, context);
const collected = ({ collectors, context }: Upstream, video = id) =>
  collect(collectors.longvideoTranscript, { id: video }, context);

const clientOf = ({ body = '{}' }: UpstreamRequest): string => JSON.parse(body).context.client.clientName;
const app = 'VISIONOS';
/**
 * Returns a function that answers player requests: with `ofApp` when the request claims to come from the YouTube app,
 * otherwise with `web`. The app's answer has no microformat, and its caption URL already contains a format.
 */
const players = (web: { body: object | string; status?: number }, ofApp: object = appPlayer) => {
  return (request: UpstreamRequest) => (clientOf(request) === app ? { body: ofApp } : web);
};
const trackAt = (address: string) =>
  changed(player.body, 'captions.playerCaptionsTracklistRenderer.captionTracks.0.baseUrl', address);
const appAddress = 'https://www.youtube.com/api/timedtext?v=x&fmt=srv3&app=1';
const appPlayer = changed(trackAt(appAddress).body, 'microformat', undefined).body;
const gated = trackAt('https://www.youtube.com/api/timedtext?v=x&exp=xpe');
const loginWall = {
  body: { playabilityStatus: { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot' } },
};

describe('captions that the YouTube website withholds', () => {
  /** Returns the endpoint and the client (website or app) of each request, in order. */
  const sent = ({ requests }: Upstream) =>
    requests.map((request) => {
      const endpoint = new URL(request.url).pathname.split('/').at(-1);
      return request.body === undefined ? endpoint : `${endpoint} ${clientOf(request)}`;
    });

  it.each(['exp=xpe', 'exp=xpv', 'exp=xpv%2Cxpe', 'exp=other,xpe'])(
    'captions are not fetched from the website for a track with %s',
    async (flag) => {
      const upstream = invented({ player: trackAt(`/api/timedtext?v=x&${flag}`) });
      expect(await refusal(from(upstream, 'youtube-web'))).toEqual([403, 'us']);
      expect(sent(upstream)).toEqual(['player WEB']);
    },
  );

  it('withheld captions are fetched as one fixed app, with a different format in the URL', async () => {
    const upstream = invented({ player: players(gated), timedtext: words });
    const { record, source, partial } = await collected(upstream);
    expect(transcript.parse(record)).toEqual(record);
    expect([source, partial, record.text, record.language]).toEqual(['youtube-app', false, 'low tide', 'en']);
    expect(sent(upstream)).toEqual(['player WEB', `player ${app}`, 'timedtext']);
    expect(upstream.requests[2]?.url).toBe(appAddress.replace('srv3', 'json3'));
    const { client, ...body } = JSON.parse(upstream.requests[1]?.body ?? '{}');
    expect([client, body.videoId, body.racyCheckOk, body.contentCheckOk]).toEqual([undefined, id, false, false]);
    expect(upstream.requests[1]?.headers).not.toHaveProperty('cookie');
  });

  it('captions are also fetched as the app after an empty file, in any format', async () => {
    const srv3 = { body: '<timedtext format="3"><body><p t="0" d="900">low tide</p></body></timedtext>' };
    const upstream = invented({ player: players(player), timedtext: [{ body: '' }, srv3] });
    expect(await collected(upstream)).toMatchObject({ source: 'youtube-app', record: { text: 'low tide' } });
    expect(sent(upstream)).toEqual(['player WEB', 'timedtext', `player ${app}`, 'timedtext']);
  });

  it('withheld captions are 403 when the app is off, even for repeated requests', async () => {
    const upstream = invented({ player: gated }, { off: ['youtube-app'], breakers: createBreakers() });
    for (let turn = 0; turn < 7; turn += 1) expect(await refusal(collected(upstream))).toEqual([403, 'resource']);
    expect(sent(upstream)).toEqual(Array(7).fill('player WEB'));
  });

  it('captions are 403 when the app withholds them too', async () => {
    const upstream = invented({ player: gated });
    expect(await refusal(collected(upstream))).toEqual([403, 'resource']);
    expect(sent(upstream)).toEqual(['player WEB', `player ${app}`]);
  });

  it('withheld captions do not pause other requests to the website, and are fetched as the app while their breaker is open', async () => {
    const upstream = invented({ player: players(gated), timedtext: words }, { breakers: createBreakers() });
    for (let turn = 0; turn < 6; turn += 1) await collected(upstream);
    expect(sent(upstream).slice(-2)).toEqual([`player ${app}`, 'timedtext']);
    expect(sent(upstream).filter((each) => each === 'player WEB')).toHaveLength(5);
    const open = upstream.context.breakers.state().filter(({ state }) => state !== 'closed');
    expect(open.map(({ source }) => source)).toEqual(['youtube-web captions']);
    expect(upstream.context.breakers.refusal('youtube-web')).toBeNull();
  });

  it('captions are fetched only as the app when the website is off', async () => {
    const upstream = invented({ player: players(gated), timedtext: words }, { off: ['youtube-web'] });
    expect(await collected(upstream)).toMatchObject({ source: 'youtube-app' });
    expect(sent(upstream)).toEqual([`player ${app}`, 'timedtext']);
  });
});

describe('the YouTube app after a refusal by the website', () => {
  const usedApp = ({ requests }: Upstream) =>
    requests.some((request) => request.body !== undefined && clientOf(request) === app);

  it.each([
    ['a login wall against bots', loginWall, 403, 'block'],
    [
      'the consent page',
      { status: 302, headers: { location: 'https://consent.youtube.com/m' }, body: '' },
      403,
      'block',
    ],
    ['a captcha', { status: 302, headers: { location: 'https://www.google.com/sorry/index' }, body: '' }, 429, 'block'],
    ['a throttle', { status: 429, body: '' }, 429, 'block'],
    ['a refusal', { status: 403, body: '' }, 403, 'block'],
    ['an age restriction', changed(player.body, 'playabilityStatus.status', 'LOGIN_REQUIRED'), 403, 'resource'],
    ['a region restriction', changed(player.body, 'playabilityStatus.status', 'UNPLAYABLE'), 403, 'resource'],
    ['no captions', changed(player.body, 'captions', undefined), 404, 'resource'],
    ['a missing video', { body: { playabilityStatus: { status: 'ERROR' } } }, 404, 'resource'],
  ])('%s of the player of the website is final, and the app is not used', async (_what, web, status, about) => {
    const upstream = invented({ player: players(web), timedtext: words });
    expect(await refusal(collected(upstream))).toEqual([status, about]);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    ['throttle', { status: 429, body: '' }, 429],
    ['refusal', { status: 403, body: '' }, 403],
  ])('a %s of the captions of the website is final, and the app is not used', async (_what, timedtext, status) => {
    const upstream = invented({ player: players(player), timedtext });
    expect(await refusal(collected(upstream))).toEqual([status, 'block']);
    expect([upstream.requests.length, usedApp(upstream)]).toEqual([2, false]);
  });

  it.each([
    ['fails', { status: 503, body: '' }],
    ['has another shape', { body: { playabilityStatus: {} } }],
  ])('the app is used when the website %s, which is not a refusal', async (_what, web) => {
    const upstream = invented({ player: players(web), timedtext: words });
    expect(await collected(upstream)).toMatchObject({ source: 'youtube-app' });
  });

  it('the app is not used after a block of the website until the website answers, even while the website is paused or fails', async () => {
    let now = new Date('2026-11-20T10:00:00.000Z');
    let web: { body: object | string; status?: number } = loginWall;
    const setting = { now: () => now, breakers: createBreakers({ now: () => now }) };
    const answered = (request: UpstreamRequest) => players(web)(request);
    const upstream = invented({ player: answered, timedtext: words }, setting);
    for (let turn = 0; turn < 7; turn += 1) expect(await refusal(collected(upstream))).toEqual([403, 'block']);
    expect([upstream.requests.length, usedApp(upstream)]).toEqual([5, false]);
    now = new Date(now.getTime() + 61_000);
    web = { status: 503, body: '' };
    expect(await refusal(collected(upstream))).toEqual([403, 'block']);
    expect([upstream.requests.length, usedApp(upstream)]).toEqual([6, false]);
    now = new Date(now.getTime() + 3_600_000);
    web = gated;
    expect(await collected(upstream)).toMatchObject({ source: 'youtube-app' });
  });
});

describeRecorded('recorded transcripts of the app', () => {
  it.each(['rCAS2eD-mcw', 'ud9d5cMDP_0', 'eF8Qqp7rjDg'])(
    'the recorded transcript of %s by the app equals that of the website',
    async (video) => {
      const web = await from(recorded({ key: null }), 'youtube-web', video);
      const upstream = recorded({ key: null });
      const { record } = await from(upstream, 'youtube-app', video);
      expect(transcript.parse(record)).toEqual(record);
      expect(record).toEqual(web.record);
      expect(upstream.requests.map((request) => request.body && clientOf(request))).toEqual([app, undefined]);
      expect(new URL(upstream.requests[1]?.url ?? '').searchParams.getAll('fmt')).toEqual(['json3']);
    },
  );

  it.each([
    ['withheld captions', 'GJLlxj_dtq8', 403, 'resource'],
    ['captions turned off', 'dsMFmonKDD4', 404, 'resource'],
    ['an age restriction', 'Njp5uhTorCo', 403, 'resource'],
    ['a login wall against bots', 'replayBotWl', 403, 'block'],
    ['the consent page', 'rplyConsent', 403, 'block'],
    ['a throttle', 'replaySorry', 429, 'block'],
  ])('recorded transcripts of the app are refused for %s', async (_what, video, status, about) => {
    expect(await refusal(from(recorded({ key: null }), 'youtube-app', video))).toEqual([status, about]);
  });

  it('recorded captions of the app replace the withheld tracks of the same video, with the URL of the app', async () => {
    const file = (name: string) => JSON.parse(readFileSync(join(recordedFolder, name), 'utf8')) as object;
    const web = { body: file('rebuilt/longvideo/player.web.GJLlxj_dtq8.json') };
    const ofApp = file('longvideo/player.android.GJLlxj_dtq8.json');
    const upstream = invented({ player: players(web, ofApp), timedtext: words });
    const { source, record } = await collected(upstream, 'GJLlxj_dtq8');
    expect([source, record.language, record.text]).toEqual(['youtube-app', 'en', 'low tide']);
    const tracks = at(ofApp, 'captions.playerCaptionsTracklistRenderer.captionTracks') as object[];
    const english = tracks.find((track) => at(track, 'languageCode') === 'en' && at(track, 'kind') === undefined);
    const address = String(at(english, 'baseUrl')).replace('fmt=srv3', 'fmt=json3');
    const parameters = (url = '') => [...new URL(url).searchParams];
    expect(parameters(upstream.requests[2]?.url)).toEqual(parameters(address));
    expect(record.available_languages).toHaveLength(tracks.length);
  });

  it('recorded captions are fetched as the app only when the website withholds them', async () => {
    const calls: Record<string, number> = {};
    for (const video of ['GJLlxj_dtq8', 'rCAS2eD-mcw', 'dsMFmonKDD4', 'rwcfPqbAx-0', 'replayBotWl', 'INVALID_ID_']) {
      const upstream = recorded({ key: null });
      await collected(upstream, video).catch(() => null);
      calls[video] = upstream.requests.filter((request) => request.body && clientOf(request) === app).length;
    }
    const { GJLlxj_dtq8: withheld, ...others } = calls;
    expect([withheld, ...new Set(Object.values(others))]).toEqual([1, 0]);
  });
});
