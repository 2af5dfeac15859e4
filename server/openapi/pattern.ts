/** A class of characters by Unicode property, with how many of them may follow one another. */
const propertyClass = /\[(?:\\.|[^\]\\])*\\p(?:\\.|[^\]\\])*\](?:\{(\d+),(\d+)\})?/g;

const lastAsciiCode = 0x7f;

/**
 * Returns a pattern that Python, Go, Java and JavaScript read alike, with or without flags. `\p{L}` is not among what
 * they share, so a class that has it becomes the negation of the ASCII characters that it refuses: it then takes every
 * character beyond ASCII, which the server judges more exactly.
 */
export function portablePattern(pattern: string): string {
  return pattern.replace(propertyClass, (found, least?: string, most?: string) => {
    const allowed = new RegExp(`^${found.replace(/\{\d+,\d+\}$/, '')}$`, 'u');
    const refused = `[^${rangesOf((code) => !allowed.test(String.fromCharCode(code)))}]`;
    // Without the flag `u` a character beyond the basic plane counts as two.
    return least === undefined ? refused : `${refused}{${least},${2 * Number(most)}}`;
  });
}

/** Returns the ASCII characters that fulfil the condition, as the inside of a class. */
function rangesOf(isIn: (code: number) => boolean): string {
  const escaped = (code: number) => `\\x${code.toString(16).padStart(2, '0')}`;
  let ranges = '';
  for (let code = 0; code <= lastAsciiCode; code += 1) {
    if (!isIn(code)) continue;
    const first = code;
    while (code < lastAsciiCode && isIn(code + 1)) code += 1;
    ranges += first === code ? escaped(code) : `${escaped(first)}-${escaped(code)}`;
  }
  return ranges;
}
