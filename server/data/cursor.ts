import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { digestId } from '../../db/ids.ts';
import { pageLifetimeMs } from '../../db/requests/responses.ts';
import { listCursor } from '../../pipeline/collect/page.ts';
import { invalidInput, RequestError } from '../http/errors.ts';

/**
 * A cursor that continues a list by fetching a page from the source again. `from` is the source's cursor for this page.
 * The rows up to and including the row with the id `last_id` are left out. When no row has this id, the first `skip`
 * rows are left out.
 */
const refetchCursor = z.strictObject({
  from: listCursor.nullable(),
  skip: z.int().positive(),
  last_id: z.string().nullable(),
});
/**
 * A cursor that continues inside a page of results that was fetched before. The rest of this page is stored for ten
 * minutes.
 */
const pageCursor = z.strictObject({
  page_id: z.uuid(),
  offset: z.int().nonnegative(),
  kept_at: z.number(),
  /** Id of the workspace that was charged for the page. Null in cursors of earlier versions of the API. */
  paid_by: z.uuid().nullable().default(null),
  /**
   * The cursor that fetches the page again after the stored page was deleted. Null for lists whose cursors expire
   * together with the stored page.
   */
  again: refetchCursor.nullable().default(null),
});

/** The content of a decrypted cursor: a cursor of the source, a position in a stored page, or a page to fetch again. */
const cursor = z.union([listCursor, pageCursor, refetchCursor]);
export type ListCursor = z.infer<typeof listCursor>;
export type PageCursor = z.infer<typeof pageCursor>;
export type Cursor = z.infer<typeof cursor>;

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

const nonceLength = 12;
const tagLength = 16;

const rule = 'must be an unchanged next_cursor, sent with identifier, filters and limit unchanged';

function invalidCursor(): RequestError {
  const details = [{ parameter: 'cursor', message: rule }];
  return new RequestError('INVALID_INPUT', { message: `cursor ${rule}.`, details });
}

/**
 * Creates the functions that encrypt and decrypt cursors with AES-256-GCM. `secret` is 32 bytes as hex. The cursor does
 * not contain its binding, but decryption with a different binding fails. Therefore a cursor works only for the request
 * that it continues.
 */
export function createCursorSeal(secret: string, now: () => Date): CursorSeal {
  const key = Buffer.from(secret, 'hex');
  return {
    seal(content, binding) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(digestId(binding)));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(sealed, binding) {
      const content = unseal(key, sealed, binding);
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

function unseal(key: Buffer, sealed: string, binding: string): Cursor {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length <= nonceLength + tagLength || bytes.toString('base64url') !== sealed) throw invalidCursor();
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    .setAAD(Buffer.from(digestId(binding)))
    .setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
  let text: string;
  try {
    text = decipher.update(bytes.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw invalidCursor();
  }
  return cursor.parse(JSON.parse(text));
}
