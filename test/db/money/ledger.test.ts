import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { newId } from '../../../db/ids.ts';
import { checkLedger, moveCredits, readBalance } from '../../../db/money/ledger.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

const made = async (credits: number) =>
  (await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'test', credits }))).workspace_id;
const adjust = (id: string, credits: number) =>
  moveCredits(db.sql, id, { kind: 'adjustment', credits, reason: 'test' });

describe('the ledger of credits', () => {
  test('the first ledger entry of a new workspace is its starter credits', async () => {
    const id = await made(100);
    const entries = await db.sql`
      select entry_no, kind, credits, balance_after from ledger_entries where workspace_id = ${id}`;
    expect([...entries]).toEqual([{ entry_no: 1, kind: 'starter', credits: 100, balance_after: 100 }]);
  });

  test('the balance never goes below zero with concurrent ledger entries', async () => {
    const id = await made(10);
    const balances = await Promise.all(Array.from({ length: 20 }, () => adjust(id, -1)));
    expect(balances.filter((balance) => balance === null)).toHaveLength(10);
    expect(await readBalance(db.sql, id)).toBe(0);
  });

  test('a ledger entry for a workspace that does not exist is refused', async () => {
    expect(await adjust(newId(), 5)).toBeNull();
  });

  test('the ledger stores the balance after every entry, and the ledger check finds no mismatch', async () => {
    const id = await made(0);
    for (const credits of [5, -2, 40, -43]) await adjust(id, credits);
    const entries = await db.sql`
      select balance_after from ledger_entries where workspace_id = ${id} order by entry_no`;
    expect(entries.map((entry) => entry.balance_after)).toEqual([5, 3, 43, 0]);
    expect((await checkLedger(db.sql)).mismatches).toEqual([]);
  });

  test.each([
    ['a balance', 'update credit_balances set balance = balance + 1 where workspace_id ='],
    ['an amount', 'update ledger_entries set credits = credits + 1 where entry_no = 2 and workspace_id ='],
    ['a missing entry', 'delete from ledger_entries where entry_no = 2 and workspace_id ='],
    ['a balance after', 'update ledger_entries set balance_after = 7 where entry_no = 2 and workspace_id ='],
  ])('the ledger check finds %s that was tampered with', async (_, statement) => {
    const id = await made(100);
    for (const credits of [-1, -2, -3]) await adjust(id, credits);
    await db.sql.unsafe(`${statement} '${id}'`);
    const { mismatches } = await checkLedger(db.sql);
    expect(mismatches.filter(({ workspace_id }) => workspace_id === id)).not.toEqual([]);
    await db.sql`delete from workspaces where workspace_id = ${id}`;
  });
});
