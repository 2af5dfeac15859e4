import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { digestId } from '../../db/ids.ts';
import { listCursor } from '../../pipeline/collect/page.ts';
import { RequestError } from '../http/errors.ts';

/** How a list continues once its kept page is gone: by fetching again from `from`, behind the row `last_id` or else `skip` rows. */
const refetch = z.strictObject({
  from: listCursor.nullable(),
  skip: z.int().positive(),
  last_id: z.string().nullable(),
});
/** A row in a page that is kept for ten minutes. */
const keptPlace = z.strictObject({
  page_id: z.uuid(),
  offset: z.int().nonnegative(),
  kept_at: z.number(),
  /** The workspace that was charged for the page. Null in cursors of earlier versions. */
  paid_by: z.uuid().nullable().default(null),
  /** Null for lists whose cursors end with their page. */
  again: refetch.nullable().default(null),
});

/** Where a list continues: at its source, in a kept page, or by fetching again. */
const place = z.union([listCursor, keptPlace, refetch]);
export type SourcePlace = z.infer<typeof listCursor>;
export type KeptPlace = z.infer<typeof keptPlace>;
export type Refetch = z.infer<typeof refetch>;
export type Place = z.infer<typeof place>;

export interface CursorSeal {
  /** An opaque cursor, bound to the request that it continues. */
  seal(place: Place, binding: string): string;
  /** Throws INVALID_INPUT when it is not ours or belongs to another request, CURSOR_EXPIRED when its page is too old and ends with it. */
  open(cursor: string, binding: string): Place;
}

const pageLifetimeMs = 10 * 60_000;
const nonceLength = 12;
const tagLength = 16;

const notOurs = () =>
  new RequestError('INVALID_INPUT', {
    message: 'cursor must be a next_cursor of ours, sent with identifier, filters and limit unchanged.',
    details: [
      {
        parameter: 'cursor',
        message: 'must be a next_cursor of ours, sent with identifier, filters and limit unchanged',
      },
    ],
  });

/** Seals cursors with AES-256-GCM under a 32-byte secret (hex); the binding is authenticated and not readable. */
export function createCursorSeal(secret: string, now: () => Date): CursorSeal {
  const key = Buffer.from(secret, 'hex');
  return {
    seal(where, binding) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(digestId(binding)));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(where), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(cursor, binding) {
      const where = unseal(key, cursor, binding);
      if (!('kept_at' in where) || now().getTime() - where.kept_at < pageLifetimeMs) return where;
      if (where.again === null) throw new RequestError('CURSOR_EXPIRED');
      return where.again;
    },
  };
}

function unseal(key: Buffer, cursor: string, binding: string): Place {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= nonceLength + tagLength || bytes.toString('base64url') !== cursor) throw notOurs();
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    .setAAD(Buffer.from(digestId(binding)))
    .setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
  let text: string;
  try {
    text = decipher.update(bytes.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw notOurs();
  }
  return place.parse(JSON.parse(text));
}
