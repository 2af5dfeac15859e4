import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Received } from './answers.ts';

/** One request as its caller saw it. */
export interface Sent {
  request_id: string;
  /** Null when the connection failed before the whole answer was there. */
  answer: Received | null;
}

export interface Load {
  sent: readonly Sent[];
  /** Completely received 200 answers that say `x-credits-charged: 1`. */
  charged(): number;
  /** Lets the requests under way come to their end. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  base_url: string;
  keys: readonly string[];
  callers: number;
  /** Begins all request ids and handles of this load; at most 16 characters. */
  name: string;
}

const pauseAfterFailureMs = 10;

export const isCharged = ({ answer }: Sent) => answer?.status === 200 && answer.credits_charged === 1;

/** Asks for new profiles without end, each under its own request id, the workspaces in turn. */
export function startLoad({ base_url, keys, callers, name }: LoadOptions): Load {
  const sent: Sent[] = [];
  let charged = 0;
  let asked = 0;
  let stopping = false;

  async function caller(): Promise<void> {
    while (!stopping) {
      asked += 1;
      const requestId = `${name}_${asked}`;
      const key = keys[asked % keys.length] ?? '';
      const path = `/v1/photo/profile?handle=${requestId}`;
      const answer = await ask(base_url, path, key, { 'x-request-id': requestId }).catch(() => null);
      const one = { request_id: requestId, answer };
      sent.push(one);
      if (isCharged(one)) charged += 1;
      if (answer === null) await pause(pauseAfterFailureMs);
    }
  }

  const over = Promise.all(Array.from({ length: callers }, caller));
  return {
    sent,
    charged: () => charged,
    async stop() {
      stopping = true;
      await over;
    },
  };
}
