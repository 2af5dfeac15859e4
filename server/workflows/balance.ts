import type { Sql } from 'postgres';
import { keyFacts } from '../../db/accounts/key-facts.ts';
import { readParameters } from '../data/read-parameters.ts';
import { invalidInput, RequestError } from '../http/errors.ts';
import { jsonReply, type KeyedHandler, unchargedMetering } from '../http/reply.ts';

export interface AccountDeps {
  now: () => Date;
  db: { pipelined: Sql };
}

/**
 * Handles `GET /v1/credit/balance`, which returns the remaining credits and describes the workspace and the key. The
 * request is free, and every kind of key can send it.
 */
export function balance({ db, now }: AccountDeps): KeyedHandler {
  return async (call) => {
    const { details } = readParameters(call.query, {});
    if (details.length > 0) throw invalidInput(details);
    const { workspace_id, key_id, balance: creditsRemaining, tier } = call.admission;
    const facts = await keyFacts(db.pipelined, workspace_id, key_id, now());
    if (!facts) throw new RequestError('INVALID_API_KEY');
    const { workspace, ...key } = facts;
    const data = { credits_remaining: creditsRemaining, workspace, tier, key };
    return jsonReply(data, call, unchargedMetering(call.admission));
  };
}
