import { pageLifetimeMs } from '../../db/requests/responses.ts';
import { type Cursor, createCursorCipher } from '../../pipeline/collect/list-cursor.ts';
import { invalidInput, RequestError } from '../http/errors.ts';

export interface CursorSeal {
  /**
   * Returns an encrypted cursor. The cursor is valid only for a request with the same `binding`, which is the text that
   * identifies the request.
   */
  seal(cursor: Cursor, binding: string): string;
  /**
   * Returns the content of an encrypted cursor. Throws INVALID_INPUT when the cursor is forged or belongs to another
   * request. Throws CURSOR_EXPIRED when the stored page of the cursor has expired and cannot be fetched again.
   */
  open(sealed: string, binding: string): Cursor;
}

const rule = 'must be an unchanged next_cursor, sent with identifier, filters and limit unchanged';

function invalidCursor(): RequestError {
  const details = [{ parameter: 'cursor', message: rule }];
  return new RequestError('INVALID_INPUT', { message: `cursor ${rule}.`, details });
}

/** Creates the functions that encrypt and decrypt the cursors of requests. `secret` is 32 bytes as hex. */
export function createCursorSeal(secret: string, now: () => Date): CursorSeal {
  const { encrypt, decrypt } = createCursorCipher(secret);
  return {
    seal: encrypt,
    open(sealed, binding) {
      const content = decrypt(sealed, binding);
      if (content === null) throw invalidCursor();
      if (!('kept_at' in content) || now().getTime() - content.kept_at < pageLifetimeMs) return content;
      if (content.again === null) throw new RequestError('CURSOR_EXPIRED');
      return content.again;
    },
  };
}

/**
 * Throws INVALID_INPUT when a sample's cursor is sent with a production key, or a live list's cursor with a development
 * key.
 */
export function checkCursorKind(cursor: Cursor | null, isTestKey: boolean): void {
  if (cursor === null) return;
  const isSample = 'source' in cursor && cursor.source === sampleSource;
  if (isSample === isTestKey) return;
  const message = `belongs to a ${isSample ? 'development' : 'production'} key: start again without cursor`;
  throw invalidInput([{ parameter: 'cursor', message }]);
}

/** Name of the sandbox as a source, in `meta.source` and in the cursors of samples. */
export const sampleSource = 'sandbox';
