/** Matches a character class with a Unicode property such as `\p{L}`, and its quantifier. */
const propertyClass = /\[(?:\\.|[^\]\\])*\\p(?:\\.|[^\]\\])*\](?:\{(\d+),(\d+)\})?/g;

const lastAsciiCode = 0x7f;

/**
 * Converts a regular expression so that it works in Python, Go, Java and JavaScript, with or without flags. Some of
 * these languages do not support `\p{L}`. A character class with `\p` is replaced by a class that excludes only the
 * ASCII characters that are not allowed. The new class accepts all characters outside of ASCII, and the server checks
 * them exactly.
 */
export function portablePattern(pattern: string): string {
  return pattern.replace(propertyClass, (found, least?: string, most?: string) => {
    const allowed = new RegExp(`^${found.replace(/\{\d+,\d+\}$/, '')}$`, 'u');
    const refused = `[^${rangesOf((code) => !allowed.test(String.fromCharCode(code)))}]`;
    // In JavaScript without the flag `u`, a character such as an emoji counts as two in a regular expression, so the
    // maximum is doubled.
    return least === undefined ? refused : `${refused}{${least},${2 * Number(most)}}`;
  });
}

/** Returns the ASCII characters for which `matches` returns true, as the content of a character class. */
function rangesOf(matches: (code: number) => boolean): string {
  const escaped = (code: number) => `\\x${code.toString(16).padStart(2, '0')}`;
  let ranges = '';
  for (let code = 0; code <= lastAsciiCode; code += 1) {
    if (!matches(code)) continue;
    const first = code;
    while (code < lastAsciiCode && matches(code + 1)) code += 1;
    ranges += first === code ? escaped(code) : `${escaped(first)}-${escaped(code)}`;
  }
  return ranges;
}
