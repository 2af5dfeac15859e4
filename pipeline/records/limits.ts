/**
 * Maximum characters of the texts in an answer. A longer text is never shortened, because a part of it would be wrong:
 * the whole answer is refused. In a list, only the row with the longer text is left out, with a warning. The
 * longest known texts are a video description (5,000) and the URL of a picture (about 2,000).
 */
export const textLimits = {
  /** For values that programs read: IDs, handles, codes and times. */
  identifier: 200,
  url: 8_192,
  /** For text that people write: biographies, captions and display names. */
  text: 100_000,
  /** For the complete text of a video transcript. Equals the maximum size of a platform's answer (5 MiB). */
  transcript: 5_242_880,
} as const;
