import type { Sql } from 'postgres';
import { createOwnedWorkspace, isKnownEmail } from '../../db/accounts/members.ts';
import { createWorkspace, findWorkspace, listWorkspaces, setTier } from '../../db/accounts/workspaces.ts';
import { usageSummary } from '../../db/requests/usage.ts';
import type { Tier } from '../../db/tier.ts';
import { inTransaction } from '../../db/transaction.ts';
import { starterCredits } from '../../server/first-start.ts';
import { type Command, idOf, lines, table, UsageError, wholeNumber, wrongUse } from './command.ts';
import { linkFor } from './sign-in-link.ts';

const tiers: readonly Tier[] = ['air', 'pro', 'pro_max', 'ultra'];
const isTier = (text: string): text is Tier => (tiers as readonly string[]).includes(text);

export const workspaceCreate: Command = {
  name: 'workspace create',
  usage: '--name N [--email E] [--tier T] [--credits N]',
  does: 'a workspace with one key of each kind, shown once; with --email a person who signs in by the printed link',
  words: [],
  options: ['name', 'email', 'tier', 'credits'],
  async run({ options, db, config, now }) {
    const { name, tier = 'air', credits } = options;
    if (!name) throw wrongUse(workspaceCreate, 'A workspace needs a --name.');
    if (!isTier(tier)) throw wrongUse(workspaceCreate, `--tier must be one of ${tiers.join(', ')}.`);
    const amount = credits === undefined ? starterCredits : wholeNumber(workspaceCreate, '--credits', credits);
    if (amount < 0) throw wrongUse(workspaceCreate, '--credits must not be negative.');
    const email = await newPerson(options.email, db.sql);
    const workspace = { name, email, tier, credits: amount };
    const keysOnce = 'The keys are shown only this once.';
    if (email === null) {
      const created = await inTransaction(db.sql, (tx) => createWorkspace(tx, workspace));
      return { json: created, text: `${lines(created)}\n\n${keysOnce}` };
    }
    const person = { name, email };
    const made = await inTransaction(db.sql, (tx) => createOwnedWorkspace(tx, workspace, person, now()));
    const created = { ...made, email, sign_in_link: await linkFor(email, { db, config }) };
    return { json: created, text: `${lines(created)}\n\n${keysOnce} The link signs ${email} in, once, within a day.` };
  },
};

/** The address of --email as it signs in, null without one; throws UsageError when it is none or signs in already. */
async function newPerson(text: string | undefined, sql: Sql): Promise<string | null> {
  if (text === undefined) return null;
  const email = text.trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw wrongUse(workspaceCreate, `--email must be an address, not "${text}".`);
  if (!(await isKnownEmail(sql, email))) return email;
  throw new UsageError(`${email} signs in already, and a person has one workspace: leave --email out or use another.`);
}

export const workspaceTier: Command = {
  name: 'workspace tier',
  usage: 'ID TIER',
  does: 'sets the tier, higher or lower; credits stay as they are',
  words: ['ID', 'TIER'],
  options: [],
  async run({ words, db }) {
    const workspaceId = idOf(workspaceTier, 'ID', words[0] as string);
    const tier = words[1] as string;
    if (!isTier(tier)) throw wrongUse(workspaceTier, `TIER must be one of ${tiers.join(', ')}.`);
    if (!(await setTier(db.sql, workspaceId, tier))) throw new UsageError(`There is no workspace ${workspaceId}.`);
    return { json: { workspace_id: workspaceId, tier }, text: lines({ workspace_id: workspaceId, tier }) };
  },
};

export const workspaceList: Command = {
  name: 'workspace list',
  usage: '',
  does: 'all workspaces with their balance',
  words: [],
  options: [],
  async run({ db }) {
    const rows = await listWorkspaces(db.sql);
    return { json: rows, text: table(rows) };
  },
};

const daysShown = 30;

export const workspaceShow: Command = {
  name: 'workspace show',
  usage: 'ID',
  does: `balance, tier, and usage of ${daysShown} days`,
  words: ['ID'],
  options: [],
  async run({ words, db, now }) {
    const workspaceId = idOf(workspaceShow, 'ID', words[0] as string);
    const workspace = await findWorkspace(db.sql, workspaceId);
    if (!workspace) throw new UsageError(`There is no workspace ${workspaceId}.`);
    const since = new Date(now().getTime() - daysShown * 86_400_000);
    const usage = await usageSummary(db.sql, workspaceId, since);
    return { json: { ...workspace, usage }, text: `${lines(workspace)}\n\n${table(usage)}` };
  },
};
