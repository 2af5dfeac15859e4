import { afterAll, expect, test } from 'vitest';
import { isCitusRun } from '../setup/citus.ts';
import { createTestDatabase } from '../setup/test-database.ts';

const database = await createTestDatabase();
const { sql } = database;

afterAll(() => database.close());

interface References {
  table: string;
  /** The tables whose rows a new row locks, in the order of the locks: PostgreSQL sorts the triggers by name. */
  locked: string[];
  /** The same tables in the order in which `pg_dump` writes the foreign keys: by their names. */
  restored: string[];
}

/**
 * Returns the tables that the rows of each table refer to. Leaves out `workspaces`, which can be locked at any
 * position: `lockWorkspace` permits new rows that refer to the workspace, and its row is deleted after all its
 * contents.
 */
async function references(): Promise<References[]> {
  return sql<References[]>`
    select c.conrelid::regclass::text as table, array_agg(c.confrelid::regclass::text order by t.tgname) as locked,
      array_agg(c.confrelid::regclass::text order by c.conname collate "C") as restored
    from pg_constraint c join pg_trigger t on t.tgconstraint = c.oid and t.tgrelid = c.conrelid
    join pg_proc p on p.oid = t.tgfoid and p.proname = 'RI_FKey_check_ins'
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0
      and c.confrelid <> 'workspaces'::regclass
    group by 1`;
}

test('a database that pg_dump restores locks the rows of foreign keys in the same order', async () => {
  const found = await references();
  expect(found.length).toBeGreaterThan(10);
  expect(found.map(({ table, restored }) => [table, restored])).toEqual(
    found.map(({ table, locked }) => [table, locked]),
  );
});

test('a new OAuth token locks its client, user, session, connection and refresh token in this order', async () => {
  const locked = new Map((await references()).map((one) => [one.table, one.locked]));
  // On a cluster, the connection is on another node, so no foreign key refers to it.
  const connections = isCitusRun ? [] : ['connections'];
  const order = ['oauth_clients', 'auth_users', 'auth_sessions', ...connections];
  expect(locked.get('oauth_access_tokens')).toEqual([...order, 'oauth_refresh_tokens']);
  expect(locked.get('oauth_refresh_tokens')).toEqual(order);
  expect(locked.get('oauth_consents')).toEqual(['oauth_clients', 'auth_users', ...connections]);
});
