/**
 * Limits for JSON that platforms or customers send. They are several times higher than in the largest recorded answers
 * of the platforms: 54 levels, 10,195 objects and lists, 25,005 strings and 884 long numbers.
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
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const upperE = 0x45;
const lowerE = 0x65;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * A number with at least this many characters counts as long and is checked for exactness. An integer with fewer
 * characters is always a safe integer.
 */
const longNumberCharacters = 16;

/**
 * Parses JSON that our code did not write. Throws a SyntaxError when the text is not JSON. Throws a RangeError, before
 * parsing, when the text exceeds {@link jsonLimits}.
 */
export function boundedJson(text: string): unknown {
  unsafeIntegers(Buffer.from(text)); // throws for a text that exceeds a limit
  return JSON.parse(text);
}

/**
 * Parses UTF-8 bytes like {@link boundedJson}, but returns unsafe integers (beyond 2^53) as strings and removes NUL
 * characters, which PostgreSQL refuses.
 */
export function losslessJson(json: Buffer): unknown {
  const stored = withoutNulEscapes(json);
  return JSON.parse(withQuotedIntegers(stored, unsafeIntegers(stored)).toString('utf8'));
}

function withoutNulEscapes(json: Buffer): Buffer {
  if (!json.includes('\\u0000')) return json;
  return Buffer.from(json.toString('utf8').replace(/(?<!\\)((?:\\\\)*)(?:\\u0000)+/g, '$1'));
}

/**
 * Puts quotes around integers that JavaScript numbers cannot hold exactly, so that JSON.parse returns them as strings.
 * `integers` has the start and the end index of each of them.
 */
function withQuotedIntegers(json: Buffer, integers: readonly number[]): Buffer {
  if (integers.length === 0) return json;
  const quoted = Buffer.allocUnsafe(json.length + integers.length);
  let copied = 0;
  let length = 0;
  for (const index of integers) {
    length += json.copy(quoted, length, copied, index);
    quoted[length++] = quote;
    copied = index;
  }
  json.copy(quoted, length, copied);
  return quoted;
}

/**
 * Returns the start and the end index of each unsafe integer in the UTF-8 bytes of a JSON text. Throws a RangeError
 * when the text exceeds {@link jsonLimits}. Reads bytes instead of the decoded text, because this takes half of the
 * time (`npm run bench -- pages`).
 */
function unsafeIntegers(json: Buffer): number[] {
  const { length } = json;
  const view = new DataView(json.buffer, json.byteOffset, length);
  const integers: number[] = [];
  let levels = 0;
  let containers = 0;
  let strings = 0;
  let longNumbers = 0;
  for (let i = 0; i < length; i++) {
    const byte = json[i] ?? 0;
    if (byte === quote) {
      strings++;
      i = stringEnd(json, view, i);
      if (strings > jsonLimits.strings) throw overLimit(`${jsonLimits.strings} strings`);
    } else if (byte === openBrace || byte === openBracket) {
      levels++;
      containers++;
      if (levels > jsonLimits.levels) throw overLimit(`${jsonLimits.levels} levels of objects and lists`);
      if (containers > jsonLimits.containers) throw overLimit(`${jsonLimits.containers} objects and lists`);
    } else if (byte === closeBrace || byte === closeBracket) {
      levels--;
    } else if ((isDigit(byte) || byte === minus) && isNumberPart(json[i + longNumberCharacters - 1] ?? 0)) {
      const end = numberEnd(json, i);
      if (end - i > jsonLimits.number_characters)
        throw overLimit(`${jsonLimits.number_characters} characters in a number`);
      if (end - i >= longNumberCharacters) {
        longNumbers++;
        if (longNumbers > jsonLimits.long_numbers) throw overLimit(`${jsonLimits.long_numbers} long numbers`);
        if (isUnsafeInteger(json.toString('latin1', i, end))) integers.push(i, end);
      }
      i = end - 1;
    }
  }
  return integers;
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

/** Tells whether an odd number of backslashes precedes the byte at index `at`. */
function isEscaped(json: Buffer, at: number): boolean {
  let before = at - 1;
  while (json[before] === backslash) before--;
  return (at - before) % 2 === 0;
}

/**
 * Returns the index of the first quote at `start` or after it. Without a quote, returns the length of the text or more.
 * Compares four bytes at once. This is faster than a call of `indexOf` for each of the mostly short strings.
 */
function quoteFrom(json: Buffer, view: DataView, start: number): number {
  const { length } = json;
  let i = start;
  for (; i + 4 <= length; i += 4) {
    // A quote becomes a byte of zeros. The subtraction and the masks leave only the high bit of such bytes. They may
    // also leave a high bit above the first quote, so only the lowest bit counts.
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
