const shortcodeAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Number of characters that are converted at once: 64^8 is 2^48, which fits into a JavaScript number. Calculating with
 * a bigint takes longer.
 */
const charactersAtOnce = 8;

/**
 * Returns the decimal media ID of an Instagram shortcode, which is the ID in base 64. Null for an invalid shortcode.
 */
export function shortcodeToPk(shortcode: string): string | null {
  let pk = 0n;
  for (let start = 0; start < shortcode.length; start += charactersAtOnce) {
    const part = shortcode.slice(start, start + charactersAtOnce);
    let value = 0;
    for (const character of part) {
      const digit = shortcodeAlphabet.indexOf(character);
      if (digit === -1) return null;
      value = value * 64 + digit;
    }
    pk = pk * 64n ** BigInt(part.length) + BigInt(value);
  }
  return shortcode === '' ? null : pk.toString();
}

/** Returns the Instagram shortcode of a decimal media ID. Throws a SyntaxError when the ID is not a number. */
export function pkToShortcode(pk: string): string {
  let shortcode = '';
  for (let rest = BigInt(pk); rest > 0n; rest /= 64n) {
    shortcode = shortcodeAlphabet.charAt(Number(rest % 64n)) + shortcode;
  }
  return shortcode;
}
