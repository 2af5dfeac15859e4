import { addUserAudit } from '../../../db/accounts/audit.ts';
import { removeTwoFactor } from '../../../db/accounts/two-factor.ts';
import { type Command, wrongUse } from '../command.ts';
import { requireUser } from './sign-in-link.ts';

export const twoFactorOff: Command = {
  name: 'two-factor-off',
  usage: '--email EMAIL',
  does: 'turns off two-factor sign-in of a user who lost the authenticator app and the backup codes',
  args: [],
  options: ['email'],
  async run({ options, db, now }) {
    const email = options.email?.toLowerCase();
    if (!email) throw wrongUse(twoFactorOff, '--email is missing: name the email address of the user.');
    await requireUser(email, db);
    const changed = await removeTwoFactor(db.sql, email);
    const action = 'turned off two-factor sign-in';
    if (changed) await addUserAudit(db.sql, email, { actor: 'operator', action, subject: email }, now());
    const text = changed
      ? `Two-factor sign-in of ${email} is off. The password alone signs in again.`
      : `Two-factor sign-in of ${email} was not on. Nothing changed.`;
    return { json: { email, changed }, text };
  },
};
