import { afterAll, expect, test } from 'vitest';
import { isCitusRun } from '../setup/citus.ts';
import { listReferences } from '../setup/foreign-keys.ts';
import { createTestDatabase } from '../setup/test-database.ts';

const database = await createTestDatabase();
const { sql } = database;

afterAll(() => database.close());

test('a database that pg_dump restores locks the rows of foreign keys in the same order', async () => {
  const found = await listReferences(sql);
  expect(found.length).toBeGreaterThan(10);
  expect(found.map(({ table, restored }) => [table, restored])).toEqual(
    found.map(({ table, locked }) => [table, locked]),
  );
});

test('a new OAuth token locks its client, user, session, connection and refresh token in this order', async () => {
  const locked = new Map((await listReferences(sql)).map((one) => [one.table, one.locked]));
  // On a Citus cluster, connections are on a different node from tokens, so no foreign key refers to them.
  const connections = isCitusRun ? [] : ['connections'];
  const order = ['oauth_clients', 'auth_users', 'auth_sessions', ...connections];
  expect(locked.get('oauth_access_tokens')).toEqual([...order, 'oauth_refresh_tokens']);
  expect(locked.get('oauth_refresh_tokens')).toEqual(order);
  expect(locked.get('oauth_consents')).toEqual(['oauth_clients', 'auth_users', ...connections]);
});
