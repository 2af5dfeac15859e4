import type { Sql } from 'postgres';
import { capCreditsUsed } from './key-conditions.ts';
import type { KeyKind } from './key-text.ts';

/**
 * The details of an API key that its user may see. `workspace` is the name of the workspace that pays for its requests.
 */
interface KeyFacts {
  workspace: string;
  kind: KeyKind;
  name: string;
  last_four: string;
  monthly_cap: number | null;
  /**
   * Credits charged through the API key, and through the keys that share its cap, in the UTC month of `now`. Null when
   * the key has no monthly cap, because a key's credits are counted only for its cap.
   */
  cap_used: number | null;
}

/** Returns the details of one API key; null when the workspace has no such key. */
export async function keyFacts(sql: Sql, workspaceId: string, keyId: string, now: Date): Promise<KeyFacts | null> {
  const [row] = await sql<KeyFacts[]>`
    select w.name as workspace, k.kind, k.name, k.last_four, k.monthly_cap,
      case when k.monthly_cap is not null
        then ${capCreditsUsed(sql, 'k', { now, workspace: workspaceId })} end as cap_used
    from api_keys k join workspaces w on w.workspace_id = k.workspace_id
    where k.workspace_id = ${workspaceId} and k.key_id = ${keyId}`;
  return row ?? null;
}
