import { responseChanged, SourceError } from '../errors.ts';
import { leadingJson, losslessJson, type UnreadKeys } from './bounded-json.ts';

/**
 * Maximum number of bytes between a marker text in an HTML page and the JSON after it, such as the rest of a script tag
 * or of an assignment.
 */
const maxGapBytes = 256;

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const colon = 0x3a;
const comma = 0x2c;
/**
 * Bytes that cannot be between a marker text in an HTML page and the JSON after it. If one of them follows the marker,
 * this occurrence of the marker has no JSON.
 */
const endsMention: ReadonlySet<number | undefined> = new Set(Buffer.from('(),;<}'));

/**
 * Parses the JSON body of an answer and returns unsafe integers (beyond 2^53) as strings. Accepts a byte order mark and
 * removes NUL characters. Strings, lists and objects under the keys `unread` become null. Throws
 * SOURCE_RESPONSE_CHANGED when the body is not JSON or exceeds a limit of {@link jsonLimits}.
 */
export function parseJson(body: Buffer, unread?: UnreadKeys): unknown {
  try {
    return losslessJson(withoutMark(body), unread);
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(cause: unknown): SourceError {
  const reason = cause instanceof RangeError ? cause.message : 'the body is not JSON';
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason, cause });
}

/**
 * Returns the first character of a body after a byte order mark and white space, or '' for an empty body. The character
 * shows whether a body is JSON or HTML, so the body need not be decoded.
 */
export function firstCharacter(body: Buffer): string {
  const bytes = withoutMark(body);
  const at = skipSpace(bytes, 0);
  return bytes.toString('latin1', at, at + 1);
}

/** Removes a byte order mark. */
function withoutMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

/**
 * Parses the JSON object or array that follows the text `marker` in an HTML page. With `path`, parses only the value
 * under these keys. Choose a marker that occurs once and shortly before the JSON. Integers beyond 2^53 become strings.
 * Returns undefined when the page has no such marker or path. Throws SOURCE_RESPONSE_CHANGED when the JSON is
 * incomplete or invalid.
 */
export function embeddedJson(page: Buffer, marker: string, path: readonly string[] = []): unknown {
  const start = valueAfter(page, marker);
  if (start === undefined) return undefined;
  const at = descend(page, start, path);
  if (at === undefined) return undefined;
  if (page[at] === openBrace || page[at] === openBracket) return jsonAt(page, at).value;
  return parseJson(page.subarray(at, valueEnd(page, at)));
}

/**
 * Parses the JSON object or array that begins at index `start` of an HTML page, and returns the value and the index
 * after its end. Integers beyond 2^53 become strings, and strings, lists and objects under the keys `unread` become
 * null. Throws the errors of {@link embeddedJson}.
 */
export function jsonAt(page: Buffer, start: number, unread?: UnreadKeys): { value: unknown; end: number } {
  try {
    const { value, end } = leadingJson(page.subarray(start), unread);
    return { value, end: start + end };
  } catch (error) {
    throw unreadable(error);
  }
}

/**
 * Returns the unparsed bytes of one value in a JSON body. `path` has the keys and indexes that lead to the value.
 * Undefined when the path does not exist.
 */
export function rawJson(body: Buffer, path: readonly string[]): Buffer | undefined {
  const at = descend(body, skipSpace(body, 0), path);
  return at === undefined ? undefined : body.subarray(at, valueEnd(body, at));
}

function descend(page: Buffer, start: number, path: readonly string[]): number | undefined {
  let at: number | undefined = start;
  for (const key of path) {
    at = page[at] === openBracket ? elementAt(page, at, Number(key)) : memberAt(page, at, key);
    if (at === undefined) return undefined;
  }
  return at;
}

/**
 * Returns the byte index at which element number `index` of a JSON array begins. `at` is the byte index of the array.
 * Undefined when the array is shorter.
 */
function elementAt(page: Buffer, at: number, index: number): number | undefined {
  let i = skipSpace(page, at + 1);
  for (let element = 0; page[i] !== closeBracket; element++) {
    if (element === index) return i;
    i = skipSpace(page, valueEnd(page, i));
    if (page[i] !== comma) return undefined;
    i = skipSpace(page, i + 1);
  }
  return undefined;
}

/**
 * Returns the byte index at which the JSON after the text `marker` begins. Skips an occurrence of the marker that has
 * no JSON in the same statement or tag.
 */
function valueAfter(page: Buffer, marker: string): number | undefined {
  for (let found = page.indexOf(marker); found !== -1; found = page.indexOf(marker, found + 1)) {
    const start = found + Buffer.byteLength(marker);
    const end = Math.min(start + maxGapBytes, page.length);
    for (let i = start; i < end; i++) {
      const byte = page[i];
      if (byte === openBrace || byte === openBracket) return i;
      if (endsMention.has(byte)) break;
    }
  }
  return undefined;
}

/**
 * Returns the byte index at which the value of `key` begins. `at` is the byte index of the JSON object. Undefined when
 * the object has no such key.
 */
function memberAt(page: Buffer, at: number, key: string): number | undefined {
  if (page[at] !== openBrace) return undefined;
  const wanted = Buffer.from(JSON.stringify(key));
  let i = skipSpace(page, at + 1);
  while (page[i] === quote) {
    const keyEnd = stringEnd(page, i);
    const found = isKey(page, i, keyEnd, wanted, key);
    i = skipSpace(page, keyEnd);
    if (page[i] !== colon) throw broken('a member without a colon');
    i = skipSpace(page, i + 1);
    if (found) return i;
    i = skipSpace(page, valueEnd(page, i));
    if (page[i] !== comma) return undefined;
    i = skipSpace(page, i + 1);
  }
  return undefined;
}

function isKey(page: Buffer, start: number, end: number, wanted: Buffer, key: string): boolean {
  if (page.subarray(start, end).equals(wanted)) return true;
  if (!page.subarray(start, end).includes(backslash)) return false;
  return parseJson(page.subarray(start, end)) === key;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function skipSpace(page: Buffer, at: number): number {
  let i = at;
  while (isSpace(page[i])) i++;
  return i;
}

function valueEnd(page: Buffer, at: number): number {
  const byte = page[at];
  if (byte === quote) return stringEnd(page, at);
  if (byte === openBrace || byte === openBracket) return bracketEnd(page, at);
  let i = at;
  for (let b = page[i]; b !== undefined && b !== comma && b !== closeBrace && b !== closeBracket; b = page[i]) i++;
  return i;
}

/**
 * Returns the index after the JSON object or array that begins at `at`. Skips strings without calling a function,
 * because one call per string makes the search 50 % slower.
 */
function bracketEnd(page: Buffer, at: number): number {
  const length = page.length;
  let depth = 0;
  for (let i = at; i < length; i++) {
    const byte = page[i];
    if (byte === quote) {
      for (i++; i < length && page[i] !== quote; i++) if (page[i] === backslash) i++;
    } else if (byte === openBrace || byte === openBracket) {
      depth++;
    } else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) {
      return i + 1;
    }
  }
  throw broken('the embedded JSON is incomplete');
}

/** Returns the index after the closing quote of the JSON string that begins at `at`. */
function stringEnd(page: Buffer, at: number): number {
  for (let i = at + 1; i < page.length; i++) {
    const byte = page[i];
    if (byte === quote) return i + 1;
    if (byte === backslash) i++;
  }
  throw broken('the embedded JSON ends inside a string');
}

function broken(reason: string): SourceError {
  return responseChanged(reason);
}
