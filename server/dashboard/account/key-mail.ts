import { memberEmails } from '../../../db/accounts/members.ts';
import { type Allowance, throttle } from '../../../db/accounts/throttle.ts';
import { hourSeconds } from '../../../db/durations.ts';
import type { SectionDeps } from '../deps.ts';
import { sendSoon } from './auth-mails.ts';

export type KeyMailDeps = Pick<SectionDeps, 'db' | 'base_url' | 'mail' | 'on_error'>;

/** Limits the new API keys of a workspace, because every member gets an email about each new key. */
const newKeys: Allowance = { limit: 60, window_seconds: hourSeconds };

/** Counts a new API key. Returns one sentence for the user when too many keys were created, else null. */
export async function tooManyNewKeys(
  { db, now }: Pick<SectionDeps, 'db' | 'now'>,
  workspaceId: string,
): Promise<string | null> {
  const wait = await throttle(db.sql, `new keys ${workspaceId}`, newKeys, now());
  if (wait === null) return null;
  return `A workspace can create ${newKeys.limit} keys in an hour. Try again in ${Math.ceil(wait / 60)} min.`;
}

/**
 * Emails every member of the workspace that an API key was created, so that someone with a stolen session cannot create
 * a key unnoticed.
 */
export async function announceKey(
  deps: KeyMailDeps,
  workspace: { workspace_id: string; workspace_name: string },
  key: { name: string; by: string },
): Promise<void> {
  const message = {
    subject: 'New API key in your Tidemark workspace',
    lines: [
      `${key.by} created the API key "${key.name}" in the workspace "${workspace.workspace_name}".`,
      'If this was your team, you have nothing to do. If it was not your team, revoke the key. Then change your password.',
    ],
    action: { label: 'See the keys', url: `${deps.base_url}/dashboard/keys` },
    links: [{ label: 'Change your password', url: `${deps.base_url}/dashboard/settings` }],
  };
  for (const to of await memberEmails(deps.db.sql, workspace.workspace_id)) sendSoon(deps, to, message);
}
