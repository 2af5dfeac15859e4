import { type CellText, faultSentence } from '../../cells/cell-text.ts';
import { knownWord } from '../../known-word.ts';
import type { Row } from '../tables.ts';

/**
 * The platforms by the names that people use. `parameter`: the value of the API's query parameter `platform`. `urls`:
 * matches the URLs of the platform.
 */
const platforms = {
  instagram: { parameter: 'photo', urls: /instagr/i },
  tiktok: { parameter: 'shortvideo', urls: /tiktok/i },
  youtube: { parameter: 'longvideo', urls: /youtu/i },
} as const;

type PlatformName = keyof typeof platforms;
/** The allowed values of the argument `platform` of a SOCIAL_ formula. */
export const formulaPlatforms = Object.keys(platforms) as PlatformName[];

/**
 * The platform of the handles that a formula reads. `guessed`: true when the user did not name the platform, and all
 * URLs in the same cells are of this platform. A guess applies only to handles with an @, see {@link hasPlatform}.
 */
type HandlePlatform = { name: PlatformName; guessed: boolean };

/**
 * Returns the platform of the handles among the texts: the platform that the user named, or the only platform of the
 * URLs among the texts. Returns null when neither is known.
 *
 * @throws Error with the most similar name when the user named a platform that does not exist.
 */
export function readPlatform(argument: unknown, texts: readonly string[]): HandlePlatform | null {
  const word = String([argument].flat(2)[0] ?? '')
    .trim()
    .toLowerCase();
  if (word !== '') return { name: knownWord(word, formulaPlatforms, 'platform'), guessed: false };
  const urls = texts.filter((text) => !isHandle(text));
  const found = formulaPlatforms.filter((name) => urls.some((url) => platforms[name].urls.test(url)));
  return found.length === 1 && found[0] !== undefined ? { name: found[0], guessed: true } : null;
}

/** Matches invisible characters, which are often copied with a handle. The server ignores them. */
const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Returns true when the text is a handle such as `nasa` or `@nasa`, or an ID, and not a URL. */
export function isHandle(text: string): boolean {
  return /^@?[^@/:?#\s]+$/.test(text.replace(invisible, ''));
}

/**
 * Returns true when the platform of a handle is known. When the platform was guessed, a text without an @ may be any
 * word, such as a heading or a note, so it is not bought as a handle.
 */
export function hasPlatform(handle: string, platform: HandlePlatform | null): boolean {
  return platform !== null && (!platform.guessed || handle.replace(invisible, '').startsWith('@'));
}

/** Returns the value of the API's query parameter `platform` for a platform, such as `shortvideo` for "tiktok". */
export function platformCode(name: PlatformName): string {
  return platforms[name].parameter;
}

/**
 * Groups URLs and handles by the query parameter that they need: handles of the platform need the platform, URLs need
 * none. All other handles are sent like URLs, and the server answers that the platform is missing. `platform`: the
 * value of the API's query parameter; null when it is unknown.
 */
export function byPlatform(
  texts: readonly string[],
  platform: string | null,
  isOfPlatform: (text: string) => boolean = isHandle,
): { texts: string[]; parameter: string }[] {
  if (platform === null) return [{ texts: [...texts], parameter: '' }];
  return [
    { texts: texts.filter((text) => !isOfPlatform(text)), parameter: '' },
    { texts: texts.filter(isOfPlatform), parameter: `&platform=${platform}` },
  ];
}

/** Returns the query parameter of the API that names the platform of handles, such as `&platform=shortvideo`. */
export function platformParameter(name: PlatformName): string {
  return `&platform=${platformCode(name)}`;
}

/** Returns the result row of a handle. When the platform was guessed, the status names it, such as "OK (as tiktok)". */
export function guessed(row: Row, platform: HandlePlatform): Row {
  return platform.guessed && row.status === 'OK' ? { ...row, status: `OK (as ${platform.name})` } : row;
}

/**
 * Returns the result row of a handle whose platform is unknown. The add-on does not send such a handle to the server.
 * `example`: a call of the same formula that names the platform, for the message.
 */
export function handleAlone(example: string): Row {
  return {
    status: 'INVALID_INPUT',
    message: `A handle exists on several platforms. Name one of ${formulaPlatforms.join(', ')}, for example ${example}, or use the link of the profile.`,
  };
}

/** Returns the result row of a cell that contains no link, handle or ID. The add-on does not send it to the server. */
export function refusedRow(cell: CellText, takesHandles: boolean): Row {
  return { url: cell.text, status: 'INVALID_INPUT', message: faultSentence(cell, takesHandles) };
}
