import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ErrorCode } from '../../pipeline/errors.ts';
import type { Gate } from '../http/authenticate.ts';
import { invalidInput } from '../http/errors.ts';
import { type AnswerThrough, answerKeyed, type KeyedHandler, type ReplyDeps } from '../http/responses.ts';
import type { Json } from '../openapi/parts.ts';
import { readArguments } from './arguments.ts';
import { nextSteps } from './next-steps.ts';
import { type Answer, minimalFieldsOf, shortened } from './projection.ts';
import type { McpTool, Projection, Target } from './tool.ts';

/** Above the time that sources get, below the minute that clients wait. */
const deadlineMs = 45_000;
const maxErrorCharacters = 4_000;

export interface CallDeps extends ReplyDeps {
  /** The API itself. */
  answer: AnswerThrough;
}

/** A call of a tool: who makes it, and what ends it. */
export interface ToolCall {
  tool: McpTool;
  given: Readonly<Record<string, unknown>>;
  /** From `_meta`; the argument of that name comes first. */
  idempotency_key: string | null;
  request_id: string | null;
  gate: Gate;
  signal: AbortSignal;
}

/** A call that was read, and what the API is asked for it. */
interface Asked {
  target: Target;
  headers: Headers;
  /** The answer has its main fields alone. */
  minimal: boolean;
}

/** Calls a tool as a request to the API: one of the minute's, charged, counted and logged as that. */
export async function callTool(call: ToolCall, deps: CallDeps): Promise<CallToolResult> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(deadlineMs)]);
  const headers = new Headers(call.request_id === null ? {} : { 'x-request-id': call.request_id });
  const through = { gate: call.gate, signal };
  try {
    return await answerTo(readCall(call, headers), through, deps);
  } catch (failure) {
    const refuse: KeyedHandler = () => Promise.reject(failure);
    return resultOf(await ownAnswer(headers, refuse, through, deps), '/mcp', false);
  }
}

async function answerTo({ target, headers, minimal }: Asked, through: Through, deps: CallDeps) {
  const { path } = target;
  if (path === null) return resultOf(await ownAnswer(headers, given(target.data), through, deps), '/mcp', false);
  const query = Object.entries(target.query).flatMap(([name, all]) => all.map((one): [string, string] => [name, one]));
  const request = new Request(`${deps.base_url}${path}?${new URLSearchParams(query)}`, { headers });
  return resultOf(await deps.answer(request, through), path, minimal);
}

function readCall(call: ToolCall, headers: Headers): Asked {
  const { values, projection, idempotency_key } = readArguments(call.tool, call.given);
  const key = idempotency_key ?? call.idempotency_key;
  if (key !== null) headers.set('idempotency-key', printable(key));
  return projected(call.tool.target(values, call.given), projection, headers);
}

function printable(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw invalidInput([{ parameter: '_meta.idempotency_key', message: 'must be printable characters without spaces' }]);
}

/** The caller's own `fields` are all that is wanted; an estimate has none. */
function projected(target: Target, projection: Projection, headers: Headers): Asked {
  if (target.path === null || projection === 'full') return { target, headers, minimal: false };
  const { path, query } = target;
  if (query.fields || query.estimate) return { target, headers, minimal: false };
  const fields = minimalFieldsOf(path);
  const asked = fields ? { path, query: { ...query, fields: [fields.join(',')] } } : target;
  return { target: asked, headers, minimal: true };
}

type Through = Parameters<AnswerThrough>[1];

/** An answer that no route gives. It counts as a request, too. */
function ownAnswer(headers: Headers, handler: KeyedHandler, through: Through, deps: CallDeps): Promise<Response> {
  return answerKeyed(new Request(`${deps.base_url}/mcp`, { headers }), '/mcp', handler, { ...deps, ...through });
}

function given(data: Json): KeyedHandler {
  return async ({ admission, request_id }) => {
    const { balance: creditsRemaining, kind } = admission;
    const sum = { cached: false, credits_charged: 0, credits_remaining: creditsRemaining };
    const meta = { request_id, ...sum, sandbox: kind === 'test' };
    return { body: JSON.stringify({ data, meta }), ...sum };
  };
}

interface ErrorAnswer {
  error: { code: ErrorCode; message: string; retryable: boolean; retry_after_seconds: number | null };
  meta: Json;
}

async function resultOf(response: Response, path: string, minimal: boolean): Promise<CallToolResult> {
  const body: unknown = await response.json();
  if (!response.ok) return errorResult(body as ErrorAnswer);
  const answer = minimal ? shortened(path, body as Answer) : (body as Answer);
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: { ...answer } };
}

function errorResult({ error, meta }: ErrorAnswer): CallToolResult {
  const { code, retryable, retry_after_seconds } = error;
  const message = error.message.slice(0, maxErrorCharacters);
  const wait = retry_after_seconds === null ? '' : ` Wait ${retry_after_seconds} seconds first.`;
  const text = `${code}: ${message} ${nextSteps[code]}${wait} Nothing was charged (request ${meta.request_id}).`;
  const about = { code, message, retryable, retry_after_seconds };
  return { isError: true, content: [{ type: 'text', text }], _meta: { error: about, ...meta } };
}
