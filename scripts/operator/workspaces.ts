import type { Sql } from 'postgres';
import { createOwnedWorkspace, isKnownEmail } from '../../db/accounts/members.ts';
import { createWorkspace, findWorkspace, listWorkspaces, setTier } from '../../db/accounts/workspaces.ts';
import { dayMs } from '../../db/durations.ts';
import { usageByWorkspace, usageSummary } from '../../db/requests/usage.ts';
import { isTier, tierNames } from '../../db/tier.ts';
import { inTransaction } from '../../db/transaction.ts';
import { starterCredits } from '../../server/first-start.ts';
import {
  type Command,
  commandId,
  lines,
  noWorkspace,
  textTable,
  UsageError,
  wholeNumber,
  wrongUse,
} from './command.ts';
import { linkFor } from './people/sign-in-link.ts';

export const workspaceCreate: Command = {
  name: 'workspace create',
  usage: '--name N [--email E] [--tier T] [--credits N]',
  does: 'creates a workspace and its keys, which are shown once; --email adds a user with a sign-in link',
  args: [],
  options: ['name', 'email', 'tier', 'credits'],
  async run({ options, db, config, now }) {
    const { name, tier = 'air', credits } = options;
    if (!name) throw wrongUse(workspaceCreate, 'Add --name: a workspace must have a name.');
    if (!isTier(tier)) throw wrongUse(workspaceCreate, `--tier must be one of ${tierNames.join(', ')}.`);
    const amount = credits === undefined ? starterCredits : wholeNumber(workspaceCreate, '--credits', credits);
    if (amount < 0) throw wrongUse(workspaceCreate, '--credits must not be negative.');
    const email = await readNewEmail(options.email, db.sql);
    const workspace = { name, email, tier, credits: amount };
    const keysOnce = 'Save the keys now: they are not shown again.';
    if (email === null) {
      const created = await inTransaction(db.sql, (tx) => createWorkspace(tx, workspace));
      return { json: created, text: `${lines(created)}\n\n${keysOnce}` };
    }
    const user = { name, email };
    const owned = await inTransaction(db.sql, (tx) => createOwnedWorkspace(tx, workspace, user, now()));
    const created = { ...owned, email, sign_in_link: await linkFor(email, { db, config }) };
    return {
      json: created,
      text: `${lines(created)}\n\n${keysOnce} The link signs in ${email}. It works once and for 24 hours.`,
    };
  },
};

/**
 * Returns the email address of --email in lower case; null when the option is missing. Throws UsageError when it is
 * invalid or in use.
 */
async function readNewEmail(text: string | undefined, sql: Sql): Promise<string | null> {
  if (text === undefined) return null;
  const email = text.trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw wrongUse(workspaceCreate, `--email must be an email address, not "${text}".`);
  if (!(await isKnownEmail(sql, email))) return email;
  throw new UsageError(
    `${email} already has an account, and --email creates one: leave --email out or use another address. Under People, this user can be invited to more workspaces.`,
  );
}

export const workspaceTier: Command = {
  name: 'workspace tier',
  usage: 'ID TIER',
  does: 'sets the tier, higher or lower; does not change the credits',
  args: ['ID', 'TIER'],
  options: [],
  async run({ args, db }) {
    const workspaceId = commandId(workspaceTier, 'ID', args[0] as string);
    const tier = args[1] as string;
    if (!isTier(tier)) throw wrongUse(workspaceTier, `TIER must be one of ${tierNames.join(', ')}.`);
    if (!(await setTier(db.sql, workspaceId, tier))) throw noWorkspace(workspaceId);
    return { json: { workspace_id: workspaceId, tier }, text: lines({ workspace_id: workspaceId, tier }) };
  },
};

const daysShown = 30;
const firstDayShown = (now: Date) => new Date(now.getTime() - daysShown * dayMs);

export const workspaceList: Command = {
  name: 'workspace list',
  usage: '',
  does: `lists all workspaces with their balance, and their requests and credits of ${daysShown} days`,
  args: [],
  options: [],
  async run({ db, now }) {
    const usage = await usageByWorkspace(db.sql, firstDayShown(now()));
    const rows = (await listWorkspaces(db.sql)).map((workspace) => {
      const { requests = 0, credits = 0 } = usage.get(workspace.workspace_id) ?? {};
      return { ...workspace, requests_30_days: requests, credits_30_days: credits };
    });
    return { json: rows, text: textTable(rows) };
  },
};

export const workspaceShow: Command = {
  name: 'workspace show',
  usage: 'ID',
  does: `shows the balance, the tier and the usage of ${daysShown} days`,
  args: ['ID'],
  options: [],
  async run({ args, db, now }) {
    const workspaceId = commandId(workspaceShow, 'ID', args[0] as string);
    const workspace = await findWorkspace(db.sql, workspaceId);
    if (!workspace) throw noWorkspace(workspaceId);
    const usage = await usageSummary(db.sql, workspaceId, firstDayShown(now()));
    return { json: { ...workspace, usage }, text: `${lines(workspace)}\n\n${textTable(usage)}` };
  },
};
