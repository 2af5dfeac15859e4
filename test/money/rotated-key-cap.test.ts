import { afterAll, beforeAll, expect, test } from 'vitest';
import { listKeys, rotateKey } from '../../db/accounts/keys.ts';
import { newId } from '../../db/ids.ts';
import { chargeInSteps } from '../../db/money/movements.ts';
import { createReturns } from '../../db/money/returned-charges.ts';
import { inTransaction } from '../../db/transaction.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestService, type TestService } from '../server/test-service.ts';

const cap = 4;
let service: TestService;
let asked = 0;

beforeAll(async () => {
  service = await createTestService({ fetch: inventedUpstream().fetch });
});
afterAll(() => service.close());

const now = () => service.clock.now;

/** Returns the error code of a new request that costs 1 credit, or null when it was charged. */
async function codeOfRequest(key: string): Promise<string | null> {
  asked += 1;
  const { json } = await service.ask(`/v1/photo/profile?handle=invented_${asked}`, key);
  return (json.error as { code: string } | undefined)?.code ?? null;
}

/** Creates an API key with a cap and two rotations of it, so that all three keys work. */
async function rotatedKeys() {
  const { workspace_id } = await service.workspace(100, 'pro');
  const first = await service.key(workspace_id, { kind: 'live', name: 'rotated', monthly_cap: cap });
  const oldEndsAt = new Date(now().getTime() + 30 * 86_400_000);
  const rotate = async (keyId: string) => {
    const rotation = { now: now(), old_ends_at: oldEndsAt, created_by: 'ann@example.com' };
    const { key } = (await rotateKey(service.db.sql, workspace_id, keyId, rotation)) ?? expect.fail('not rotated');
    const row = (await listKeys(service.db.sql, workspace_id, now())).find(
      ({ last_four }) => last_four === key.slice(-4),
    );
    return { key, key_id: row?.key_id ?? expect.fail('no such key') };
  };
  return { workspace_id, first, rotate };
}

async function capUsed(workspaceId: string): Promise<number[]> {
  const keys = await listKeys(service.db.sql, workspaceId, now());
  return keys.filter(({ name }) => name === 'rotated').map(({ cap_used }) => cap_used);
}

test('a rotated key and the old keys spend their monthly cap together at most once', async () => {
  const { workspace_id, first, rotate } = await rotatedKeys();
  expect(await codeOfRequest(first.key)).toBeNull();
  const second = await rotate(first.key_id);
  const third = await rotate(second.key_id);
  const keys = [first, second, third].map(({ key }) => key);
  const codes = await Promise.all([...keys, ...keys, ...keys].map(codeOfRequest));
  expect(codes.filter((code) => code === null)).toHaveLength(cap - 1);
  expect(new Set(codes.filter((code) => code !== null))).toEqual(new Set(['INSUFFICIENT_CREDITS']));
  expect(await capUsed(workspace_id)).toEqual([cap, cap, cap]);
  for (const key of keys) {
    const { json } = await service.ask('/v1/credit/balance', key);
    expect(json.data).toMatchObject({ credits_remaining: 100 - cap, key: { monthly_cap: cap, cap_used: cap } });
  }
});

test('charges in steps count toward the cap that a rotated key shares with the old key', async () => {
  const { workspace_id, first, rotate } = await rotatedKeys();
  const second = await rotate(first.key_id);
  const ids = [first, second, second, first, second].map(({ key_id }) => key_id);
  const charges = ids.map((keyId) => ({
    charge_id: newId(),
    key_id: keyId,
    request_id: 'steps',
    route: '/v1',
    cost: 1,
  }));
  const decided = await inTransaction(service.db.sql, (tx) => chargeInSteps(tx, workspace_id, charges, now()));
  expect(decided.map(({ refusal }) => refusal)).toEqual([null, null, null, null, 'cap']);
  expect(await capUsed(workspace_id)).toEqual([cap, cap]);
});

test('a returned charge of a rotated key no longer counts toward the shared cap', async () => {
  const { workspace_id, first, rotate } = await rotatedKeys();
  const second = await rotate(first.key_id);
  const charge = { charge_id: newId(), key_id: second.key_id, request_id: 'return', route: '/v1', cost: 3 };
  await inTransaction(service.db.sql, (tx) => chargeInSteps(tx, workspace_id, [charge], now()));
  expect(await capUsed(workspace_id)).toEqual([3, 3]);
  const returns = createReturns(service.db.sql, { now, on_error: () => undefined });
  returns.add({ ...charge, workspace_id });
  await returns.close();
  expect(await capUsed(workspace_id)).toEqual([0, 0]);
});
