/** Returns the number of UTF-8 bytes of a text. Apps Script limits the bytes of what it stores. */
export function utf8Bytes(text: string): number {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  // A surrogate pair is two of the characters that are counted as three bytes each, but has four bytes.
  return (
    text.length + count(/[\u0080-\uffff]/g) + count(/[\u0800-\uffff]/g) - 2 * count(/[\ud800-\udbff][\udc00-\udfff]/g)
  );
}

/** Returns a hash of 53 bits (cyrb53). Apps Script's own hashes are slower calls of a service. */
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
