import type { Sql } from 'postgres';
import { keyFacts } from '../../db/accounts/key-facts.ts';
import { readParameters } from '../data/request.ts';
import { invalidInput, RequestError } from '../http/errors.ts';
import type { KeyedHandler } from '../http/responses.ts';

export interface AccountDeps {
  now: () => Date;
  db: { pipelined: Sql };
}

/** Handles `GET /v1/credit/balance`: the remaining credits, and the workspace and key they belong to. It is free and takes every kind of key. */
export function balance({ db, now }: AccountDeps): KeyedHandler {
  return async ({ admission, request_id, query }) => {
    const { details } = readParameters(query, {});
    if (details.length > 0) throw invalidInput(details);
    const { workspace_id, key_id, balance: creditsRemaining, kind, tier } = admission;
    const facts = await keyFacts(db.pipelined, workspace_id, key_id, now());
    if (!facts) throw new RequestError('INVALID_API_KEY');
    const { workspace, ...key } = facts;
    const data = { credits_remaining: creditsRemaining, workspace, tier, key };
    const meta = {
      request_id,
      cached: false,
      credits_charged: 0,
      credits_remaining: creditsRemaining,
      sandbox: kind === 'test',
    };
    return {
      body: JSON.stringify({ data, meta }),
      cached: false,
      credits_charged: 0,
      credits_remaining: creditsRemaining,
    };
  };
}
