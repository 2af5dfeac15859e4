import { createHash, timingSafeEqual } from 'node:crypto';
import type { ReadMetrics } from './metrics.ts';
import { metricsText } from './text.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Returns the answer to a request for `/metrics`. `authorization` is the header of the request, which must send the
 * token as a bearer token.
 */
export async function answerMetrics(
  authorization: string | null | undefined,
  token: string,
  read: ReadMetrics,
): Promise<Response> {
  if (!hasToken(authorization ?? '', token)) return unauthorized();
  const headers = { 'content-type': contentType, 'cache-control': 'no-store' };
  return new Response(metricsText(await read()), { headers });
}

// Compares hashes, because `timingSafeEqual` needs values of the same length. The comparison takes equally long for
// every wrong token, so its duration does not help an attacker to guess the token.
function hasToken(authorization: string, token: string): boolean {
  const sent = /^bearer +(.+)$/i.exec(authorization)?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(token));
}

function unauthorized(): Response {
  const headers = { 'www-authenticate': 'Bearer realm="metrics"', 'cache-control': 'no-store' };
  return new Response('Send METRICS_TOKEN as a bearer token.\n', { status: 401, headers });
}
