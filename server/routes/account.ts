import { invalidInput } from '../errors.ts';
import type { KeyedHandler } from '../replies.ts';
import { readParameters } from '../request.ts';

/** `GET /v1/credit/balance`: free; every kind of key. */
export const balance: KeyedHandler = async ({ admission, request_id, query }) => {
  const { details } = readParameters(query, {});
  if (details.length > 0) throw invalidInput(details);
  const { balance: credits_remaining, kind, tier } = admission;
  const data = { credits_remaining, tier };
  const meta = { request_id, cached: false, credits_charged: 0, credits_remaining, sandbox: kind === 'test' };
  return { body: JSON.stringify({ data, meta }), cached: false, credits_charged: 0, credits_remaining };
};
