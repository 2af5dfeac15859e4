/**
 * Limits for JSON that platforms or customers send. The limits are several times higher than in the largest recorded
 * answers of the platforms: 54 levels, 10,195 objects and lists, 25,005 strings and 884 long numbers.
 */
const jsonLimits = {
  /** Maximum depth of nested objects and lists in a JSON text. */
  levels: 200,
  /** Maximum number of objects and lists in a JSON text. */
  containers: 60_000,
  /** Maximum number of strings in a JSON text, including names of object members. */
  strings: 150_000,
  /** Maximum number of numbers with 16 or more characters in a JSON text. */
  long_numbers: 20_000,
  /** Maximum number of characters of one number in a JSON text. */
  number_characters: 400,
} as const;

const quote = 0x22;
const fourQuotes = 0x22222222;
const plus = 0x2b;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const upperE = 0x45;
const lowerE = 0x65;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Minimum number of characters of a long number, which is checked for exactness. An integer with fewer characters is
 * always a safe integer.
 */
const longNumberCharacters = 16;

/**
 * Parses JSON that our code did not write. Throws a SyntaxError when the text is not JSON. Throws a RangeError, before
 * parsing, when the text exceeds {@link jsonLimits}.
 */
export function boundedJson(text: string): unknown {
  scanned(Buffer.from(text), noKeys); // throws for a text that exceeds a limit
  return JSON.parse(text);
}

/**
 * A key in JSON objects. If `inside` is null, the value of the key is left out. Otherwise only the values of the keys
 * in `inside` are left out, within that value.
 */
interface UnreadKey {
  name: Buffer;
  inside: UnreadKeys | null;
}

/** Keys whose values {@link losslessJson} leaves out, indexed by the length of the key in bytes. */
export type UnreadKeys = readonly (readonly UnreadKey[] | undefined)[];

const noKeys: UnreadKeys = [];

/**
 * Returns the keys for {@link losslessJson}. The values of the keys `names` are left out because no code reads them.
 * `inside` maps further keys to the keys whose values are left out only within the value of that key.
 */
export function unreadKeys(names: readonly string[], inside: Record<string, UnreadKeys> = {}): UnreadKeys {
  const byLength: UnreadKey[][] = [];
  const keys = [...names.map((name) => [name, null] as const), ...Object.entries(inside)];
  for (const [name, keysInside] of keys) {
    const bytes = Buffer.from(name);
    byLength[bytes.length] = [...(byLength[bytes.length] ?? []), { name: bytes, inside: keysInside }];
  }
  return Array.from(byLength);
}

/**
 * Parses UTF-8 bytes as {@link boundedJson} does, but returns unsafe integers (beyond 2^53) as strings and removes NUL
 * characters, which PostgreSQL refuses. Strings, lists and objects under the keys `unread` become null without being
 * checked, because skipping them takes a fifth of the time of parsing them.
 */
export function losslessJson(json: Buffer, unread: UnreadKeys = noKeys): unknown {
  return parsed(json, scanned(json, unread).edits);
}

/**
 * Parses the object or list at the beginning of the bytes as {@link losslessJson} does. Also returns the index after
 * the end of that object or list.
 */
export function leadingJson(json: Buffer, unread: UnreadKeys = noKeys): { value: unknown; end: number } {
  const { edits, end } = scanned(json, unread);
  return { value: parsed(json.subarray(0, end), edits), end };
}

function parsed(json: Buffer, edits: readonly number[]): unknown {
  return JSON.parse(withoutNulEscapes(edited(json, edits)).toString('utf8'));
}

function withoutNulEscapes(json: Buffer): Buffer {
  if (!json.includes('\\u0000')) return json;
  return Buffer.from(json.toString('utf8').replace(/(?<!\\)((?:\\\\)*)(?:\\u0000)+/g, '$1'));
}

/**
 * Applies the edits of {@link scanned} to the JSON. Each edit is a pair of indexes. If both indexes are equal, a quote
 * is inserted there. Otherwise `null` replaces the bytes between them.
 */
function edited(json: Buffer, edits: readonly number[]): Buffer {
  if (edits.length === 0) return json;
  const result = Buffer.allocUnsafe(json.length + edits.length);
  let copied = 0;
  let length = 0;
  for (let at = 0; at < edits.length; at += 2) {
    const start = edits[at] ?? 0;
    const end = edits[at + 1] ?? 0;
    length += json.copy(result, length, copied, start);
    if (start === end) result[length++] = quote;
    else length += result.write('null', length, 'latin1');
    copied = end;
  }
  length += json.copy(result, length, copied);
  return result.subarray(0, length);
}

/**
 * Returns the edits (see {@link edited}) to the UTF-8 bytes of a JSON text. The edits put quotes around unsafe
 * integers, so that JSON.parse returns them as strings, and replace the values of the keys `unread`. Reads only the
 * first object or list, and also returns the index after its end. Throws a RangeError when the parts that are read
 * exceed {@link jsonLimits}. Reads bytes, because reading the decoded text takes twice as long
 * (`npm run bench -- pages`).
 */
