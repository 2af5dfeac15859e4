import { isKnownEmail } from '../../../db/accounts/members.ts';
import { firstOperatorEmail } from '../../../pipeline/notify/mail.ts';
import { createAccounts } from '../../../server/dashboard/account/accounts.ts';
import { starterCredits } from '../../../server/first-start.ts';
import { type Command, type Context, UsageError } from '../command.ts';

export const signInLink: Command = {
  name: 'sign-in-link',
  usage: 'EMAIL',
  does: 'prints a sign-in link that works once and for 24 hours',
  args: ['EMAIL'],
  options: [],
  async run({ args, db, config }) {
    const email = (args[0] as string).toLowerCase();
    await requireUser(email, db);
    const link = await linkFor(email, { db, config });
    return { json: { email, link }, text: `${link}\n\nThis link signs in ${email}. It works once and for 24 hours.` };
  },
};

/** Throws UsageError when no user has this email address. */
export async function requireUser(email: string, db: Context['db']): Promise<void> {
  if (await isKnownEmail(db.sql, email)) return;
  throw new UsageError(
    `No user has the email address ${email}: check it. The first operator has ${firstOperatorEmail}.`,
  );
}

/** Returns a sign-in link for an existing account. The link works once, within 24 hours. */
export function linkFor(email: string, { db, config }: Pick<Context, 'db' | 'config'>): Promise<string> {
  const accounts = createAccounts({
    ...config,
    db,
    starter_credits: starterCredits,
    now: () => new Date(),
    mail: async () => undefined,
    on_error: (error) => {
      throw error;
    },
  });
  return accounts.signInLink(email);
}
