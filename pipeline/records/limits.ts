/**
 * Maximum characters of texts in a record. An answer with a longer text is refused as a whole, because no platform sends such a
 * text, and cutting it would return a wrong text. The longest known texts are a video description (5,000) and the URL of a
 * picture (about 2,000).
 */
export const textLimits = {
  /** Maximum characters of values that programs read, not people: IDs, handles, codes and times. */
  identifier: 200,
  url: 8_192,
  /** Maximum characters of free text and display names. */
  text: 100_000,
  /** Maximum characters of the whole text of a transcript. An answer of a source has at most 5 MiB. */
  transcript: 5_242_880,
} as const;
