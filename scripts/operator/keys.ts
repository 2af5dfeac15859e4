import { createKey, type KeyKind, listKeys, revokeKey } from '../../db/accounts/keys.ts';
import { findWorkspace } from '../../db/accounts/workspaces.ts';
import { type Command, idOf, lines, table, UsageError, wholeNumber, wrongUse } from './command.ts';

const kinds: readonly KeyKind[] = ['live', 'test', 'sheet'];
const isKind = (text: string): text is KeyKind => (kinds as readonly string[]).includes(text);

export const keysCreate: Command = {
  name: 'keys create',
  usage: 'ID --kind live|test|sheet [--name N] [--cap N] [--expires DATE]',
  does: 'a key of a workspace, shown once',
  words: ['ID'],
  options: ['kind', 'name', 'cap', 'expires'],
  async run({ words, options, db, now }) {
    const { kind = '', name, cap, expires } = options;
    if (!isKind(kind)) throw wrongUse(keysCreate, `--kind must be one of ${kinds.join(', ')}.`);
    if (kind === 'sheet' && cap === undefined)
      throw wrongUse(keysCreate, 'A sheet key needs a --cap: credits a month.');
    const monthly_cap = cap === undefined ? null : wholeNumber(keysCreate, '--cap', cap);
    if (monthly_cap !== null && monthly_cap < 0) throw wrongUse(keysCreate, '--cap must not be negative.');
    const expires_at = expires === undefined ? null : new Date(expires);
    if (expires_at && !(expires_at > now()))
      throw wrongUse(keysCreate, '--expires must be a date to come, as 2027-01-31.');
    const workspace_id = idOf(keysCreate, 'ID', words[0] as string);
    if (!(await findWorkspace(db.sql, workspace_id))) throw new UsageError(`There is no workspace ${workspace_id}.`);
    const created = await createKey(db.sql, workspace_id, {
      kind,
      name: name ?? `${kind} key`,
      expires_at,
      monthly_cap,
    });
    return { json: created, text: `${lines(created)}\n\nThe key is shown only this once.` };
  },
};

export const keysList: Command = {
  name: 'keys list',
  usage: 'ID',
  does: 'the keys of a workspace, by their last four characters',
  words: ['ID'],
  options: [],
  async run({ words, db }) {
    const rows = await listKeys(db.sql, idOf(keysList, 'ID', words[0] as string));
    return { json: rows, text: table(rows) };
  },
};

export const keysRevoke: Command = {
  name: 'keys revoke',
  usage: 'KEY_ID',
  does: 'the key stops working at once',
  words: ['KEY_ID'],
  options: [],
  async run({ words, db, now }) {
    const key_id = idOf(keysRevoke, 'KEY_ID', words[0] as string);
    const revoked = await revokeKey(db.sql, key_id, now());
    if (!revoked) throw new UsageError(`There is no working key ${key_id}.`);
    return { json: { key_id, revoked }, text: `Key ${key_id} no longer works.` };
  },
};
