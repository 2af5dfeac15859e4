import { responseChanged } from '../errors.ts';
import { textLimits } from '../records/limits.ts';

/**
 * Decodes an HTML page or a text file of a platform. Removes NUL characters, because PostgreSQL refuses them. Use
 * `parseJson` for JSON.
 */
export function decodeText(body: Buffer, end: number = body.length): string {
  const text = body.toString('utf8', 0, end);
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/**
 * Returns the text unchanged. Throws SOURCE_RESPONSE_CHANGED when the text is longer than texts in records may be.
 * Later searches, such as for hashtags, thus never run on a very long text.
 */
export function boundedText(text: string): string {
  if (text.length <= textLimits.text) return text;
  const reason = `a text has ${text.length} characters, more than ${textLimits.text}`;
  throw responseChanged(reason);
}

/**
 * Returns the first `length` UTF-16 code units of a text, or fewer, so that the text does not end with half a surrogate
 * pair.
 */
export function beginningOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/**
 * Returns true when a text that a user typed has no control characters, which would break CSV lines and page titles,
 * and no unpaired surrogates, which PostgreSQL cannot store.
 */
export function isOneLine(text: string): boolean {
  return !/\p{Cc}/u.test(text) && text.isWellFormed();
}

/**
 * Returns a text without the characters that change the direction of the text after them. A name that a stranger chose
 * could otherwise reverse the numbers or the URL after it.
 */
export function withoutDirectionChanges(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}
