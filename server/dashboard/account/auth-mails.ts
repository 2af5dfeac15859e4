import type { Sql } from 'postgres';
import { throttle } from '../../../db/accounts/throttle.ts';
import { daySeconds, hourSeconds } from '../../../db/durations.ts';
import type { SendMail } from '../../../pipeline/notify/mail.ts';
import { type ServiceMessage, serviceMail } from '../../../pipeline/notify/service-mail.ts';
import { passwordLength } from './auth-limits.ts';
import { withNext } from './sign-in-pages.ts';

export interface AuthMailDeps {
  base_url: string;
  mail: SendMail;
  /** Receives errors that no page shows, such as a failure to send an email. */
  on_error(error: unknown): void;
}

export interface MailedUser {
  id: string;
  email: string;
  emailVerified: boolean;
}

/** Number of seconds for which an emailed link works, by kind of link. */
export const linkSeconds = { verify: daySeconds, reset: hourSeconds, sign_in: daySeconds };

/**
 * Sends an email without waiting for it. Otherwise the response time would reveal whether an email address has an
 * account.
 */
export function sendSoon(
  { mail, on_error }: Omit<AuthMailDeps, 'base_url'>,
  to: string,
  message: ServiceMessage,
): void {
  mail(serviceMail(to, message)).catch(on_error);
}

/**
 * Maximum number of emails to one address in an hour that anyone can trigger, from any number of networks: 10 of all
 * kinds together. Each kind has its own part of them, because emails about a sign-up do not help to reset a password. A
 * link to reset it works as long as the limit lasts, so the owner of the address has one even after strangers have used
 * up this part. Only someone who knows the password of a new account can trigger more than one email to confirm it.
 */
const mailsAnHour: Record<LimitedMail['kind'], number> = { reset: 5, confirm: 3, 'sign-up': 2 };

interface LimitedMailDeps extends AuthMailDeps {
  db: { sql: Sql };
  now: () => Date;
}

/** An email that anyone can trigger: a link to confirm an address or to reset a password, or a notice of a sign-up. */
interface LimitedMail {
  kind: 'confirm' | 'reset' | 'sign-up';
  to: string;
}

/** Counts an email that anyone can trigger. Returns false after too many emails of this kind to the address. */
export async function mayMail(
  { db, now }: Pick<LimitedMailDeps, 'db' | 'now'>,
  { kind, to }: LimitedMail,
): Promise<boolean> {
  const name = `emails (${kind}) that anyone caused to ${to.toLowerCase()}`;
  const allowance = { limit: mailsAnHour[kind], window_seconds: hourSeconds };
  return (await throttle(db.sql, name, allowance, now())) === null;
}

/** Sends an email that anyone can trigger with {@link sendSoon}, unless the address received too many of this kind. */
async function sendLimited(deps: LimitedMailDeps, mail: LimitedMail, message: ServiceMessage): Promise<void> {
  if (await mayMail(deps, mail)) sendSoon(deps, mail.to, message);
}

/** Returns the URL of a page with a one-time token in its query. */
export function linkOf(baseUrl: string, path: string, token: string): string {
  return `${baseUrl}${path}?token=${encodeURIComponent(token)}`;
}

/** Emails a user that their password was changed. */
export function mailPasswordChanged(deps: AuthMailDeps, { email }: Pick<MailedUser, 'email'>): void {
  sendSoon(deps, email, {
    subject: 'Your Tidemark password was changed',
    lines: [
      'The password of your Tidemark account was changed. You were signed out on all other devices. Links from earlier emails no longer work.',
      'If this was you, you have nothing to do. If it was not you, choose a new password now.',
    ],
    action: { label: 'Choose a new password', url: `${deps.base_url}/forgot` },
  });
}

/** Emails a user that two-factor sign-in or their passkeys changed. `change` is a sentence without a full stop. */
export function mailAccessChanged(deps: AuthMailDeps, email: string, change: string): void {
  sendSoon(deps, email, {
    subject: `${change} for your Tidemark account`,
    lines: [
      `${change} for your Tidemark account.`,
      'If this was you, you have nothing to do. If it was not you, choose a new password now. Then check your passkeys, two-factor sign-in and sessions.',
    ],
    action: { label: 'Choose a new password', url: `${deps.base_url}/forgot` },
    links: [{ label: 'Check passkeys, two-factor sign-in and sessions', url: `${deps.base_url}/dashboard/settings` }],
  });
}

/**
 * Returns the sign-in library's settings for passwords. The library calls `changed` after a user resets their password
 * by email.
 */
export function passwordOptions(deps: LimitedMailDeps, changed: (user: MailedUser) => Promise<void>) {
  return {
    enabled: true,
    requireEmailVerification: true,
    minPasswordLength: passwordLength.min,
    maxPasswordLength: passwordLength.max,
    revokeSessionsOnPasswordReset: true,
    resetPasswordTokenExpiresIn: linkSeconds.reset,
    sendResetPassword: async ({ user, token }: { user: MailedUser; token: string }) =>
      sendSoon(deps, user.email, {
        subject: 'Choose a new password for Tidemark',
        lines: [
          'Someone asked to set a new password for this email address. If it was you, choose one within one hour. The link works once.',
        ],
        action: { label: 'Choose a new password', url: linkOf(deps.base_url, '/reset', token) },
        notes: ['If it was not you, ignore this email. Nothing has changed.'],
      }),
    onPasswordReset: ({ user }: { user: MailedUser }) => changed(user),
    onExistingUserSignUp: async ({ user }: { user: MailedUser }) =>
      sendLimited(
        deps,
        { kind: 'sign-up', to: user.email },
        {
          subject: 'You already have a Tidemark account',
          lines: ['Someone tried to sign up with this email address, but you already have an account.'],
          action: { label: 'Sign in', url: `${deps.base_url}/sign-in` },
          links: [{ label: 'Forgot your password? Choose a new one', url: `${deps.base_url}/forgot` }],
          notes: ['If this was not you, ignore this email. Nothing has changed.'],
        },
      ),
  };
}

/**
 * Returns the sign-in library's settings for confirming email addresses. The library calls `check` before it confirms
 * the address of a user.
 */
export function confirmationOptions(deps: LimitedMailDeps, check: (userId: string) => Promise<void>) {
  return {
    sendOnSignUp: true,
    sendOnSignIn: true,
    autoSignInAfterVerification: true,
    expiresIn: linkSeconds.verify,
    beforeEmailVerification: ({ id }: Pick<MailedUser, 'id'>) => check(id),
    // `url` contains the path that this server passed to the library as `callbackURL`.
    sendVerificationEmail: async ({ user, token, url }: { user: MailedUser; token: string; url: string }) =>
      sendLimited(
        deps,
        { kind: 'confirm', to: user.email },
        {
          subject: 'Confirm your email address for Tidemark',
          lines: [
            'Welcome to Tidemark. To confirm your email address, open the link within 24 hours and enter the password that you chose.',
          ],
          action: {
            label: 'Confirm email address',
            url: withNext(linkOf(deps.base_url, '/confirm', token), new URL(url).searchParams.get('callbackURL') ?? ''),
          },
          notes: ['If you did not sign up, ignore this email.'],
        },
      ),
  };
}
