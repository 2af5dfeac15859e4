/** Returns the number of bytes of a text in UTF-8, because Apps Script limits the bytes of stored texts. */
export function utf8Bytes(text: string): number {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  // The first three terms count a surrogate pair as two characters of three bytes each. The pair has only four bytes,
  // so the last term subtracts two.
  return (
    text.length + count(/[\u0080-\uffff]/g) + count(/[\u0800-\uffff]/g) - 2 * count(/[\ud800-\udbff][\udc00-\udfff]/g)
  );
}

/**
 * Returns a hash of 53 bits (algorithm cyrb53). The hash functions of Apps Script are not used, because each call to
 * them is slow.
 */
export function hashOf(text: string): number {
  const { imul } = Math;
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = imul(high ^ code, 2_654_435_761);
    low = imul(low ^ code, 1_597_334_677);
  }
  high = imul(high ^ (high >>> 16), 2_246_822_507) ^ imul(low ^ (low >>> 13), 3_266_489_909);
  low = imul(low ^ (low >>> 16), 2_246_822_507) ^ imul(high ^ (high >>> 13), 3_266_489_909);
  return (high & 0x1f_ffff) * 2 ** 32 + (low >>> 0);
}
