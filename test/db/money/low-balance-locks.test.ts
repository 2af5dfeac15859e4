import { beforeEach, describe, expect, test } from 'vitest';
import { resetLowBalanceMails } from '../../../db/money/low-balance.ts';
import { changeWorkSettings } from '../../../db/tracking/work-settings.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { collide } from '../../setup/lock-waits.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { sql, now } = setup;
let workspaceId: string;
beforeEach(async () => {
  workspaceId = await setup.workspace();
});

describe('low-balance emails', () => {
  test('the reset of low-balance emails holds the settings of one workspace at a time', async () => {
    const ids = [workspaceId, await setup.workspace()];
    for (const id of ids) await changeWorkSettings(sql, id, { low_balance_alert: 10 }, now);
    await sql`update work_settings set low_balance_mailed_at = ${now}`;
    await setup.moveBehind('work_settings', 'workspace_id', ids[0]);
    const [, reset] = await collide(
      sql,
      (tx) => tx`select from work_settings where workspace_id = ${ids[0] ?? ''} for update`,
      () =>
        inTransaction(sql, async (tx) => {
          for (const id of ids) await tx`select from work_settings where workspace_id = ${id} for no key update`;
        }),
      () => resetLowBalanceMails(sql),
    );
    expect(reset).toBe(2);
  });
});
