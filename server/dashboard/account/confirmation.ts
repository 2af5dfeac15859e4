import { AsyncLocalStorage } from 'node:async_hooks';

/** Thrown when the password that a user entered to confirm an email address is wrong. */
class WrongPassword extends Error {}

interface Confirmation {
  /** Throws WrongPassword unless the password passed to `run` is that of the user with this id. */
  check(userId: string): Promise<void>;
  /**
   * Confirms an email address with `work`, during which the sign-in library calls `check`. Returns null when the
   * password is wrong.
   */
  run<T>(password: string, work: () => Promise<T>): Promise<T | null>;
}

/**
 * Creates functions that confirm an email address only with the account's password. Otherwise, an attacker could sign
 * up with another person's address, wait until that person opens the emailed link, and sign in with the password that
 * the attacker chose. The functions pass the password through AsyncLocalStorage, because the sign-in library does not
 * pass it to `check`.
 */
export function createConfirmation(isPasswordOf: (userId: string, password: string) => Promise<boolean>): Confirmation {
  const entered = new AsyncLocalStorage<string>();
  return {
    async check(userId) {
      if (!(await isPasswordOf(userId, entered.getStore() ?? ''))) throw new WrongPassword();
    },
    async run(password, work) {
      try {
        return await entered.run(password, work);
      } catch (error) {
        if (!(error instanceof WrongPassword)) throw error;
        return null;
      }
    },
  };
}
