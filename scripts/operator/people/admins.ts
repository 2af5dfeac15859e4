import { addOperator, listOperators, removeOperator } from '../../../db/accounts/operators.ts';
import { type Command, textTable, UsageError } from '../command.ts';
import { requireUser } from './sign-in-link.ts';

export const adminAdd: Command = {
  name: 'admin add',
  usage: 'EMAIL',
  does: 'shows the page Admin of the dashboard to this user: all workspaces, tiers and credits',
  args: ['EMAIL'],
  options: [],
  async run({ args, db }) {
    const email = (args[0] as string).toLowerCase();
    await requireUser(email, db);
    await addOperator(db.sql, email);
    return { json: { email }, text: `${email} is an operator of this server now.` };
  },
};

export const adminRemove: Command = {
  name: 'admin remove',
  usage: 'EMAIL',
  does: 'takes the page Admin away from this user',
  args: ['EMAIL'],
  options: [],
  async run({ args, db }) {
    const email = (args[0] as string).toLowerCase();
    if (!(await removeOperator(db.sql, email)))
      throw new UsageError(`${email} is not an operator: \`admin list\` shows all of them.`);
    return { json: { email }, text: `${email} is no longer an operator.` };
  },
};

export const adminList: Command = {
  name: 'admin list',
  usage: '',
  does: 'lists the operators of this server',
  args: [],
  options: [],
  async run({ db }) {
    const rows = await listOperators(db.sql);
    return { json: rows, text: textTable(rows) };
  },
};
