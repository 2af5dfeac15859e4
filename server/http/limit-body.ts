import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { RequestError } from './errors.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/**
 * Throws BODY_TOO_LARGE when the body of a request has more than `maxBytes` bytes. A body without Content-Length is
 * first read into memory. `message` replaces the message that states the limit.
 */
export async function limitBody(c: Context, maxBytes: number, message = limitMessage(maxBytes)): Promise<void> {
  const onError = () => {
    throw new RequestError('BODY_TOO_LARGE', { message });
  };
  await bodyLimit({ maxSize: maxBytes, onError })(c, async () => undefined);
}

function limitMessage(maxBytes: number): string {
  const size = maxBytes >= megabyte ? `${maxBytes / megabyte} MB` : `${maxBytes / kilobyte} kB`;
  return `You can send at most ${size} at once: send less data.`;
}
