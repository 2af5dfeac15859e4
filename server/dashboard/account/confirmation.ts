import { AsyncLocalStorage } from 'node:async_hooks';

/** The password that a user entered to confirm an email address is not that of the account. */
class WrongPassword extends Error {}

interface Confirmation {
  /** Throws when the password of the account with this user id is not the one that was entered. */
  check(userId: string): Promise<void>;
  /**
   * Confirms an address with `work`, during which the library calls `check`. Returns null when the password is wrong.
   */
  run<T>(password: string, work: () => Promise<T>): Promise<T | null>;
}

/**
 * Creates functions that confirm an email address only with the password of the account. Without it, someone else could
 * sign up with this address, wait until its owner presses the button in the email, and sign in with their own password.
 * The sign-in library passes no password to its check of a confirmation link.
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
