import type { Sql } from 'postgres';
import { addMember } from '../accounts/members.ts';
import { openWorkspace } from '../accounts/workspaces.ts';
import { newId } from '../ids.ts';
import type { Observed } from '../observations/observed.ts';

/** An invented tracked item of a sample workspace. Sample workspaces show the product with invented data. */
interface SampleItem {
  item_id: string;
  platform: string;
  kind: string;
  url: string;
  identifier: string;
  name: string;
}

/** An invented failed check of an item in a sample workspace. */
interface SampleMiss {
  item_id: string;
  attempted_at: Date;
  outcome: string;
}

export interface SampleWorkspace {
  items: readonly SampleItem[];
  observations: readonly Observed[];
  missed: readonly SampleMiss[];
  /** When the tracking of the invented items began, according to the sample data. */
  since: Date;
}

/**
 * Returns the id of a user's sample workspace (with invented data), or null when the user has none. Locks the user, so
 * that other calls for this user wait until the transaction ends.
 */
export async function lockSample(tx: Sql, userId: string): Promise<string | null> {
  await tx`select from auth_users where id = ${userId} for no key update`;
  const [row] = await tx<{ workspace_id: string }[]>`
    select w.workspace_id from members m join workspaces w on w.workspace_id = m.workspace_id
    where m.user_id = ${userId} and w.sample limit 1`;
  return row?.workspace_id ?? null;
}

/**
 * Creates a sample workspace with invented items and history. Returns its id. The user can only view and delete it, and
 * its scheduled work is paused, so nothing in it can cost credits. Must be called inside a transaction.
 */
export async function openSample(tx: Sql, userId: string, name: string, sample: SampleWorkspace): Promise<string> {
  const workspaceId = await openWorkspace(tx, { name, tier: 'ultra', credits: 0 });
  await tx`update workspaces set sample = true where workspace_id = ${workspaceId}`;
  await tx`insert into work_settings (workspace_id, paused) values (${workspaceId}, true)`;
  await addMember(tx, workspaceId, userId, 'viewer');
  const owned = { workspace_id: workspaceId };
  const last = sample.observations.at(-1)?.observed_at ?? sample.since;
  const facts = { ...owned, check_minute: 0, created_at: sample.since, last_attempt_at: last };
  await tx`insert into tracked_items ${tx(sample.items.map((item) => ({ ...item, ...facts })))}`;
  await tx`insert into observations ${tx(sample.observations.map((row) => ({ ...row, ...owned })))}`;
  const checks = [
    ...sample.observations.map(({ item_id, observed_at }) => checked(item_id, observed_at, 'OK')),
    ...sample.missed.map(({ item_id, attempted_at, outcome }) => checked(item_id, attempted_at, outcome)),
  ];
  await tx`insert into check_attempts ${tx(checks.map((row) => ({ ...row, ...owned })))}`;
  return workspaceId;
}

function checked(itemId: string, at: Date, outcome: string) {
  return {
    item_id: itemId,
    attempt_id: newId(at),
    attempted_at: at,
    trigger: 'scheduled',
    outcome,
    credits: outcome === 'OK' ? 1 : 0,
  };
}

/** Returns the ids of sample workspaces that were created before `before`. */
export async function oldSamples(sql: Sql, before: Date): Promise<string[]> {
  const rows = await sql<{ workspace_id: string }[]>`
    select workspace_id from workspaces where sample and created_at < ${before} order by workspace_id limit 1000`;
  return rows.map(({ workspace_id }) => workspace_id);
}
