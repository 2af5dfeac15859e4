import type { Context } from 'hono';
import type { Sql } from 'postgres';
import { addUserAudit } from '../../../db/accounts/audit.ts';
import { type Allowance, throttle } from '../../../db/accounts/throttle.ts';
import { hourSeconds } from '../../../db/durations.ts';
import { type ClientAddress, networkOf } from '../../http/client-address.ts';
import { deviceName } from '../ui/device-name.ts';
import { withAddress } from './session-address.ts';

/** Dependencies of the limits and the audit log of sign-in forms. */
export interface AttemptDeps {
  db: { sql: Sql };
  now: () => Date;
  client_address: ClientAddress;
}

/** The limits of a form for attempts from one network. */
interface FormLimits {
  /** Limits the attempts from one network for one email. */
  account: Allowance;
  /** Limits all attempts from one network, which many people may share. */
  network: Allowance;
  /** The forms with the same name here share the limit `network`. */
  shared_by: string;
}

/**
 * Returns the limits of a form. One network can request fewer links to reset a password for an address than the address
 * can get, so that its owner gets the others. It can use up the notices of sign-ups, but their links work at any time.
 * There is no limit per email alone, because anyone could use it to lock the user out.
 */
function limitsOf(attempted: string): FormLimits {
  if (mailForms.has(attempted)) {
    return {
      account: { limit: 3, window_seconds: hourSeconds },
      network: { limit: 100, window_seconds: hourSeconds },
      shared_by: 'emails to any address',
    };
  }
  return {
    account: { limit: 10, window_seconds: 15 * 60 },
    network: { limit: 100, window_seconds: 15 * 60 },
    shared_by: attempted,
  };
}

/** The forms that send an email to the entered address, known or not. */
const mailForms: ReadonlySet<string> = new Set(['sign-up', 'forgot']);

/**
 * Counts an attempt at a form. `email` is null when the form has no email field. Returns a sentence for the user after
 * too many attempts, else null.
 */
export async function tooManyAttempts(
  c: Context,
  attempted: string,
  email: string | null,
  deps: AttemptDeps,
): Promise<string | null> {
  const { db, now } = deps;
  const network = networkOf(deps.client_address(c));
  const limits = limitsOf(attempted);
  const waits = await Promise.all([
    email === null ? null : throttle(db.sql, `${attempted} ${network} ${email.toLowerCase()}`, limits.account, now()),
    throttle(db.sql, `${limits.shared_by} ${network}`, limits.network, now()),
  ]);
  const wait = Math.max(...waits.map((seconds) => seconds ?? 0));
  return wait > 0 ? `Too many attempts. Try again in ${Math.ceil(wait / 60)} min.` : null;
}

/** Returns the headers of a request for the sign-in library, with the IP address of the client. */
export const libraryHeaders = (c: Context, deps: AttemptDeps) => withAddress(c.req.raw.headers, deps.client_address(c));

/** Adds a successful or failed sign-in to the audit log of each workspace of the user. */
export async function recordSignIn(c: Context, actor: string, action: string, deps: AttemptDeps): Promise<void> {
  const device = deviceName(c.req.header('user-agent') ?? null);
  await addUserAudit(deps.db.sql, actor, { actor, action, address: deps.client_address(c), device }, deps.now());
}
