import { googleTexts } from './inside/google-texts.ts';
import type { Session } from './session.ts';

/**
 * Returns the arguments of `google.script.run` as the function receives them: `undefined` in an array becomes null.
 *
 * @throws Error for values that Google refuses: at every depth, only primitives, arrays and plain objects may be
 * passed.
 */
export function crossing(args: unknown[]): unknown[] {
  for (const arg of args) checkPart(arg);
  return JSON.parse(JSON.stringify(args));
}

function checkPart(value: unknown): void {
  if (value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value)) return;
  const isPlain =
    typeof value === 'object' && [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));
  if (!isPlain) throw new Error(`No such argument can cross to the script: ${typeof value}`);
  for (const part of Object.values(value)) checkPart(part);
}

/**
 * Calls a function for a page, as the user who opened the page. With several Google accounts in the browser, fails or
 * uses the default account, as Google does.
 */
export function asPageUser<T>(session: Session, work: () => T): T {
  const { user, several_accounts } = session.world;
  if (several_accounts === null || several_accounts.default_account === user) return work();
  if (several_accounts.calls === 'denied') throw new Error(googleTexts.severalAccounts);
  session.world.user = several_accounts.default_account;
  try {
    return work();
  } finally {
    session.world.user = user;
  }
}
