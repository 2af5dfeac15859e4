import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { z } from 'zod';
import { digestId } from '../../db/ids.ts';
import { storedSecret } from '../../db/settings.ts';
import { listCursor } from './page.ts';

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
export type RefetchCursor = z.infer<typeof refetchCursor>;
export type PageCursor = z.infer<typeof pageCursor>;
export type Cursor = z.infer<typeof cursor>;

export interface CursorCipher {
  /**
   * Returns an encrypted cursor. The cursor is valid only for a request with the same `binding`, see
   * {@link cursorBinding}.
   */
  encrypt(content: Cursor, binding: string): string;
  /** Returns the content of an encrypted cursor, or null when the cursor is forged or belongs to another request. */
  decrypt(encrypted: string, binding: string): Cursor | null;
}

/** Returns the secret that encrypts cursors, so that a cursor works with every process of the service. */
export function cursorSecret(sql: Sql): Promise<string> {
  return storedSecret(sql, 'cursor_secret');
}

/** Returns the text that identifies the list to which a cursor belongs: its route, parameters and limit. */
export function cursorBinding(path: string, params: Record<string, unknown>, limit: number): string {
  return JSON.stringify([path, params, limit]);
}

const nonceLength = 12;
const tagLength = 16;

/**
 * Creates the functions that encrypt and decrypt cursors with AES-256-GCM. `secret` is 32 bytes as hex. The cursor does
 * not contain its binding, but decryption with a different binding fails. Therefore a cursor works only for the request
 * that it continues.
 */
export function createCursorCipher(secret: string): CursorCipher {
  const key = Buffer.from(secret, 'hex');
  return {
    encrypt(content, binding) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(digestId(binding)));
      const encrypted = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
    },
    decrypt(encrypted, binding) {
      const text = decryptText(key, encrypted, binding);
      return text === null ? null : cursor.parse(JSON.parse(text));
    },
  };
}

function decryptText(key: Buffer, encrypted: string, binding: string): string | null {
  const bytes = Buffer.from(encrypted, 'base64url');
  if (bytes.length <= nonceLength + tagLength || bytes.toString('base64url') !== encrypted) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    .setAAD(Buffer.from(digestId(binding)))
    .setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
  try {
    return decipher.update(bytes.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
