import type { KeyKind } from '../../../db/accounts/key-text.ts';
import { createKey, type KeyLimits, listKeys } from '../../../db/accounts/keys.ts';
import { alone } from '../../../db/transaction.ts';
import { announceKey, type KeyMailDeps, tooManyNewKeys } from '../account/key-mail.ts';
import type { SectionDeps } from '../deps.ts';
import { validityOf } from '../ui/validity.ts';
import type { Visitor } from '../ui/visitor.ts';

/** Maximum number of active API keys in a workspace. Revoked and expired keys do not count. */
const maxKeys = 50;
/** The same limit for replacing a key. It is higher, because a replaced key can keep working for up to 30 days. */
const maxKeysWithReplaced = 2 * maxKeys;

const tooManyKeys = `A workspace can have ${maxKeys} active keys. Revoke one first.`;
const tooManyWithReplaced = `A workspace can have ${maxKeysWithReplaced} active keys, including replaced keys that still work. Revoke one first.`;

export type KeyInput = KeyLimits & {
  kind: KeyKind;
  name: string;
  expires_at: Date | null;
  monthly_cap: number | null;
};

/**
 * Creates an API key and informs every member of the workspace by email. Returns one sentence for the user when the
 * workspace has too many keys.
 */
export async function addKey(
  visitor: Visitor,
  input: KeyInput,
  deps: KeyMailDeps & Pick<SectionDeps, 'now'>,
): Promise<{ key: string } | { problem: string }> {
  const refused = await tooManyNewKeys(deps, visitor.workspace_id);
  if (refused !== null) return { problem: refused };
  const created = await alone(deps.db.sql, visitor.workspace_id, async (tx) => {
    const keys = await listKeys(tx, visitor.workspace_id, deps.now());
    const active = keys.filter((key) => validityOf(key, deps.now()) === 'active');
    return active.length >= maxKeys
      ? null
      : createKey(tx, visitor.workspace_id, { ...input, created_by: visitor.email });
  });
  if (!created) return { problem: tooManyKeys };
  await announceKey(deps, visitor, { name: input.name, by: visitor.email });
  return created;
}

/** Counts the replacement of a key. Returns one sentence for the user when the workspace has too many keys. */
export async function tooManyReplaced(
  { workspace_id }: Visitor,
  deps: Pick<SectionDeps, 'db' | 'now'>,
): Promise<string | null> {
  const keys = await listKeys(deps.db.sql, workspace_id, deps.now());
  const active = keys.filter((key) => validityOf(key, deps.now()) === 'active');
  return active.length >= maxKeysWithReplaced ? tooManyWithReplaced : tooManyNewKeys(deps, workspace_id);
}
