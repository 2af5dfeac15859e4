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

/** The cost of one answer of a data route. */
export interface Metering {
  cached: boolean;
  credits_charged: number;
  /** Number of credits in the workspace after this answer. */
  credits_remaining: number;
}

/**
 * The cost of a whole reply, which can have rows from several data routes. The `meta` of the reply has these fields.
 */
export interface ReplyMetering extends Metering {
  /**
   * True when it is not known whether a row was charged (error CHARGE_UNCONFIRMED). `credits_charged` is then the cost
   * of the other rows, and the client gets null instead.
   */
  uncertain?: boolean;
}

/** A successful answer as an object, as MCP tools and the dashboard use it. */
export interface AnswerObject {
  data: Record<string, unknown>;
  meta: Record<string, unknown>;
}

/** A successful answer (status 200) of a route that needs a key. */
export interface Reply {
  /** Returns the body of the HTTP response. JSON text from the database is inserted unchanged. */
  text(): string;
  /**
   * Returns the answer as an object. JSON text is parsed only when the answer was read from the database or the cache.
   */
  object(): AnswerObject;
  headers?: Record<string, string>;
  metering: ReplyMetering;
}

/** Returns the credits to report to a client, or null when they are not known. */
export function knownCredits({ credits_charged, uncertain }: ChargedCredits): number | null {
  return uncertain ? null : credits_charged;
}

export type ChargedCredits = Pick<ReplyMetering, 'credits_charged' | 'uncertain'>;

/** Returns the total cost of rows. The cost of a row is null when it is not known whether the row was charged. */
export function sumCredits(credits: readonly (number | null)[]): ChargedCredits {
  return {
    credits_charged: credits.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    uncertain: credits.includes(null),
  };
}

/** Header of an answer that repeats the answer to an earlier request with the same Idempotency-Key. */
export const replayHeader = 'x-idempotent-replay';

export type KeyedHandler = (call: Call) => Promise<Reply>;

/** Returns the cost fields of an answer that was not charged and did not come from the cache. */
export function unchargedMetering({ balance: creditsRemaining }: Pick<Admitted, 'balance'>): Metering {
  return { cached: false, credits_charged: 0, credits_remaining: creditsRemaining };
}

/**
 * Returns a reply with `data` and its `meta`. `data` is an object, or JSON text that was read from the database. The
 * fields of `more` are added to `meta`.
 */
export function jsonReply(
  data: object | string,
  call: Call,
  metering: ReplyMetering,
  more: Record<string, unknown> = {},
): Reply {
  const { request_id, admission } = call;
  const { cached, credits_remaining } = metering;
  const cost = { cached, credits_charged: knownCredits(metering), credits_remaining };
  const meta = { request_id, ...cost, sandbox: admission.kind === 'test', ...more };
  return {
    text: () => `{"data":${typeof data === 'string' ? data : JSON.stringify(data)},"meta":${JSON.stringify(meta)}}`,
    object: () => ({ data: typeof data === 'string' ? JSON.parse(data) : data, meta }),
    metering,
  };
}

/** Returns a reply that says what a request would cost now. The estimate itself is free. */
export function estimateReply(data: object, call: Call): Reply {
  const reply = jsonReply(data, call, unchargedMetering(call.admission));
  return { ...reply, headers: { 'content-type': `${estimateMediaType}; charset=utf-8` } };
}
