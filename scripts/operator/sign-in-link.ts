import { isKnownEmail } from '../../db/accounts/members.ts';
import { createAccounts } from '../../server/dashboard/account/accounts.ts';
import { operatorEmail, starterCredits } from '../../server/first-start.ts';
import { type Command, type Context, UsageError } from './command.ts';

export const signInLink: Command = {
  name: 'sign-in-link',
  usage: 'EMAIL',
  does: 'a link that signs somebody in, once, within a day',
  words: ['EMAIL'],
  options: [],
  async run({ words, db, config }) {
    const email = (words[0] as string).toLowerCase();
    if (!(await isKnownEmail(db.sql, email))) {
      throw new UsageError(`Nobody signs in with ${email}. The first operator is ${operatorEmail}.`);
    }
    const link = await linkFor(email, { db, config });
    return { json: { email, link }, text: `${link}\n\nIt signs ${email} in, once, within a day.` };
  },
};

/** Makes a link that signs a known person in, once, within a day. */
export function linkFor(email: string, { db, config }: Pick<Context, 'db' | 'config'>): Promise<string> {
  const accounts = createAccounts({
    ...config,
    db,
    starter_credits: starterCredits,
    mail: async () => undefined,
    on_error: (error) => {
      throw error;
    },
  });
  return accounts.signInLink(email);
}
