import { asObject, type Failure, fetchAnswers, type Server } from '../platform/client.ts';
import { failureSentence } from '../platform/failure-sentence.ts';
import type { FormulaOffer } from './offer.ts';
import { noKeyFor, unreadable } from './tables.ts';

/**
 * Gets the credits that are left in the workspace of the API key, as one number. Free.
 *
 * @param {"H1"} refresh Optional: the refresh cell (SOCIAL_REFRESH), or any cell. When it changes, the formula runs again.
 * @return {number} The balance.
 * @customfunction
 */
export function SOCIAL_CREDITS(api: Server, _refresh: unknown): number {
  return readBalance(api);
}

/**
 * Returns the number of credits that are left.
 *
 * @throws Error when the number is unknown, because a text in the cell would break formulas that calculate with it.
 */
function readBalance(api: Server): number {
  if (api.key === null) throw failed(noKeyFor(api));
  const [answer] = fetchAnswers([`${api.origin}/v1/credit/balance`], api.key, api.network);
  if (answer?.ok === false) throw failed(answer.failure);
  const credits = asObject(answer?.data)?.credits_remaining;
  if (typeof credits !== 'number') throw failed(unreadable);
  return credits;
}

function failed(failure: Failure): Error {
  return new Error(`${failureSentence(failure)} (${failure.code})`);
}

export const offer: FormulaOffer = {
  order: 6,
  label: 'Credits left',
  takes: '',
  args: [],
  choices: [],
  usual: [],
  estimate: null,
  gives: 'the balance, a number',
  costs: '0',
};
