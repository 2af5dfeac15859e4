/**
 * Maximum characters of a text in a record. An answer with a longer text is refused as a whole: no platform sends one, and a text that
 * was cut would be wrong. The longest known are a video description (5,000) and the address of a picture (about 2,000).
 */
export const textLimits = {
  /** IDs, handles, codes, times and other names for programs. */
  identifier: 200,
  url: 8_192,
  /** Free text and display names. */
  text: 100_000,
  /** The joined text of a transcript. A source answer has at most 5 MiB. */
  transcript: 5_242_880,
} as const;
