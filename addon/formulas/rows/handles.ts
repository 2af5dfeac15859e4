import { knownWord } from '../fields.ts';
import type { Row } from '../tables.ts';

/** The platforms by the names that people use. `parameter`: the value of the API's parameter `platform`. `urls`: matches the URLs of the platform. */
const platforms = {
  instagram: { parameter: 'photo', urls: /instagr/i },
  tiktok: { parameter: 'shortvideo', urls: /tiktok/i },
  youtube: { parameter: 'longvideo', urls: /youtu/i },
} as const;

type PlatformName = keyof typeof platforms;
/** The platforms that a formula's argument `platform` can name. */
export const platformWords = Object.keys(platforms) as PlatformName[];

/** The platform of the handles of a formula. `guessed`: true when the user did not name the platform, and the URLs beside the handles are all of this one. */
type HandlePlatform = { name: PlatformName; guessed: boolean };

/**
 * Returns the platform of the handles among the texts: the named platform, or the only platform of the URLs among the texts.
 * Returns null when neither is known.
 *
 * @throws Error with the most similar name when the named platform does not exist.
 */
export function readPlatform(argument: unknown, texts: readonly string[]): HandlePlatform | null {
  const word = String([argument].flat(2)[0] ?? '')
    .trim()
    .toLowerCase();
  if (word !== '') return { name: knownWord(word, platformWords, 'platform'), guessed: false };
  const urls = texts.filter((text) => !isHandle(text));
  const found = platformWords.filter((name) => urls.some((url) => platforms[name].urls.test(url)));
  return found.length === 1 && found[0] !== undefined ? { name: found[0], guessed: true } : null;
}

/** Returns true for a bare handle such as `nasa` or `@nasa`, or a bare ID. */
export function isHandle(text: string): boolean {
  return /^@?[^@/:?#\s]+$/.test(text);
}

/** Returns the value of the API's parameter `platform`. */
export function platformCode(name: PlatformName): string {
  return platforms[name].parameter;
}

/**
 * Groups texts by the query parameter that they need: handles need the platform, URLs need none. When `platform` is null,
 * handles are sent like URLs, and the server answers that the platform is missing.
 */
export function byPlatform(
  texts: readonly string[],
  platform: string | null,
): { texts: string[]; parameter: string }[] {
  if (platform === null) return [{ texts: [...texts], parameter: '' }];
  return [
    { texts: texts.filter((text) => !isHandle(text)), parameter: '' },
    { texts: texts.filter(isHandle), parameter: `&platform=${platform}` },
  ];
}

/** Returns the query parameter that names the platform of the handles, such as `&platform=shortvideo`. */
export function platformParameter(name: PlatformName): string {
  return `&platform=${platformCode(name)}`;
}

/** Returns the row of a handle. When its platform was guessed, the status names the platform. */
export function guessed(row: Row, platform: HandlePlatform): Row {
  return platform.guessed && row.status === 'OK' ? { ...row, status: `OK (as ${platform.name})` } : row;
}

/** The row of a handle whose platform is unknown. Such a handle is not sent to the server. */
export const handleAlone: Row = {
  status: 'INVALID_INPUT',
  message: `A handle exists on several platforms. Enter a URL, or the platform as the last argument: ${platformWords.join(', ')}.`,
};
