import { askAll, asObject, type Failure, type Server } from '../platform/client.ts';
import { failureSentence } from '../platform/failure-sentence.ts';
import { noKey, unreadable } from './tables.ts';

/**
 * The credits that the workspace of the key has.
 *
 * @throws Error saying in a sentence why they are not known: a number is expected here, so no code may stand in its place.
 */
export function socialCredits(server: Server): number {
  if (server.key === null) throw failed(noKey);
  const [answer] = askAll([`${server.origin}/v1/credit/balance`], server.key, server.network);
  if (answer?.ok === false) throw failed(answer.failure);
  const credits = asObject(answer?.data)?.credits_remaining;
  if (typeof credits !== 'number') throw failed(unreadable);
  return credits;
}

function failed(failure: Failure): Error {
  return new Error(`${failureSentence(failure)} (${failure.code})`);
}
