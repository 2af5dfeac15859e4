const shortcodeAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns the decimal media ID of an Instagram shortcode, which is the same number in base 64. Null for an invalid
 * shortcode.
 */
export function shortcodeToPk(shortcode: string): string | null {
  let pk = 0n;
  for (const character of shortcode) {
    const digit = shortcodeAlphabet.indexOf(character);
    if (digit === -1) return null;
    pk = pk * 64n + BigInt(digit);
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
