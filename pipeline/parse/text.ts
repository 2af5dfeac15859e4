import { SourceError } from '../errors.ts';
import { textLimits } from '../records/limits.ts';

/** Decodes a page or a file of a source. Removes NUL characters, which PostgreSQL refuses; those in JSON are removed by its parser. */
export function decodeText(body: Buffer, end: number = body.length): string {
  const text = body.toString('utf8', 0, end);
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** Returns a text of a source. Throws SOURCE_RESPONSE_CHANGED when it is longer than any text of a record, before anything searches in it. */
export function boundedText(text: string): string {
  if (text.length <= textLimits.text) return text;
  const reason = `a text has ${text.length} characters, more than ${textLimits.text}`;
  throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
}
