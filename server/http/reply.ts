import type { Admitted } from './authenticate.ts';
import { estimateMediaType } from './media-types.ts';
import type { Query } from './query.ts';

/** A request with a valid key whose workspace is within its rate limit. */
export interface Call {
  request_id: string;
  query: Query;
  headers: Headers;
  admission: Admitted;
  /** Aborts when the client disconnects or cancels. Without a signal, the answer is always completed. */
  signal?: AbortSignal;
}

/** The cost of an answer. These fields are sent in its `meta`. */
export interface Metering {
  cached: boolean;
  credits_charged: number;
  /** Number of credits in the workspace after this answer. */
  credits_remaining: number;
}

/** A successful answer (status 200) of a route that needs a key. */
export interface Reply {
  body: string;
  headers?: Record<string, string>;
  metering: Metering;
}

export type KeyedHandler = (call: Call) => Promise<Reply>;

/** Returns the cost fields of an answer that was not charged and did not come from the cache. */
export function unchargedMetering({ balance: creditsRemaining }: Pick<Admitted, 'balance'>): Metering {
  return { cached: false, credits_charged: 0, credits_remaining: creditsRemaining };
}

/** Returns a reply with `data`, which is JSON text, and its `meta`. The fields of `more` are added to `meta`. */
export function jsonReply(data: string, call: Call, metering: Metering, more: Record<string, unknown> = {}): Reply {
  const { request_id, admission } = call;
  const meta = { request_id, ...metering, sandbox: admission.kind === 'test', ...more };
  return { body: `{"data":${data},"meta":${JSON.stringify(meta)}}`, metering };
}

/** Returns a reply that says what a request would cost now. The estimate itself is free. */
export function estimateReply(data: object, call: Call): Reply {
  const reply = jsonReply(JSON.stringify(data), call, unchargedMetering(call.admission));
  return { ...reply, headers: { 'content-type': `${estimateMediaType}; charset=utf-8` } };
}
