import type { Source, SourceContext } from '../collect/collect.ts';
import { type Blame, SourceError } from '../errors.ts';
import { dig, toText } from '../parse/values.ts';
import type { Transcript } from '../records/longvideo.ts';
import { captionSegments, chosenTrack } from './captions.ts';
import type { TranscriptParams } from './params.ts';
import type { Surfaces } from './surfaces.ts';
import { appName, asApp, type Web, webName } from './web/innertube.ts';
import { pageRefusal } from './web/innertube-refusal.ts';
import { askPlayer, captionTracks, refuseUnplayable } from './web/player.ts';

/** The only place that the site serves captions from. */
const captionsPath = 'https://www.youtube.com/api/timedtext?';

type TranscriptSource = Source<TranscriptParams, Transcript>;

/** The captions of a video that any visitor may see: from the web, and from one app where the web withholds them. */
export function transcriptSources(surfaces: Surfaces): readonly TranscriptSource[] {
  return [webTranscript(surfaces), appTranscript(surfaces)];
}

function webTranscript({ web, caption_wall }: Surfaces): TranscriptSource {
  return {
    name: webName,
    // Where captions are withheld the rest of the site still answers.
    breaker: `${webName} captions`,
    credentials: null,
    async collect({ id }, context) {
      const withheld = context.config.keyless(appName) ? 'us' : 'resource';
      try {
        const record = await transcriptOf(web, id, withheld, context);
        caption_wall.refusal = null;
        return { record };
      } catch (error) {
        if (error instanceof SourceError) caption_wall.refusal = wallAfter(caption_wall.refusal, error);
        throw error;
      }
    },
  };
}

/** A time-out or a failure does not say whether the wall still stands; whatever else the web says, it says without one. */
function wallAfter(before: SourceError | null, error: SourceError): SourceError | null {
  if (error.about === 'block') return error;
  return error.about === 'us' && error.code !== 'SOURCE_RESTRICTED' ? before : null;
}

/** Chosen from the start for what the web withholds, and never a way round a wall: docs/adr/0008-app-client-captions.md. */
function appTranscript({ web, caption_wall }: Surfaces): TranscriptSource {
  const app = asApp(web);
  return {
    name: appName,
    credentials: null,
    async collect({ id }, context) {
      const { refusal } = caption_wall;
      // While its breaker pauses the web for a wall, the web is not asked before us.
      if (refusal !== null) throw new SourceError(refusal.code, { about: 'block', reason: 'the web stands at a wall' });
      return { record: await transcriptOf(app, id, 'resource', context) };
    },
  };
}

/** `withheld` is whom it speaks of when the captions are not handed out. */
async function transcriptOf(client: Web, id: string, withheld: Blame, context: SourceContext): Promise<Transcript> {
  const player = await askPlayer(client, id, context);
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

/** A video that does not play for visitors has no captions for them; one that plays without tracks has no transcript. */
function playableTrack(player: unknown): unknown {
  refuseUnplayable(player);
  const track = chosenTrack(dig(player, 'captions'));
  if (track !== undefined) return track;
  throw new SourceError('RESOURCE_NOT_FOUND', { message: 'This video has no captions, so there is no transcript.' });
}

/**
 * The file of a track. Its address is signed for a short while: it is asked for at once and kept nowhere. One that wants the
 * attestation of a browser is not asked at all: without it the answer is an empty file.
 */
async function captionFile(address: string | null, withheld: Blame, context: SourceContext): Promise<Buffer> {
  const url = URL.parse(address ?? '', 'https://www.youtube.com');
  if (!url?.href.startsWith(captionsPath)) throw changed('a track without an address of its captions');
  const attested = url.searchParams.getAll('exp').some((flags) => /\bxp[ev]\b/.test(flags));
  if (attested) throw restricted(withheld, 'the captions are withheld: the track wants an attestation');
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
  return toText(
    segments
      .map(({ text }) => text ?? '')
      .join(' ')
      .replace(/\s*\n\s*/g, ' ')
      .trim(),
  );
}

/** The end of what is shown last, to the millisecond; null when any segment does not say when it is shown. */
function lastEnd(segments: Segments): number | null {
  let endMs = 0;
  for (const { start, duration } of segments) {
    if (start === null || duration === null) return null;
    endMs = Math.max(endMs, Math.round((start + duration) * 1000));
  }
  return endMs / 1000;
}

function changed(reason: string): SourceError {
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
}