function scanned(json: Buffer, unread: UnreadKeys): { edits: number[]; end: number } {
  const { length } = json;
  const view = new DataView(json.buffer, json.byteOffset, length);
  const edits: number[] = [];
  // The keys to look for at the current position. Within the value of a key that has its own list `inside`, that list
  // applies.
  let keys = unread;
  let levelsOutside = 0;
  let levels = 0;
  let containers = 0;
  let strings = 0;
  let longNumbers = 0;
  for (let i = 0; i < length; i++) {
    const byte = json[i] ?? 0;
    if (byte === quote) {
      strings++;
      const start = i + 1;
      i = stringEnd(json, view, i);
      if (strings > jsonLimits.strings) throw overLimit(`${jsonLimits.strings} strings`);
      const mayBeKey = i - start < keys.length && json[i + 1] === colon;
      const key = mayBeKey ? keyAt(keys[i - start], json, start) : undefined;
      if (key !== undefined) {
        const value = spaceEnd(json, i + 2);
        if (key.inside === null) {
          const end = valueEnd(json, view, value);
          if (end > value) edits.push(value, end);
          i = end - 1;
        } else if (json[value] === openBrace || json[value] === openBracket) {
          keys = key.inside;
          levelsOutside = levels;
        }
      }
    } else if (byte === openBrace || byte === openBracket) {
      levels++;
      containers++;
      if (levels > jsonLimits.levels) throw overLimit(`${jsonLimits.levels} levels of objects and lists`);
      if (containers > jsonLimits.containers) throw overLimit(`${jsonLimits.containers} objects and lists`);
    } else if (byte === closeBrace || byte === closeBracket) {
      levels--;
      if (levels <= levelsOutside) {
        keys = unread;
        levelsOutside = 0;
        if (levels <= 0) return { edits, end: i + 1 };
      }
    } else if ((isDigit(byte) || byte === minus) && isNumberPart(json[i + longNumberCharacters - 1] ?? 0)) {
      const end = numberEnd(json, i);
      if (end - i > jsonLimits.number_characters)
        throw overLimit(`${jsonLimits.number_characters} characters in a number`);
      if (end - i >= longNumberCharacters) {
        longNumbers++;
        if (longNumbers > jsonLimits.long_numbers) throw overLimit(`${jsonLimits.long_numbers} long numbers`);
        if (isUnsafeInteger(json.toString('latin1', i, end))) edits.push(i, i, end, end);
      }
      i = end - 1;
    }
  }
  return { edits, end: length };
}

/** Returns the key whose name is at index `start`; undefined when none matches. All `keys` have the same length. */
function keyAt(keys: readonly UnreadKey[] | undefined, json: Buffer, start: number): UnreadKey | undefined {
  if (keys === undefined) return undefined;
  for (const key of keys) {
    const { name } = key;
    let at = 0;
    while (at < name.length && json[start + at] === name[at]) at++;
    if (at === name.length) return key;
  }
  return undefined;
}

/** Returns the index of the first byte at `start` or after it that is not white space. */
function spaceEnd(json: Buffer, start: number): number {
  let end = start;
  while (json[end] === 0x20 || json[end] === 0x0a || json[end] === 0x0d || json[end] === 0x09) end++;
  return end;
}

/** Returns the index after the string, object or list that begins at `start`. Returns `start` for any other value. */
function valueEnd(json: Buffer, view: DataView, start: number): number {
  let levels = 0;
  for (let i = start; i < json.length; i++) {
    const byte = json[i];
    if (byte === quote) i = stringEnd(json, view, i);
    else if (byte === openBrace || byte === openBracket) levels++;
    else if (byte === closeBrace || byte === closeBracket) levels--;
    else if (levels === 0) return i;
    if (levels <= 0) return Math.min(Math.max(start, i + 1), json.length);
  }
  return json.length;
}

function isUnsafeInteger(number: string): boolean {
  return /^-?[1-9]\d*$/.test(number) && !Number.isSafeInteger(Number(number));
}

/**
 * Returns the index of the closing quote of the JSON string that begins at `start`. If the string is not closed,
 * returns the length of the text or more. `view` is a view of the same bytes.
 */
function stringEnd(json: Buffer, view: DataView, start: number): number {
  let end = start;
  do end = quoteFrom(json, view, end + 1);
  while (isEscaped(json, end));
  return end;
}

/** Returns true when an odd number of backslashes precedes the byte at index `at`. */
function isEscaped(json: Buffer, at: number): boolean {
  let before = at - 1;
  while (json[before] === backslash) before--;
  return (at - before) % 2 === 0;
}

/**
 * Returns the index of the first quote at or after `start`. Without a quote, returns the length of the text or more.
 * Compares four bytes at once, which is faster than calling `indexOf` for each of the mostly short strings.
 */
function quoteFrom(json: Buffer, view: DataView, start: number): number {
  const { length } = json;
  let i = start;
  for (; i + 4 <= length; i += 4) {
    // A quote becomes a zero byte. The subtraction and the masks set the high bit of zero bytes and clear all other
    // bits. A byte after the first quote may get a high bit by mistake, so only the lowest set bit counts.
    const differences = view.getInt32(i, true) ^ fourQuotes;
    const highBits = (differences - 0x01010101) & ~differences & 0x80808080;
    if (highBits !== 0) return i + (lowestBit(highBits) >> 3);
  }
  while (i < length && json[i] !== quote) i++;
  return i;
}

/** Returns the position of the lowest bit that is set. */
function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function numberEnd(json: Buffer, start: number): number {
  let end = start + 1;
  while (isNumberPart(json[end] ?? 0)) end++;
  return end;
}

function isNumberPart(byte: number): boolean {
  return isDigit(byte) || byte === dot || byte === lowerE || byte === upperE || byte === minus || byte === plus;
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}

function overLimit(limit: string): RangeError {
  return new RangeError(`The JSON has more than ${limit}.`);
}
