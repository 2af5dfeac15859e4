import type { Tier } from '../../db/admission.ts';
import { usageSummary } from '../../db/usage.ts';
import { createWorkspace, findWorkspace, inTransaction, listWorkspaces } from '../../db/workspaces.ts';
import { starter_credits } from '../../server/first-start.ts';
import { type Command, idOf, lines, table, UsageError, wholeNumber, wrongUse } from './command.ts';

const tiers: readonly Tier[] = ['air', 'pro', 'pro_max', 'ultra'];
const isTier = (text: string): text is Tier => (tiers as readonly string[]).includes(text);

export const workspaceCreate: Command = {
  name: 'workspace create',
  usage: '--name N [--email E] [--tier T] [--credits N]',
  does: 'a workspace with one key of each kind, shown once',
  words: [],
  options: ['name', 'email', 'tier', 'credits'],
  async run({ options, db }) {
    const { name, email, tier = 'air', credits } = options;
    if (!name) throw wrongUse(workspaceCreate, 'A workspace needs a --name.');
    if (!isTier(tier)) throw wrongUse(workspaceCreate, `--tier must be one of ${tiers.join(', ')}.`);
    const amount = credits === undefined ? starter_credits : wholeNumber(workspaceCreate, '--credits', credits);
    if (amount < 0) throw wrongUse(workspaceCreate, '--credits must not be negative.');
    const workspace = { name, email: email ?? null, tier, credits: amount };
    const created = await inTransaction(db.sql, (tx) => createWorkspace(tx, workspace));
    return { json: created, text: `${lines(created)}\n\nThe keys are shown only this once.` };
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

const days_shown = 30;

export const workspaceShow: Command = {
  name: 'workspace show',
  usage: 'ID',
  does: `balance, tier, and usage of ${days_shown} days`,
  words: ['ID'],
  options: [],
  async run({ words, db, now }) {
    const workspace_id = idOf(workspaceShow, 'ID', words[0] as string);
    const workspace = await findWorkspace(db.sql, workspace_id);
    if (!workspace) throw new UsageError(`There is no workspace ${workspace_id}.`);
    const since = new Date(now().getTime() - days_shown * 86_400_000);
    const usage = await usageSummary(db.sql, workspace_id, since);
    return { json: { ...workspace, usage }, text: `${lines(workspace)}\n\n${table(usage)}` };
  },
};
