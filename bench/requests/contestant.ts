import type { RequestListener } from 'node:http';

/** A server to measure: the service, or another one to compare it with. */
export interface Contestant {
  answer: Fetch | { listener: RequestListener };
  /** The request headers of each workspace. Each connection uses the headers of one workspace. */
  headers: Record<string, string>[];
}

/** The handler of a server on @hono/node-server. Other servers have a listener of Node's HTTP server. */
export type Fetch = (request: Request) => Response | Promise<Response>;
