import type { Source, SourceContext } from '../collect/collect.ts';
import { type Blame, responseChanged, SourceError } from '../errors.ts';
import { dig, toText } from '../parse/values.ts';
import type { Transcript } from '../records/longvideo.ts';
import { captionSegments, chosenTrack } from './captions.ts';
import type { LongvideoTranscriptParams } from './params.ts';
import { surfacesOfService } from './surfaces.ts';
import { asApp, longvideoAppName, longvideoWebName, type Web } from './web/innertube.ts';
import { pageRefusal } from './web/innertube-refusal.ts';
import { captionTracks, fetchPlayer, refuseUnplayable } from './web/player.ts';

/** The beginning of every URL of YouTube captions. A URL with another beginning is not fetched. */
const captionsPath = 'https://www.youtube.com/api/timedtext?';

type TranscriptSource = Source<LongvideoTranscriptParams, Transcript>;

const webTranscript: TranscriptSource = {
  name: longvideoWebName,
  // Captions have a separate circuit breaker, because other requests to YouTube's website still succeed when YouTube
  // withholds captions.
  breaker: `${longvideoWebName} captions`,
  credentials: null,
  async collect({ id }, context) {
    const { web, caption_block } = surfacesOfService(context);
    const withheld = context.config.keyless(longvideoAppName) ? 'us' : 'resource';
    try {
      const record = await transcriptOf(web, id, withheld, context);
      caption_block.refusal = null;
      return { record };
    } catch (error) {
      if (error instanceof SourceError) caption_block.refusal = blockAfter(caption_block.refusal, error);
      throw error;
    }
  },
};

/**
 * Returns the error that says that YouTube blocks our caption requests, or null when YouTube does not block them.
 * `before` is the known block and `error` the error of the newest request. A time-out or a failure does not end a known
 * block. Any other error ends it, unless it reports a block itself.
 */
function blockAfter(before: SourceError | null, error: SourceError): SourceError | null {
  if (error.about === 'block') return error;
  return error.about === 'us' && error.code !== 'SOURCE_RESTRICTED' ? before : null;
}

/**
 * The source that requests captions as a YouTube app, for captions that the website withholds. This source is not used
 * while the website blocks us (docs/adr/0008-app-client-captions.md).
 */
const appTranscript: TranscriptSource = {
  name: longvideoAppName,
  credentials: null,
  reads: 'the player data of the app, for captions that the website does not deliver',
  async collect({ id }, context) {
    const { web, caption_block } = surfacesOfService(context);
    const { refusal } = caption_block;
    // Checks the block here too, because the website source does not report it while its own circuit breaker is open.
    if (refusal !== null)
      throw new SourceError(refusal.code, { about: 'block', reason: 'the web blocks our caption requests' });
    return { record: await transcriptOf(asApp(web), id, 'resource', context) };
  },
};

/**
 * The data sources of captions that any visitor can see: YouTube's website, and a YouTube app client for captions that
 * the website withholds.
 */
export const transcriptSources: readonly TranscriptSource[] = [webTranscript, appTranscript];

/**
 * Fetches the transcript of a YouTube video. When YouTube withholds the captions, throws an error whose `about` (the
 * cause of the error) is the argument `withheld`.
 */
async function transcriptOf(client: Web, id: string, withheld: Blame, context: SourceContext): Promise<Transcript> {
  const player = await fetchPlayer(client, id, context);
  const track = playableTrack(player);
  const segments = captionSegments(await captionFile(toText(dig(track, 'baseUrl')), withheld, context));
  const [chosen] = captionTracks([track]);
  const details = dig(player, 'videoDetails');
  return {
    video_id: id,
    video_title: toText(dig(details, 'title')),
    author: toText(dig(details, 'author')),
    channel_id: toText(dig(details, 'channelId')),
    language: chosen?.language ?? null,
    language_name: chosen?.language_name ?? null,
    generated: chosen?.generated ?? null,
    available_languages: captionTracks(dig(player, 'captions', 'playerCaptionsTracklistRenderer', 'captionTracks')),
    text: joined(segments),
    segment_count: segments.length,
    duration_seconds: lastEnd(segments),
    segments,
  };
}

type Segments = NonNullable<Transcript['segments']>;

/**
 * Returns the caption track of a video to use for its transcript. Throws SOURCE_RESTRICTED for a video that not every
 * visitor can play, and RESOURCE_NOT_FOUND for a video without captions.
 */
function playableTrack(player: unknown): unknown {
  refuseUnplayable(player);
  const track = chosenTrack(dig(player, 'captions'));
  if (track !== undefined) return track;
  if (dig(player, 'captions') !== undefined) throw responseChanged('the captions have no list of tracks');
  throw new SourceError('RESOURCE_NOT_FOUND', { message: 'This video has no captions, so there is no transcript.' });
}

/**
 * Fetches the file of a YouTube caption track. The URL is signed for a short time, so it is used immediately and not
 * stored. A URL that requires a browser attestation is not fetched, because the answer would be an empty file.
 */
async function captionFile(address: string | null, withheld: Blame, context: SourceContext): Promise<Buffer> {
  const url = URL.parse(address ?? '', 'https://www.youtube.com');
  if (!url?.href.startsWith(captionsPath)) throw responseChanged('a track has no caption URL');
  const needsAttestation = url.searchParams.getAll('exp').some((flags) => /\bxp[ev]\b/.test(flags));
  if (needsAttestation) throw restricted(withheld, 'the captions are withheld: the track needs an attestation');
  url.searchParams.set('fmt', 'json3');
  const answer = await context.fetch({ url: url.href }, context.signal);
  const refusal = pageRefusal(answer, 'timedtext');
  if (refusal !== null) throw refusal;
  if (answer.body.length > 0) return answer.body;
  throw restricted(withheld, 'the captions are withheld: an empty file');
}

function restricted(about: Blame, reason: string): SourceError {
  return new SourceError('SOURCE_RESTRICTED', { about, reason });
}

function joined(segments: Segments): string | null {
  const text = segments.map((segment) => segment.text ?? '').join(' ');
  // The lookbehind lets a match start only at the first of several whitespace characters. Otherwise long whitespace
  // would take quadratic time.
  return text.replace(/(?<!\s)\s*\n\s*/g, ' ').trim() || null;
}

/**
 * Returns the time in seconds at which the last caption segment ends, rounded to milliseconds. Null when a segment has
 * no time.
 */
function lastEnd(segments: Segments): number | null {
  let endMs = 0;
  for (const { start, duration } of segments) {
    if (start === null || duration === null) return null;
    endMs = Math.max(endMs, Math.round((start + duration) * 1000));
  }
  return endMs / 1000;
}
