import { addKeyAudit } from '../../db/accounts/audit.ts';
import type { KeyKind } from '../../db/accounts/key-text.ts';
import { createKey, type KeyLimits, listKeys, revokeKey } from '../../db/accounts/keys.ts';
import { findWorkspace } from '../../db/accounts/workspaces.ts';
import { endOfDay } from '../../db/calendar.ts';
import { readNetworks, readScopes } from '../../server/http/key-limits.ts';
import {
  type Command,
  commandId,
  existingWorkspace,
  lines,
  noWorkspace,
  textTable,
  UsageError,
  wholeNumber,
  wrongUse,
} from './command.ts';

const kinds: readonly KeyKind[] = ['live', 'test', 'sheet'];
const isKind = (text: string): text is KeyKind => (kinds as readonly string[]).includes(text);

export const keysCreate: Command = {
  name: 'keys create',
  usage:
    'ID --kind live|test|sheet [--name N] [--cap N] [--expires DATE] [--scopes data,workflows,mcp] [--networks CIDR,…]',
  does: 'creates a key of a workspace and shows it once',
  args: ['ID'],
  options: ['kind', 'name', 'cap', 'expires', 'scopes', 'networks'],
  async run({ args, options, db, now }) {
    const { kind = '', name, cap, expires } = options;
    if (!isKind(kind)) throw wrongUse(keysCreate, `--kind must be one of ${kinds.join(', ')}.`);
    if (kind === 'sheet' && cap === undefined)
      throw wrongUse(keysCreate, 'Add --cap N: a sheet key needs a monthly cap in credits.');
    const monthlyCap = cap === undefined ? null : wholeNumber(keysCreate, '--cap', cap);
    if (monthlyCap !== null && monthlyCap < 0) throw wrongUse(keysCreate, '--cap must not be negative.');
    const expiresAt = expires === undefined ? null : endOfDay(expires);
    if (expiresAt && !(expiresAt > now()))
      throw wrongUse(keysCreate, '--expires must be a date in the future, such as 2027-01-31.');
    const limits = readLimits(options, kind);
    const workspaceId = commandId(keysCreate, 'ID', args[0] as string);
    if (!(await findWorkspace(db.sql, workspaceId))) throw noWorkspace(workspaceId);
    const created = await createKey(db.sql, workspaceId, {
      kind,
      name: name ?? `${kind} key`,
      expires_at: expiresAt,
      monthly_cap: monthlyCap,
      ...limits,
    });
    await addKeyAudit(db.sql, created.key_id, 'created a key', now());
    return { json: created, text: `${lines(created)}\n\nSave the key now: it is not shown again.` };
  },
};

function readLimits({ scopes, networks }: Readonly<Record<string, string | undefined>>, kind: KeyKind): KeyLimits {
  const reading = <T>(option: string, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (error instanceof RangeError) throw wrongUse(keysCreate, `${option}: ${error.message}`);
      throw error;
    }
  };
  // Refuses an empty option, because an empty list of scopes or networks would allow everything.
  if (scopes === '' || networks === '')
    throw wrongUse(keysCreate, 'Give --scopes and --networks a value, or leave them out.');
  return {
    scopes: reading('--scopes', () => readScopes(scopes?.split(',') ?? [], kind)),
    networks: reading('--networks', () => readNetworks(networks ?? '')),
  };
}

export const keysList: Command = {
  name: 'keys list',
  usage: 'ID',
  does: 'lists the keys of a workspace by their last four characters',
  args: ['ID'],
  options: [],
  async run(context) {
    const { workspace_id } = await existingWorkspace(keysList, 'ID', context);
    const rows = await listKeys(context.db.sql, workspace_id);
    return { json: rows, text: textTable(rows) };
  },
};

export const keysRevoke: Command = {
  name: 'keys revoke',
  usage: 'KEY_ID',
  does: 'revokes a key immediately',
  args: ['KEY_ID'],
  options: [],
  async run({ args, db, now }) {
    const keyId = commandId(keysRevoke, 'KEY_ID', args[0] as string);
    const revoked = await revokeKey(db.sql, keyId, now());
    if (!revoked)
      throw new UsageError(
        `No active key has the ID ${keyId}. To see the keys of a workspace: npm run operator -- keys list WORKSPACE_ID`,
      );
    await addKeyAudit(db.sql, keyId, 'revoked a key', now());
    return { json: { key_id: keyId, revoked }, text: `Key ${keyId} no longer works.` };
  },
};
