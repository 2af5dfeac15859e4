/** A character class with a Unicode property, and its repetition. */
const propertyClass = /\[(?:\\.|[^\]\\])*\\p(?:\\.|[^\]\\])*\](?:\{(\d+),(\d+)\})?/g;

const lastAsciiCode = 0x7f;

/**
 * Returns a pattern that works in Python, Go, Java and JavaScript, with or without flags. They do not all know `\p{L}`, so a
 * class with it becomes the negation of the ASCII characters that it refuses. It then accepts every character outside ASCII;
 * the server checks those exactly.
 */
export function portablePattern(pattern: string): string {
  return pattern.replace(propertyClass, (found, least?: string, most?: string) => {
    const allowed = new RegExp(`^${found.replace(/\{\d+,\d+\}$/, '')}$`, 'u');
    const refused = `[^${rangesOf((code) => !allowed.test(String.fromCharCode(code)))}]`;
    // Without the flag `u`, a character outside the basic plane counts as two.
    return least === undefined ? refused : `${refused}{${least},${2 * Number(most)}}`;
  });
}

/** Returns the ASCII characters that match, as the content of a character class. */
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
