import { describe, expect, test } from 'vitest';
import { newId } from '../../db/ids.ts';
import { removeExpired } from '../../db/requests/responses.ts';
import { inTransaction } from '../../db/transaction.ts';
import { isCitusRun } from '../setup/citus.ts';
import { openLockSetup } from './lock-setup.ts';

const setup = await openLockSetup();
const { db, sql, now } = setup;

// A Citus cluster cannot skip locked rows: there, the deletion waits until these are unlocked.
describe.skipIf(isCitusRun)('the deletion of expired data', () => {
  const store = (keys: string[], at: Date) => sql`
    insert into responses (cache_key, route, body, meta, retrieved_at)
    select key, 'invented', '{}', '{}', ${at} from unnest(${keys}::uuid[]) as k (key)`;

  test('the deletion of expired data does not wait for a cached answer that a charge has locked, and deletes it later', async () => {
    const keys = [newId(), newId()];
    await store(keys, new Date(0));
    await inTransaction(sql, async (tx) => {
      await tx`update responses set body = '{"a":1}' where cache_key = ${keys[0] ?? ''}`;
      expect(await removeExpired(db.background, now)).toMatchObject({ responses: 1 });
    });
    expect(await removeExpired(sql, now)).toMatchObject({ responses: 1 });
  });

  test('the deletion of expired data deletes more rows than one portion', async () => {
    const keys = Array.from({ length: 4_001 }, () => newId());
    await store(keys, new Date(0));
    expect(await removeExpired(sql, now)).toMatchObject({ responses: 4_001 });
  });
});
