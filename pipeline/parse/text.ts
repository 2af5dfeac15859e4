import { SourceError } from '../errors.ts';
import { textLimits } from '../records/limits.ts';

/** Decodes a page or a file of a source. Removes NUL characters, because PostgreSQL refuses them. (For JSON, `parseJson` removes them.) */
export function decodeText(body: Buffer, end: number = body.length): string {
  const text = body.toString('utf8', 0, end);
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/**
 * Returns a text of a source unchanged. Throws SOURCE_RESPONSE_CHANGED when it exceeds the maximum length of a text in a
 * record, so that no search runs in a very long text.
 */
export function boundedText(text: string): string {
  if (text.length <= textLimits.text) return text;
  const reason = `a text has ${text.length} characters, more than ${textLimits.text}`;
  throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
}
