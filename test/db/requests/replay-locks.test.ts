import type { Sql } from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../../db/accounts/keys.ts';
import { connectClients, parseDatabaseUrl } from '../../../db/connect.ts';
import { newId } from '../../../db/ids.ts';
import { createCharger } from '../../../db/requests/charges.ts';
import { createReplays } from '../../../db/requests/replays.ts';
import { isCitusRun } from '../../setup/citus.ts';
import { collide } from '../../setup/lock-waits.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { db, sql, now } = setup;
const answer = { body: '{}', meta: '{}', retrieved_at: now };

test.skipIf(isCitusRun)(
  'charges and free answers with the same Idempotency-Keys are stored at the same time without a deadlock',
  async () => {
    const workspaceId = await setup.workspace();
    const { key_id } = await createKey(sql, workspaceId, { kind: 'live', name: 'key' });
    const replayOf = (key: string) => ({ idempotency_key: key, mode: 'live', fingerprint: newId() });
    const charge = createCharger(db, () => now);
    const store = (key: string) => {
      const { fingerprint, ...rest } = replayOf(key);
      return replays.store({ workspace_id: workspaceId, ...rest }, { fingerprint, answer });
    };
    const pay = (key: string) => {
      const request = { request_id: key, route: '/invented', cost: 1, cache_key: newId() };
      return charge({
        charge_id: newId(),
        workspace_id: workspaceId,
        key_id,
        ...request,
        answer,
        replay: replayOf(key),
      });
    };
    // Opens the connection for charges before `openImpatient` makes new connections check for deadlocks earlier.
    await pay('first');
    const replays = createReplays(await openImpatient(), () => now);
    const [, charged] = await collide(
      sql,
      // The free answers wait for this insert, after the first of them has been inserted.
      (tx) =>
        tx`insert into replays ${tx({ workspace_id: workspaceId, ...replayOf('b'), ...answer, created_at: now })}`,
      () => Promise.all(['a', 'b', 'c'].map(store)),
      () => Promise.all(['c', 'a'].map(pay)),
    );
    expect(charged.map(({ outcome }) => outcome)).toEqual(['replayed', 'replayed']);
  },
);

/** Opens connections that check for deadlocks after 20 ms, before a charge reaches its time limit. */
async function openImpatient(): Promise<Sql> {
  const [{ name } = { name: '' }] = await sql<{ name: string }[]>`select current_database() as name`;
  await sql.unsafe(`alter database "${name}" set deadlock_timeout = '20ms'`);
  const clients = connectClients(parseDatabaseUrl(db.database_url), 'server');
  onTestFinished(() => clients.close());
  return clients.sql;
}
