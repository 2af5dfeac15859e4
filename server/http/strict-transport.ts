import type { Server } from 'node:http';

const oneYear = 'max-age=31536000';

/** When the server's URL begins with https:, adds the HSTS header to every response. Browsers then use only https for a year. */
export function announceHttps(server: Server, baseUrl: string): void {
  if (!baseUrl.startsWith('https:')) return;
  server.prependListener('request', (_, response) => response.setHeader('strict-transport-security', oneYear));
}
