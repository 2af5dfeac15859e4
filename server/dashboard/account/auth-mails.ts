import type { Sql } from 'postgres';
import { type Allowance, throttle } from '../../../db/accounts/throttle.ts';
import type { SendMail } from '../../../pipeline/notify/mail.ts';
import { passwordLength } from './auth-limits.ts';

export interface AuthMailDeps {
  base_url: string;
  mail: SendMail;
  /** Receives errors that no page shows, such as a failure to send an email. */
  on_error(error: unknown): void;
}

interface User {
  id: string;
  email: string;
}

/** Number of seconds for which each kind of emailed link works. */
export const linkSeconds = { verify: 24 * 3600, reset: 3600, sign_in: 24 * 3600 };

/** Sends an email without waiting for it. Otherwise the response time would reveal whether an email address has an account. */
function sendSoon({ mail, on_error }: Omit<AuthMailDeps, 'base_url'>, to: string, subject: string, lines: string[]) {
  mail({ to, subject, text: lines.join('\n\n') }).catch(on_error);
}

/** Everyone can make the server send these emails to any address, from as many networks as they like. */
const causedByAnyone: Allowance = { limit: 10, window_seconds: 3600 };

interface LimitedMailDeps extends AuthMailDeps {
  db: { sql: Sql };
  now: () => Date;
}

/** Counts an email that everyone can cause. Returns false when the address had too many of them. */
export async function mayMail({ db, now }: Pick<LimitedMailDeps, 'db' | 'now'>, to: string): Promise<boolean> {
  return (await throttle(db.sql, `emails that anyone caused to ${to.toLowerCase()}`, causedByAnyone, now())) === null;
}

/** Sends an email that everyone can cause, like {@link sendSoon}, but not when the address had too many of them. */
async function sendLimited(deps: LimitedMailDeps, to: string, subject: string, lines: string[]): Promise<void> {
  if (await mayMail(deps, to)) sendSoon(deps, to, subject, lines);
}

/** Returns the URL of a page with a one-time token in its query. */
export function linkOf(baseUrl: string, path: string, token: string): string {
  return `${baseUrl}${path}?token=${encodeURIComponent(token)}`;
}

/** Emails a user that their password was changed. */
export function mailPasswordChanged(deps: AuthMailDeps, { email }: User): void {
  sendSoon(deps, email, 'Your Tidemark password was changed', [
    'The password of your Tidemark account was changed. All other sessions were signed out, and older links no longer work.',
    `If this was not you, choose a new password now: ${deps.base_url}/forgot`,
  ]);
}

/** Emails a user about a change of two-factor sign-in or of the passkeys. `change` is a sentence without its full stop. */
export function mailAccessChanged(deps: AuthMailDeps, email: string, change: string): void {
  sendSoon(deps, email, `${change} for your Tidemark account`, [
    `${change} for your Tidemark account.`,
    `If this was not you, choose a new password now: ${deps.base_url}/forgot. Then check your passkeys, two-factor sign-in and sessions: ${deps.base_url}/dashboard/settings`,
  ]);
}

/** Returns the password settings of the sign-in library. The library calls `changed` after a user resets their password by email. */
export function passwordOptions(deps: LimitedMailDeps, changed: (user: User) => Promise<void>) {
  return {
    enabled: true,
    requireEmailVerification: true,
    minPasswordLength: passwordLength.min,
    maxPasswordLength: passwordLength.max,
    revokeSessionsOnPasswordReset: true,
    resetPasswordTokenExpiresIn: linkSeconds.reset,
    sendResetPassword: async ({ user, token }: { user: User; token: string }) =>
      sendSoon(deps, user.email, 'Choose a new password for Tidemark', [
        'You asked to reset the password for this email address. Choose a new one within one hour:',
        linkOf(deps.base_url, '/reset', token),
        'If this was not you, ignore this email. Your password has not changed.',
      ]),
    onPasswordReset: ({ user }: { user: User }) => changed(user),
    onExistingUserSignUp: async ({ user }: { user: User }) =>
      sendLimited(deps, user.email, 'You already have a Tidemark account', [
        'Someone tried to sign up with this email address, but you already have an account. Sign in here:',
        `${deps.base_url}/sign-in`,
        `Forgot your password? Reset it here: ${deps.base_url}/forgot`,
      ]),
  };
}

/**
 * Returns the settings with which the sign-in library confirms email addresses. The library calls `check` before it
 * confirms the address of a user.
 */
export function confirmationOptions(deps: LimitedMailDeps, check: (userId: string) => Promise<void>) {
  return {
    sendOnSignUp: true,
    sendOnSignIn: true,
    autoSignInAfterVerification: true,
    expiresIn: linkSeconds.verify,
    beforeEmailVerification: ({ id }: Pick<User, 'id'>) => check(id),
    sendVerificationEmail: async ({ user, token }: { user: User; token: string }) =>
      sendLimited(deps, user.email, 'Confirm your email address for Tidemark', [
        'Welcome to Tidemark. Confirm your email address within 24 hours with the password that you chose:',
        linkOf(deps.base_url, '/confirm', token),
        'If you did not sign up, ignore this email.',
      ]),
  };
}
