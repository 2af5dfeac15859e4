import type { Server } from 'node:http';

const oneYear = 'max-age=31536000';

/** When the server is reached by https, tells browsers on every answer to use nothing else for a year (HSTS). */
export function announceHttps(server: Server, baseUrl: string): void {
  if (!baseUrl.startsWith('https:')) return;
  server.prependListener('request', (_, response) => response.setHeader('strict-transport-security', oneYear));
}
