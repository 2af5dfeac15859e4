import { findWorkspace } from '../../db/accounts/workspaces.ts';
import { moveCredits } from '../../db/money/ledger.ts';
import { type Command, commandId, lines, noWorkspace, UsageError, wholeNumber, wrongUse } from './command.ts';

export const creditsGrant: Command = {
  name: 'credits grant',
  usage: 'ID N --reason R',
  does: 'adds N credits as a ledger entry `adjustment`; N may be negative',
  args: ['ID', 'N'],
  options: ['reason'],
  async run({ args, options, db }) {
    const workspaceId = commandId(creditsGrant, 'ID', args[0] as string);
    const credits = wholeNumber(creditsGrant, 'N', args[1] as string);
    if (credits === 0) throw wrongUse(creditsGrant, 'N must not be 0.');
    if (!options.reason) throw wrongUse(creditsGrant, 'Add --reason: a grant must have a reason.');
    const balance = await moveCredits(db.sql, workspaceId, { kind: 'adjustment', credits, reason: options.reason });
    if (balance === null) {
      const workspace = await findWorkspace(db.sql, workspaceId);
      if (!workspace) throw noWorkspace(workspaceId);
      throw new UsageError(
        `Nothing was changed, because the balance cannot fall below 0: take at most ${workspace.balance} credits.`,
      );
    }
    const granted = { workspace_id: workspaceId, credits, credits_remaining: balance };
    return { json: granted, text: lines(granted) };
  },
};
