import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { RequestError } from './errors.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/**
 * Throws BODY_TOO_LARGE when the body of a request has more than `maxBytes` bytes. A body without Content-Length is
 * first read into memory.
 */
export async function limitBody(c: Context, maxBytes: number): Promise<void> {
  await bodyLimit({ maxSize: maxBytes, onError: () => refuse(maxBytes) })(c, async () => undefined);
}

function refuse(maxBytes: number): never {
  const size = maxBytes >= megabyte ? `${maxBytes / megabyte} MB` : `${maxBytes / kilobyte} kB`;
  throw new RequestError('BODY_TOO_LARGE', { message: `You can send at most ${size} at once: send less data.` });
}
