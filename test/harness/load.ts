import { setTimeout as pause } from 'node:timers/promises';
import { ask, codeOf, type Received } from './answers.ts';

/** One request that `startLoad` sent, and its answer. */
export interface Sent {
  request_id: string;
  /** The answer; null when the connection failed before the whole answer was received. */
  answer: Received | null;
}

export interface Load {
  sent: readonly Sent[];
  /** Returns the number of completely received 200 answers with `x-credits-charged: 1`. */
  charged(): number;
  /** Sends no more requests, and waits until those in progress have ended. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  base_url: string;
  keys: readonly string[];
  callers: number;
  /** Prefix of all request ids and handles of this load; at most 16 characters. */
  name: string;
}

/**
 * Milliseconds that a caller waits after a failed request, as a real client does. Without the pause, the callers would
 * send thousands of requests while the service is down. Nothing tells the callers that the service is back, so the
 * pause is shorter than the service's Retry-After: requests then succeed soon after an outage.
 */
const pauseAfterFailureMs = 50;

export const isCharged = ({ answer }: Sent) => answer?.status === 200 && answer.credits_charged === 1;

/** Returns true when the answer says that the service does not know whether it charged the request. */
export const isUnconfirmed = (answer: Received) => answer.status === 503 && codeOf(answer) === 'CHARGE_UNCONFIRMED';

/** Requests new profiles until `stop` is called. Each request has its own request id, and the keys take turns. */
export function startLoad({ base_url, keys, callers, name }: LoadOptions): Load {
  const sent: Sent[] = [];
  let charged = 0;
  let requests = 0;
  let stopping = false;

  async function caller(): Promise<void> {
    while (!stopping) {
      requests += 1;
      const requestId = `${name}_${requests}`;
      const key = keys[requests % keys.length] ?? '';
      const path = `/v1/photo/profile?handle=${requestId}`;
      const answer = await ask(base_url, path, key, { 'x-request-id': requestId }).catch(() => null);
      const one = { request_id: requestId, answer };
      sent.push(one);
      if (isCharged(one)) charged += 1;
      if (answer === null || answer.status >= 500) await pause(pauseAfterFailureMs);
    }
  }

  const finished = Promise.all(Array.from({ length: callers }, caller));
  return {
    sent,
    charged: () => charged,
    async stop() {
      stopping = true;
      await finished;
    },
  };
}
