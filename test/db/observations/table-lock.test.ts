import type { Sql } from 'postgres';
import { describe, expect, test } from 'vitest';
import { dayOf } from '../../../db/calendar.ts';
import { newId } from '../../../db/ids.ts';
import { ensureMonths, removeObservations } from '../../../db/observations/months.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { isCitusRun } from '../../setup/citus.ts';
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

  // A cluster cannot skip locked rows.
  test.skipIf(isCitusRun)(
    'old observations are deleted without waiting for one that another transaction has locked, and newer ones stay',
    async () => {
      const workspaceId = await setup.workspace();
      const itemId = newId();
      await sql`create table observations_2021_05 partition of observations for values from ('2021-05-01') to ('2021-06-01')`;
      const days = ['2019-01-01', '2021-05-01', '2021-05-02', '2021-05-20', '2024-01-01'];
      for (const day of days) {
        await sql`
        insert into observations (workspace_id, item_id, observed_at, likes, source)
        values (${workspaceId}, ${itemId}, ${new Date(day)}, 1, 'invented')`;
      }
      const remove = (client: Sql) => removeObservations(client, new Date('2021-05-10T00:00:00.000Z'));
      const left = async () => {
        const rows = await sql<{ observed_at: Date }[]>`
        select observed_at from observations where workspace_id = ${workspaceId} order by observed_at`;
        return rows.map(({ observed_at }) => dayOf(observed_at));
      };
      await inTransaction(sql, async (tx) => {
        await tx`select from observations where observed_at = '2021-05-01' for update`;
        expect(await remove(db.background)).toBe(2);
        expect(await left()).toEqual(['2021-05-01', '2021-05-20', '2024-01-01']);
      });
      await sql`
      insert into observations (workspace_id, item_id, observed_at, likes, source)
      select ${workspaceId}, ${itemId}, '2021-05-03'::timestamptz + n * interval '1 minute', 1, 'invented'
      from generate_series(1, 4000) n`;
      expect(await remove(sql)).toBe(4_001);
      expect(await left()).toEqual(['2021-05-20', '2024-01-01']);
    },
  );

  // With Citus, one statement deletes the months of all nodes, and waits for locks.
  const lockedMonth =
    'old months of observations are deleted without waiting for a month that another transaction has locked';
  test.skipIf(isCitusRun)(lockedMonth, async () => {
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
