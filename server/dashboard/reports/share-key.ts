import type { Sql } from 'postgres';
import { storedSecret } from '../../../db/settings.ts';

/**
 * Returns the secret key from which the tokens of share links are derived. When SESSION_SECRET is not set, the key is
 * generated once and stored.
 */
export async function readShareKey({
  db,
  config,
}: {
  db: { sql: Sql };
  config: { session_secret: string | null };
}): Promise<string> {
  return config.session_secret ?? storedSecret(db.sql, 'share_link_key');
}
