import type { Sql } from 'postgres';
import { type Allowance, throttle } from '../../../db/accounts/throttle.ts';
import type { Auth } from './auth.ts';
import { type FormResult, formResult, isDuplicate, type Refused } from './form-result.ts';

interface PendingUser {
  user_id: string;
  email: string;
}

/**
 * The result of a form: a secret that the page shows only once, and the cookies to set. When the form was refused: a
 * sentence with the reason instead.
 */
export type OnceShown<T> = { ok: true; cookies: string[]; shown: T } | Refused;

/** Functions for two-factor sign-in. A code is either from the user's authenticator app or one of the backup codes. */
export interface TwoFactorAccounts {
  /**
   * Returns the user whose password or link was accepted, but who must still enter a two-factor code. Returns null when
   * no user is in this state, or when 10 minutes have passed.
   */
  pendingSignIn(headers: Headers): Promise<PendingUser | null>;
  /** Checks a two-factor code and completes the user's sign-in. */
  enterCode(code: string, user: PendingUser, headers: Headers): Promise<FormResult>;
  /** Begins to turn two-factor sign-in on. Returns the `otpauth:` URL for the authenticator app. */
  startTwoFactor(password: string, headers: Headers): Promise<OnceShown<string>>;
  /** Turns two-factor sign-in on after checking a first code. Returns the backup codes. */
  confirmTwoFactor(code: string, userId: string, headers: Headers): Promise<OnceShown<string[]>>;
  checkPassword(password: string, headers: Headers): Promise<FormResult>;
  /** Checks the password and the two-factor code of a signed-in user. */
  proveTwoFactor(proof: Proof, userId: string, headers: Headers): Promise<FormResult>;
  stopTwoFactor(proof: Proof, userId: string, headers: Headers): Promise<FormResult>;
  /** Replaces the user's backup codes. Returns the new codes. */
  newBackupCodes(proof: Proof, userId: string, headers: Headers): Promise<OnceShown<string[]>>;
}

interface Proof {
  password: string;
  code: string;
}

interface TwoFactorDeps {
  db: { sql: Sql };
  now: () => Date;
}

/** Limits each code of the authenticator app to one use. The library alone accepts a code again for 90 seconds. */
const useOfCode: Allowance = { limit: 1, window_seconds: 120 };

const isAppCode = (code: string) => /^\d{6}$/.test(code);

const wrongPassword = 'The password is wrong.';
const wrongCode =
  'The code is wrong, expired or already used. Enter the next code of your app. After 10 wrong codes in a row, wait 15 minutes.';

/** Returns the functions for two-factor sign-in. `open` loads the sign-in library on the first call. */
export function twoFactorActions(open: () => Promise<Auth>, deps: TwoFactorDeps): TwoFactorAccounts {
  const enter = (code: string, userId: string, headers: Headers) => enterCode(open, deps, { code, userId, headers });
  const proofs = proofActions(open, enter);
  return {
    ...proofs,
    async pendingSignIn(headers) {
      const { api } = await open();
      return api.pendingSignIn({ headers: withoutSession(headers) });
    },
    enterCode: (code, { user_id }, headers) => enter(code, user_id, withoutSession(headers)),
    async startTwoFactor(password, headers) {
      const { api } = await open();
      const start = () => api.enableTwoFactor({ body: { password }, headers, returnHeaders: true });
      try {
        return await onceShown(start, wrongPassword, (answer) => ('totpURI' in answer ? answer.totpURI : ''));
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return { ok: false, message: 'Two-factor sign-in was just started in another window. Try again.' };
      }
    },
    async confirmTwoFactor(code, userId, headers) {
      if (!isAppCode(code)) return { ok: false, message: wrongCode };
      const entered = await enter(code, userId, headers);
      if (!entered.ok) return entered;
      const { api } = await open();
      const { backupCodes } = await api.viewBackupCodes({ body: { userId } });
      return { ok: true, cookies: entered.cookies, shown: backupCodes };
    },
    async stopTwoFactor(proof, userId, headers) {
      const entered = await proofs.proveTwoFactor(proof, userId, headers);
      if (!entered.ok) return entered;
      const { api } = await open();
      return formResult(
        () => api.disableTwoFactor({ body: { password: proof.password }, headers, returnHeaders: true }),
        wrongPassword,
      );
    },
    async newBackupCodes(proof, userId, headers) {
      const entered = await proofs.proveTwoFactor(proof, userId, headers);
      if (!entered.ok) return entered;
      const { api } = await open();
      return onceShown(
        () => api.generateBackupCodes({ body: { password: proof.password }, headers, returnHeaders: true }),
        wrongPassword,
        ({ backupCodes }) => backupCodes,
      );
    },
  };
}

/**
 * Returns the functions that check the password or two-factor code of a signed-in user before a change of how the user
 * signs in.
 */
function proofActions(
  open: () => Promise<Auth>,
  enter: (code: string, userId: string, headers: Headers) => Promise<FormResult>,
) {
  const checkPassword = async (password: string, headers: Headers) => {
    const { api } = await open();
    return formResult(() => api.verifyPassword({ body: { password }, headers, returnHeaders: true }), wrongPassword);
  };
  return {
    checkPassword,
    // Checks the password before the code, because a code works only once.
    async proveTwoFactor({ password, code }: Proof, userId: string, headers: Headers) {
      const right = await checkPassword(password, headers);
      if (!right.ok) return right;
      const entered = await enter(code, userId, headers);
      return entered.ok ? entered : { ...entered, field: 'code' as const };
    },
  };
}

/**
 * Checks a two-factor code. For a signed-in user, the sign-in library only checks the code. For a sign-in that waits
 * for the code, the library also opens the session.
 */
async function enterCode(
  open: () => Promise<Auth>,
  { db, now }: TwoFactorDeps,
  { code, userId, headers }: { code: string; userId: string; headers: Headers },
): Promise<FormResult> {
  const { api } = await open();
  const call = { body: { code }, headers, returnHeaders: true } as const;
  if (!isAppCode(code)) return formResult(() => api.verifyBackupCode(call), wrongCode);
  const used = await throttle(db.sql, `two-factor code ${userId} ${code}`, useOfCode, now());
  if (used !== null) return { ok: false, message: wrongCode };
  return formResult(() => api.verifyTOTP(call), wrongCode);
}

async function onceShown<R, T>(
  work: () => Promise<{ headers: Headers; response: R }>,
  refusal: string,
  shownOf: (response: R) => T,
): Promise<OnceShown<T>> {
  let shown: T | undefined;
  const result = await formResult(async () => {
    const answer = await work();
    shown = shownOf(answer.response);
    return answer;
  }, refusal);
  return result.ok ? { ok: true, cookies: result.cookies, shown: shown as T } : result;
}

/**
 * Returns the request headers with only the two-factor cookies. If a session cookie were sent, the library would check
 * the code for the user of that session, and would not count wrong codes.
 */
function withoutSession(sent: Headers): Headers {
  const headers = new Headers(sent);
  const cookies = (sent.get('cookie') ?? '').split('; ').filter((cookie) => cookie.includes('.two_factor='));
  headers.set('cookie', cookies.join('; '));
  return headers;
}
