/** Characters of the mark of one entry. With 10,000 entries, the chance that two have the same mark is below one in a million. */
export const markCharacters = 9;

/** Returns a short mark of an entry (cyrb53), by which a run recognizes it also after the rows of the sheet were moved. */
export function markOf(entry: string): string {
  const { imul } = Math;
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < entry.length; index++) {
    const code = entry.charCodeAt(index);
    high = imul(high ^ code, 2_654_435_761);
    low = imul(low ^ code, 1_597_334_677);
  }
  high = imul(high ^ (high >>> 16), 2_246_822_507) ^ imul(low ^ (low >>> 13), 3_266_489_909);
  low = imul(low ^ (low >>> 16), 2_246_822_507) ^ imul(high ^ (high >>> 13), 3_266_489_909);
  const number = (high & 0x1f_ffff) * 2 ** 32 + (low >>> 0);
  return (number % 36 ** markCharacters).toString(36).padStart(markCharacters, '0');
}
