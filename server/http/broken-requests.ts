import { type Server, STATUS_CODES } from 'node:http';
import { RequestError as UnusableRequest } from '@hono/node-server';
import { errorTable } from '../../pipeline/errors.ts';
import { errorBody, RequestError } from './errors.ts';
import { newRequestId } from './request-log.ts';
import { commonHeaders } from './responses.ts';

/** Answers requests that the HTTP parser rejects, which reach no route, with an error body, and closes the connection. */
export function answerBrokenRequests(server: Server, baseUrl: string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    socket.end(rawResponse(errorOf(error), baseUrl));
  });
}

/** Returns the handler for requests that have no usable URL, such as one without a `Host` header. Other errors are ours. */
export function refuseUnusableRequests(baseUrl: string): (error: unknown) => Response {
  return (error) => {
    const unusable = error instanceof UnusableRequest;
    const message = 'The request has no valid Host header and path: send the URL of this server.';
    const refusal = unusable ? new RequestError('INVALID_INPUT', { message }) : new RequestError('INTERNAL');
    const requestId = newRequestId();
    const body = errorBody(refusal, { request_id: requestId, sandbox: false, base_url: baseUrl });
    const headers = { ...commonHeaders(requestId), 'content-type': 'application/json; charset=utf-8' };
    return new Response(body, { status: errorTable[refusal.code].status, headers });
  };
}

function errorOf({ code }: NodeJS.ErrnoException): RequestError {
  if (code === 'HPE_HEADER_OVERFLOW') return new RequestError('REQUEST_TOO_LARGE');
  const late = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const message = late ? 'The request did not arrive in time: send it again.' : 'This is not a valid HTTP request.';
  return new RequestError('INVALID_INPUT', { message });
}

function rawResponse(error: RequestError, baseUrl: string): string {
  const { status } = errorTable[error.code];
  const requestId = newRequestId();
  const body = errorBody(error, { request_id: requestId, sandbox: false, base_url: baseUrl });
  const headers = {
    ...commonHeaders(requestId),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
