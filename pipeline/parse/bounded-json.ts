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
  longNumbers(text);
  return JSON.parse(text);
}

/**
 * Parses like {@link boundedJson}, but returns unsafe integers (beyond 2^53) as strings and removes NUL characters, which
 * PostgreSQL refuses.
 */
export function losslessJson(text: string): unknown {
  const stored = withoutNulEscapes(text);
  return JSON.parse(withQuotedIntegers(stored, longNumbers(stored)));
}

function withoutNulEscapes(text: string): string {
  return text.includes('\\u0000') ? text.replace(/(?<!\\)((?:\\\\)*)(?:\\u0000)+/g, '$1') : text;
}

/**
 * Puts quotes around integers that JavaScript numbers cannot hold exactly, so that JSON.parse returns them as strings.
 * `longs` has the start and the end index of each number to check.
 */
function withQuotedIntegers(text: string, longs: readonly number[]): string {
  const parts: string[] = [];
  let kept = 0;
  for (let i = 0; i < longs.length; i += 2) {
    const start = longs[i] ?? 0;
    const end = longs[i + 1] ?? 0;
    const number = text.slice(start, end);
    if (!/^-?[1-9]\d*$/.test(number) || Number.isSafeInteger(Number(number))) continue;
    parts.push(text.slice(kept, start), `"${number}"`);
    kept = end;
  }
  return kept === 0 ? text : `${parts.join('')}${text.slice(kept)}`;
}

/**
 * Returns the start and the end index of each number with 16 or more characters in a JSON text. Throws a RangeError
 * when the text exceeds {@link jsonLimits}. Skips strings with `indexOf`, which is faster. This check takes 50 to 100%
 * of the time of JSON.parse (`npm run bench -- pages`).
 */
function longNumbers(text: string): number[] {
  const longs: number[] = [];
  let levels = 0;
  let containers = 0;
  let strings = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      strings++;
      i = stringEnd(text, i);
      if (strings > jsonLimits.strings) throw overLimit(`${jsonLimits.strings} strings`);
    } else if (code === openBrace || code === openBracket) {
      levels++;
      containers++;
      if (levels > jsonLimits.levels) throw overLimit(`${jsonLimits.levels} levels of objects and lists`);
      if (containers > jsonLimits.containers) throw overLimit(`${jsonLimits.containers} objects and lists`);
    } else if (code === closeBrace || code === closeBracket) {
      levels--;
    } else if (isDigit(code) || code === minus) {
      const end = numberEnd(text, i);
      if (end - i > jsonLimits.number_characters)
        throw overLimit(`${jsonLimits.number_characters} characters in a number`);
      if (end - i >= longNumberCharacters) longs.push(i, end);
      if (longs.length > 2 * jsonLimits.long_numbers) throw overLimit(`${jsonLimits.long_numbers} long numbers`);
      i = end - 1;
    }
  }
  return longs;
}

/**
 * Returns the index of the closing quote of the JSON string that begins at `start`. If the string is not closed,
 * returns the last index of the text.
 */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end - 1;
    while (text.charCodeAt(escapes) === backslash) escapes--;
    if ((end - escapes) % 2 === 1) return end;
  }
  return text.length - 1;
}

function numberEnd(text: string, start: number): number {
  let end = start + 1;
  while (isNumberPart(text.charCodeAt(end))) end++;
  return end;
}

function isNumberPart(code: number): boolean {
  return isDigit(code) || code === dot || code === lowerE || code === upperE || code === minus || code === plus;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

function overLimit(limit: string): RangeError {
  return new RangeError(`The JSON has more than ${limit}.`);
}
