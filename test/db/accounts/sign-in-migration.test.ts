import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keyHashOfToken } from '../../../db/accounts/connections.ts';
import { hashSecret } from '../../../db/accounts/secrets.ts';
import { newId } from '../../../db/ids.ts';
import { migrate } from '../../../db/migrate.ts';
import { isCitusRun } from '../../setup/citus.ts';
import { createTestDatabase } from '../../setup/test-database.ts';

const migrations = join(import.meta.dirname, '../../../db/migrations');
const database = await createTestDatabase();
const { sql } = database;
const folder = await mkdtemp(join(tmpdir(), 'tidemark-migrations-'));
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.close();
});

/** Inserts a connected OAuth app and its token as the previous release stored these. Returns the ids of both. */
async function connectAsBefore(userId: string, revokedAt: Date | null) {
  const [workspaceId, keyId, clientId] = [newId(), newId(), newId()];
  const expiresAt = new Date(Date.now() + 3_600_000);
  await sql`insert into workspaces (workspace_id, name) values (${workspaceId}, 'old')`;
  await sql`insert into members (workspace_id, user_id) values (${workspaceId}, ${userId})`;
  await sql`insert into api_keys (workspace_id, key_id, hash, kind, name, last_four, revoked_at)
    values (${workspaceId}, ${keyId}, ${keyId}, 'live', 'Connected', '', ${revokedAt})`;
  await sql`insert into oauth_clients (id, client_id, redirect_uris) values (${newId()}, ${clientId}, ${['https://a.example/']})`;
  await sql`insert into connections (workspace_id, client_id, key_id) values (${workspaceId}, ${clientId}, ${keyId})`;
  await sql`insert into oauth_access_tokens (id, token, client_id, user_id, reference_id, scopes, expires_at)
    values (${newId()}, ${hashSecret(clientId)}, ${clientId}, ${userId}, ${workspaceId}, ${['mcp']}, ${expiresAt})`;
  await sql`insert into oauth_consents (id, client_id, user_id, reference_id, scopes)
    values (${newId()}, ${clientId}, ${userId}, ${workspaceId}, ${['mcp']})`;
  return { workspace_id: workspaceId, client_id: clientId, token: clientId, key_hash: keyId };
}

// The test drops the database schema, without which a cluster does not work.
test.skipIf(isCitusRun)(
  'an upgrade keeps sessions and connected apps, hashes session tokens, and removes the tokens and consents of a revoked app',
  async () => {
    const all = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort();
    const before = all.slice(
      0,
      all.findIndex((name) => name.endsWith('_sign_in.sql')),
    );
    for (const name of before) await copyFile(join(migrations, name), join(folder, name));
    await sql.unsafe('drop schema public cascade; create schema public');
    await migrate(sql, { folder });
    const userId = newId();
    await sql`insert into auth_users (id, name, email, created_at, updated_at) values (${userId}, 'Ann', 'ann@example.com', now(), now())`;
    await sql`insert into auth_sessions (id, token, user_id, expires_at, created_at, updated_at)
    values ('one', 'a session token', ${userId}, now() + interval '1 day', now(), now())`;
    const kept = await connectAsBefore(userId, null);
    const revoked = await connectAsBefore(userId, new Date());

    expect(await migrate(sql, { folder: migrations })).toEqual(all.slice(before.length));

    expect((await sql`select token from auth_sessions`)[0]?.token).toBe(hashSecret('a session token'));
    expect(await keyHashOfToken(sql, kept.token, new Date())).toBe(kept.key_hash);
    expect(await sql`select grant_id from connections where client_id = ${kept.client_id}`).toHaveLength(1);
    expect(await keyHashOfToken(sql, revoked.token, new Date())).toBeNull();
    expect(await sql`select client_id from oauth_consents`).toEqual([{ client_id: kept.client_id }]);
  },
);
