import { Hono } from 'hono';
import type { Fetch } from './contestant.ts';
import { workspaces } from './sizes.ts';

/** The answer of every server that the service is compared with: 2 kB of JSON. */
export const answerText = JSON.stringify({ data: 'x'.repeat(2_000) });
export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };
/** Number of database connections of each server that the service is compared with. */
export const poolConnections = 10;

/** Returns a minimal Hono application with one route. */
export function createHandler(answer: (request: Request) => string | Promise<string>): Fetch {
  const app = new Hono();
  app.get('/', async (c) => new Response(await answer(c.req.raw), { headers: jsonHeaders }));
  return app.fetch;
}

export function limitHeaders(): Record<string, string>[] {
  return Array.from({ length: workspaces }, (_, index) => ({ 'x-workspace': String(index + 1) }));
}
