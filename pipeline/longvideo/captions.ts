import { responseChanged } from '../errors.ts';
import {
  decodeText,
  dig,
  firstCharacter,
  parseJson,
  toDecimal,
  toList,
  toText,
  unescapeHtml,
} from '../parse/values.ts';
import type { Transcript } from '../records/longvideo.ts';

/**
 * Maximum number of characters that are read of all attributes of one tag in a caption file. Caption tags have only
 * three short attributes.
 */
const attributesMaxCharacters = 500;

type Segment = NonNullable<Transcript['segments']>[number];

const isEnglish = (track: unknown) => /^en(?:-|$)/.test(toText(dig(track, 'languageCode')) ?? '');
const isGenerated = (track: unknown) => dig(track, 'kind') === 'asr';

/**
 * Chooses a caption track of a video: written English, then generated English, then the video's default, then any
 * written track, then any track. Never chooses a machine translation. Returns undefined when there are no tracks.
 */
export function chosenTrack(captions: unknown): unknown {
  const renderer = dig(captions, 'playerCaptionsTracklistRenderer');
  const tracks = toList(dig(renderer, 'captionTracks')) ?? [];
  const audio = dig(renderer, 'audioTracks', 0);
  const index = Number(dig(audio, 'defaultCaptionTrackIndex') ?? dig(audio, 'captionTrackIndices', 0) ?? -1);
  const written = tracks.filter((track) => !isGenerated(track));
  return (
    written.find((track) => dig(track, 'languageCode') === 'en') ??
    written.find(isEnglish) ??
    tracks.find(isEnglish) ??
    tracks[index] ??
    written[0] ??
    tracks[0]
  );
}

/**
 * Reads the segments (texts with start time and duration) of a YouTube caption file (json3, srv1 or srv3) in the order
 * of the file. Throws SOURCE_RESPONSE_CHANGED for any other format.
 */
export function captionSegments(body: Buffer): Segment[] {
  const segments = readFile(body).filter(({ text }) => text !== null && text.trim() !== '');
  if (segments.length === 0) throw responseChanged('the caption file has no text');
  return segments;
}

function readFile(body: Buffer): Segment[] {
  if (firstCharacter(body) === '{') return json3Segments(parseJson(body));
  const file = decodeText(body);
  if (/<transcript[\s>]/.test(file)) return srv1Segments(file);
  if (/<timedtext[\s>]/.test(file)) return srv3Segments(file);
  throw responseChanged('the caption file has an unknown format');
}

/**
 * Reads a YouTube caption file in the json3 format. Events without text, which set up windows or only break the line,
 * get an empty text.
 */
function json3Segments(file: unknown): Segment[] {
  return (toList(dig(file, 'events')) ?? []).map((event) => ({
    start: seconds(dig(event, 'tStartMs')),
    duration: seconds(dig(event, 'dDurationMs')),
    text: (toList(dig(event, 'segs')) ?? []).map((part) => toText(dig(part, 'utf8')) ?? '').join(''),
  }));
}

/**
 * Reads a YouTube caption file in the srv1 format. Its times are in seconds. Its text is HTML-escaped twice and may
 * contain tags.
 */
function srv1Segments(file: string): Segment[] {
  return elements(file, 'text').map(([attributes, text]) => ({
    start: toDecimal(attributes.get('start')),
    duration: toDecimal(attributes.get('dur')),
    text: unescapeHtml(withoutTags(unescapeHtml(text))),
  }));
}

/**
 * Reads a YouTube caption file in the srv3 format. Its times are in milliseconds, and each word has a tag. Leaves out
 * paragraphs with a="1", which only break the line.
 */
function srv3Segments(file: string): Segment[] {
  return elements(file, 'p')
    .filter(([attributes]) => attributes.get('a') !== '1')
    .map(([attributes, text]) => ({
      start: seconds(attributes.get('t')),
      duration: seconds(attributes.get('d')),
      text: unescapeHtml(withoutTags(text)),
    }));
}

/**
 * Returns the attributes and the content of every element with this name in an XML caption file. Uses `indexOf` instead
 * of a regular expression, so that no file can cause quadratic time.
 */
function elements(file: string, name: string): [Map<string, string>, string][] {
  const found: [Map<string, string>, string][] = [];
  const close = `</${name}>`;
  for (let at = file.indexOf(`<${name}`); at !== -1; at = file.indexOf(`<${name}`, at)) {
    const attributesStart = at + 1 + name.length;
    const attributesEnd = file.indexOf('>', attributesStart);
    const textEnd = attributesEnd === -1 ? -1 : file.indexOf(close, attributesEnd);
    if (textEnd === -1) break;
    const attributes = file.slice(attributesStart, attributesEnd);
    const isElement = attributes === '' || /^\s/.test(attributes);
    if (isElement) found.push([attributesOf(attributes), file.slice(attributesEnd + 1, textEnd)]);
    at = isElement ? textEnd + close.length : attributesStart;
  }
  return found;
}

function attributesOf(tag: string): Map<string, string> {
  const pairs = tag.slice(0, attributesMaxCharacters).matchAll(/([a-z]+)="([^"]*)"/g);
  return new Map(Array.from(pairs, ([, key = '', value = '']) => [key, value]));
}

function withoutTags(text: string): string {
  return text.replace(/<[^<>]*>/g, '');
}

function seconds(milliseconds: unknown): number | null {
  const number = toDecimal(milliseconds);
  return number === null ? null : number / 1000;
}
