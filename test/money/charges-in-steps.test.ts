import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, listKeys } from '../../db/accounts/keys.ts';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { newId } from '../../db/ids.ts';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { chargeInSteps } from '../../db/money/movements.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
const nextMonth = new Date('2026-12-01T10:00:00.000Z');
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

// A Citus cluster charges API requests in these steps (ADR 116). The steps are plain SQL, so this test needs no
// cluster.
test('charges in steps respect the monthly cap of each key and the balance, and balance, ledger and caps agree', async () => {
  const { workspace_id } = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'steps', credits: 6 }));
  const capped = await createKey(db.sql, workspace_id, { kind: 'sheet', name: 'capped', monthly_cap: 2 });
  const free = await createKey(db.sql, workspace_id, { kind: 'live', name: 'free' });
  const charge = (keyIds: string[], at: Date) =>
    inTransaction(db.sql, (tx) => {
      const charges = keyIds.map((keyId, index) => {
        return {
          charge_id: newId(at),
          key_id: keyId,
          request_id: `steps_${index}`,
          route: '/v1/photo/profile',
          cost: 1,
        };
      });
      return chargeInSteps(tx, workspace_id, charges, at);
    });
  const used = async (at: Date) =>
    (await listKeys(db.sql, workspace_id, at)).find(({ key_id }) => key_id === capped.key_id)?.cap_used;

  const first = await charge([capped.key_id, capped.key_id, capped.key_id, free.key_id], now);
  expect(first.map(({ refusal }) => refusal)).toEqual([null, null, 'cap', null]);
  expect([await readBalance(db.sql, workspace_id), await used(now)]).toEqual([3, 2]);

  const later = await charge([capped.key_id, free.key_id, free.key_id, free.key_id], nextMonth);
  expect(later.map(({ refusal }) => refusal)).toEqual([null, null, null, 'balance']);
  expect([await readBalance(db.sql, workspace_id), await used(nextMonth)]).toEqual([0, 1]);
  expect((await checkLedger(db.sql)).mismatches).toEqual([]);
});
