import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { RequestError as UnusableRequest } from '@hono/node-server';
import { errorTable } from '../../pipeline/errors.ts';
import { asRequestError, errorBody, RequestError } from './errors.ts';
import { handleRequest, newRequestId, type WriteLog } from './handle-request.ts';
import { commonHeaders } from './responses.ts';

interface BrokenRequestDeps {
  base_url: string;
  log: WriteLog;
}

/**
 * Sends an error body for requests that never reach a route: requests that the HTTP parser rejects, CONNECT requests,
 * and requests with an unknown `Expect` header.
 */
export function answerBrokenRequests(server: Server, deps: BrokenRequestDeps): void {
  server.on('clientError', async (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    await end(socket, 'unknown', parserError(error), deps);
  });
  server.on('connect', async (_request, socket) => {
    // The client may disconnect before the answer is sent. Without this listener, the error would end the process.
    socket.on('error', () => undefined);
    const message = 'This server is not a proxy: send GET with the path of a route.';
    const refusal = new RequestError('METHOD_NOT_ALLOWED', { message, headers: { allow: 'GET' } });
    await end(socket, 'CONNECT', refusal, deps);
  });
  server.on('checkExpectation', async ({ method = 'unknown' }, response) => {
    const message = 'Expect: this server supports only 100-continue. Send the request without this header.';
    const refusal = new RequestError('INVALID_INPUT', { message });
    const { status, headers, body } = await refused(method, refusal, deps);
    response.writeHead(status, headers).end(body);
  });
}

/**
 * Returns the error handler of the HTTP library. A request without a valid URL, such as one without a `Host` header,
 * gets INVALID_INPUT. Any unknown error becomes INTERNAL.
 */
export function refuseUnusableRequests(deps: BrokenRequestDeps): (error: unknown) => Promise<Response> {
  return async (error) => {
    const message = 'The request has no valid Host header and path: send the URL of this server.';
    const unusable = error instanceof UnusableRequest;
    const cause = unusable ? new RequestError('INVALID_INPUT', { message }) : error;
    const { status, headers, body } = await refused('unknown', cause, deps);
    return new Response(body, { status, headers });
  };
}

/** An error of the HTTP parser of Node. */
interface ParserError extends NodeJS.ErrnoException {
  reason?: string;
}

function parserError({ code, reason }: ParserError): RequestError {
  if (code === 'HPE_HEADER_OVERFLOW') return new RequestError('REQUEST_TOO_LARGE');
  // The parser also reports this code for a method of another protocol.
  const isOtherMethod = code === 'HPE_INVALID_CONSTANT' && !reason?.startsWith('Expected HTTP/');
  const message = isOtherMethod ? notHttp : (parserMessages[code ?? ''] ?? notHttp);
  return new RequestError('INVALID_INPUT', { message });
}

const notHttp = 'This is not a valid HTTP request: check the program that sent it.';
const notEncoded =
  'The URL has a space or another character that must be percent-encoded: write a space as %20 and ü as %C3%BC, or let your program encode the parameters (curl: -G --data-urlencode).';

/**
 * Error messages by the error code of the HTTP parser. HPE_INVALID_CONSTANT means that the parser found something other
 * than the HTTP version after a space.
 */
const parserMessages: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time: send it again.',
  HPE_INVALID_URL: notEncoded,
  HPE_INVALID_CONSTANT: notEncoded,
};

interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Returns the response for an error, and logs the request. */
function refused(method: string, cause: unknown, { base_url, log }: BrokenRequestDeps): Promise<Refusal> {
  return handleRequest<Refusal>({
    request_id: newRequestId(),
    method,
    route: 'unknown',
    log,
    answer: () => Promise.reject(cause),
    failed: (thrown, { request_id }) => {
      const error = asRequestError(thrown);
      const body = errorBody(error, { request_id, sandbox: false, base_url });
      const headers = {
        ...commonHeaders(request_id),
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
        ...error.headers,
      };
      return { status: errorTable[error.code].status, headers, body };
    },
    outcomeOf: ({ status }) => ({ status }),
  });
}

/** Writes the response as text to a connection that no HTTP parser handles any more, and closes the connection. */
async function end(socket: Duplex, method: string, cause: RequestError, deps: BrokenRequestDeps): Promise<void> {
  const { status, headers, body } = await refused(method, cause, deps);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}
