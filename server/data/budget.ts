import type { Admission } from '../../db/requests/admission.ts';
import type { ChargeOutcome } from '../../db/requests/charges.ts';
import { quantity } from '../../pipeline/quantity.ts';
import type { Admitted } from '../http/authenticate.ts';
import { RequestError } from '../http/errors.ts';

/**
 * Runs `work`, which costs up to `credits`. One API request, such as 50 rows of a spreadsheet, can call this function
 * several times. When its other work in progress may use up the credits, this function waits, because work that fails
 * costs nothing. Throws INSUFFICIENT_CREDITS when the balance or the monthly cap is too low. This check only saves
 * requests to the sources: the charge in the database decides. It does not count the work of other requests, because
 * then a request could wait for the slow sources of another one.
 */
export async function withinBudget<T>(admission: Admitted, credits: number, work: () => Promise<T>): Promise<T> {
  admission.in_progress ??= new Map();
  const others = admission.in_progress;
  requireCredits(admission, credits);
  while (others.size > 0 && creditsLeft(admission) < credits + [...others.values()].reduce((a, b) => a + b)) {
    await Promise.race(others.keys()).catch(() => undefined);
    requireCredits(admission, credits);
  }
  const own = work();
  others.set(own, credits);
  return own.finally(() => others.delete(own));
}

const creditsLeft = ({ balance, cap_left }: Admission) => Math.min(balance, cap_left ?? Infinity);

function requireCredits({ balance, cap_left }: Admission, credits: number): void {
  if (balance < credits) throw insufficient(credits, balance);
  if (cap_left !== null && cap_left < credits) throw overCap(credits);
}

type Decided = Extract<ChargeOutcome, { outcome: 'charged' | 'refused' }>;

/** Updates the balance and the rest of the monthly cap in `admission` after a charge of `cost` or its refusal. */
export function noteCharge(admission: Admission, charge: Decided, cost: number): void {
  admission.balance = charge.balance;
  if (admission.cap_left === null) return;
  if (charge.outcome === 'charged') admission.cap_left -= cost;
  else if (charge.reason === 'key_cap') admission.cap_left = Math.min(admission.cap_left, cost - 1);
}

const costOf = (cost: number) => `This request costs ${quantity(cost, 'credit')}`;

/** Returns the error for a request that costs more than the balance. */
export function insufficient(cost: number, balance: number): RequestError {
  const message = `${costOf(cost)} and the balance is ${balance}: add credits, then try again.`;
  // Another request can have spent credits since this one was admitted.
  return new RequestError('INSUFFICIENT_CREDITS', { message, headers: { 'x-credits-remaining': String(balance) } });
}

/** Returns the error for a request that costs more than what is left of the monthly cap of its key. */
export function overCap(cost: number): RequestError {
  const message = `${costOf(cost)} and this key has less left of its monthly cap: use another key, create one with a higher monthly cap, or wait for the 1st of the month (UTC).`;
  return new RequestError('INSUFFICIENT_CREDITS', { message });
}
