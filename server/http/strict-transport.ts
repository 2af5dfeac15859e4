import type { Server } from 'node:http';

const oneYear = 'max-age=31536000';

/**
 * Adds the HSTS header to every response when the server's URL begins with https:. Browsers then use only HTTPS for a
 * year.
 */
export function announceHttps(server: Server, baseUrl: string): void {
  if (!baseUrl.startsWith('https:')) return;
  server.prependListener('request', (_, response) => response.setHeader('strict-transport-security', oneYear));
}
