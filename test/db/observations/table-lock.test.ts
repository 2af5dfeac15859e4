import { describe, expect, test } from 'vitest';
import { newId } from '../../../db/ids.ts';
import { ensureMonths, removeObservations } from '../../../db/observations/months.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { untilLockWaits } from '../../setup/lock-waits.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { db, sql } = setup;

describe('the partitions of the observations', () => {
  const later = new Date('2031-05-15T00:00:00.000Z');

  test('partitions of observations are created and dropped in the same order of locks', async () => {
    const work = await inTransaction(sql, async (tx) => {
      await tx`lock table only observations in access exclusive mode`;
      const creation = ensureMonths(db.background, later);
      await untilLockWaits(sql, 1);
      await tx`lock table observations_default in access exclusive mode`;
      return { creation };
    });
    await work.creation;
  });

  test('partitions of observations are dropped later when a long statement reads the table', async () => {
    await sql`create table observations_2020_05 partition of observations for values from ('2020-05-01') to ('2020-06-01')`;
    const exists = async () => (await sql`select where to_regclass('observations_2020_05') is not null`).length === 1;
    await inTransaction(sql, async (tx) => {
      await tx`select from observations limit 1`;
      await removeObservations(db.background, new Date('2021-01-01T00:00:00.000Z'));
      expect(await exists()).toBe(true);
    });
    await removeObservations(sql, new Date('2021-01-01T00:00:00.000Z'));
    expect(await exists()).toBe(false);
  });

  test('old months of observations are deleted without waiting for a month that another transaction has locked', async () => {
    const workspaceId = await setup.workspace();
    for (const itemId of [newId(), newId()]) {
      await sql`
        insert into observation_months (workspace_id, item_id, month, observed_at, quality, source)
        values (${workspaceId}, ${itemId}, '2020-03-01', '{2020-03-02}', '{0}', '{invented}')`;
    }
    const left = () => sql`select item_id from observation_months where workspace_id = ${workspaceId}`;
    await inTransaction(sql, async (tx) => {
      await tx`select from observation_months where workspace_id = ${workspaceId} limit 1 for update`;
      await removeObservations(db.background, new Date('2021-01-01T00:00:00.000Z'));
      expect(await left()).toHaveLength(1);
    });
    await removeObservations(sql, new Date('2021-01-01T00:00:00.000Z'));
    expect(await left()).toHaveLength(0);
  });
});
