import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateChecks } from '../../../db/alerts/evaluate.ts';
import { lockPending } from '../../../db/alerts/pending.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { isCitusRun } from '../../setup/citus.ts';
import { type AlertSetup, createAlertSetup, start } from './alert-workspace.ts';

let setup: AlertSetup;
beforeAll(async () => {
  setup = await createAlertSetup();
});
afterAll(() => setup.db.close());

/** Stores `checks` pending checks of each of `items` new items, an hour apart, and returns the workspace. */
async function backlog(items: number, checks: number): Promise<string> {
  const workspaceId = await setup.workspace(10);
  for (let n = 0; n < items; n += 1) {
    const itemId = await setup.item(workspaceId, `late${n}`);
    await setup.db.sql`
      insert into check_attempts (workspace_id, item_id, attempt_id, attempted_at, trigger, outcome, credits, alerts_pending)
      select ${workspaceId}, ${itemId}, gen_random_uuid(), ${start}::timestamptz + n * interval '1 hour', 'scheduled', 'OK', 0, true
      from generate_series(1, ${checks}::int) as n`;
  }
  return workspaceId;
}

const pendingOf = async (workspaceId: string) =>
  (await setup.db.sql`select from check_attempts where workspace_id = ${workspaceId} and alerts_pending`).length;

// On a Citus cluster, the nodes count the rows that were read, so this test cannot see the number.
test.skipIf(isCitusRun)(
  'a round of evaluation reads about as many checks as it evaluates, from a backlog of 100,000',
  async () => {
    const workspaceId = await backlog(20, 5_000);
    await setup.db.sql`analyze check_attempts`;
    await inTransaction(setup.db.sql, async (tx) => {
      const { next, locked } = await lockPending(tx, { workspaces: [], since: null });
      expect([next, locked]).toEqual([[workspaceId], [workspaceId]]);
      expect(await evaluateChecks(tx, locked, setup.clock.now)).toMatchObject({ evaluated: 20 });
      const [read] = await tx<{ rows: number }[]>`
      select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'check_attempts'`;
      expect(read?.rows).toBeLessThan(1_000);
    });
    await setup.db.sql`delete from check_attempts where workspace_id = ${workspaceId}`;
  },
  120_000,
);

test('one run evaluates the late checks of several workspaces that do not fit into one round', async () => {
  const workspaces = [await backlog(2, 100), await backlog(3, 100), await backlog(2, 100), await backlog(1, 1)];
  await setup.evaluate();
  expect(await Promise.all(workspaces.map(pendingOf))).toEqual([0, 0, 0, 0]);
});
