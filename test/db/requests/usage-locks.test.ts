import { beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../../db/accounts/keys.ts';
import { createUsageWriter } from '../../../db/requests/usage.ts';
import { collide } from '../../setup/lock-waits.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { db, sql, now } = setup;
let workspaceId: string;
beforeEach(async () => {
  workspaceId = await setup.workspace();
});

describe('the usage statistics', () => {
  test('the usage statistics and the charges of the same API keys lock the keys in the same order', async () => {
    const keys: string[] = [];
    for (const name of ['a', 'b']) keys.push((await createKey(sql, workspaceId, { kind: 'live', name })).key_id);
    await setup.moveBehind('api_keys', 'key_id', keys[0]);
    const errors: unknown[] = [];
    const usage = createUsageWriter(db.background, { now: () => now, on_error: (error) => errors.push(error) });
    for (const keyId of keys.toReversed())
      usage.count({ workspace_id: workspaceId, key_id: keyId, route: 'invented', outcome: 'OK', credits: 1 });
    await collide(
      sql,
      (tx) => tx`select from api_keys where workspace_id = ${workspaceId} and key_id = ${keys[0] ?? ''} for update`,
      async () =>
        sql`select from api_keys where workspace_id = ${workspaceId} and key_id = any(${keys}::uuid[]) order by key_id for no key update`,
      () => usage.close(),
    );
    expect(errors).toEqual([]);
  });
});
