import { asRequestError } from './errors.ts';
import { answerRequest, type Exchange } from './handle-request.ts';
import type { ReplyDeps } from './keyed.ts';
import { errorResponse } from './responses.ts';

export type KeylessDeps = Pick<ReplyDeps, 'base_url' | 'requests_per_minute' | 'now' | 'log' | 'metrics'>;

/** Answers a request to a route that needs no API key. `address` returns the IP address of the client. */
export type KeylessHandler = (
  request: Request,
  address: () => string,
  exchange: Exchange,
) => Promise<Response> | Response;

/** The handlers of the routes that need no API key, by path. */
export interface KeylessRoutes {
  logged: Record<string, KeylessHandler>;
  /** Health checks, metrics and static files. Their requests are logged and counted only when the server fails. */
  quiet: Record<string, KeylessHandler>;
}

interface KeylessRequest {
  request: Request;
  /** Path pattern, which the log and the metrics show. */
  route: string;
  /** True when the request is logged and counted only when the server fails. Default: false. */
  quiet?: boolean;
  answer(exchange: Exchange): Promise<Response> | Response;
}

/**
 * Answers a request to a route that needs no API key: measures, counts and logs the request, and answers errors with
 * the same body as the routes of the API.
 */
export function answerKeyless({ answer, ...request }: KeylessRequest, deps: KeylessDeps): Promise<Response> {
  const { log, metrics } = deps;
  return answerRequest({
    ...request,
    log,
    metrics,
    answer: async (exchange) => answer(exchange),
    failed: (error, { request_id }) => errorResponse(asRequestError(error), request_id, null, deps),
  });
}
