import type { Sql } from 'postgres';
import { hashKey } from '../../db/accounts/keys.ts';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { createAdmission } from '../../db/requests/admission.ts';
import { createCharger } from '../../db/requests/charges.ts';
import { createCacheReader } from '../../db/requests/responses.ts';
import type { Contestant } from './contestant.ts';
import { answerText, createHandler } from './plain.ts';
import { cachedHandleCount } from './sizes.ts';
import { makeWorkspaces } from './workspaces.ts';

const windowSeconds = 60;

export type SmallestKind = 'admitted' | 'charged' | 'stored';

/**
 * Creates a server that sends nothing but the SQL statements that the service needs for an answer. They check the key
 * and count the request, and those of `charged` also charge it, and those of `stored` read a cached answer. The server
 * reads no parameters and writes no log. The service cannot be faster than this.
 */
export async function smallest(url: string, kind: SmallestKind): Promise<Contestant> {
  const keys = await makeWorkspaces(url);
  const db = connectClients(parseDatabaseUrl(url), 'bench');
  const now = () => new Date();
  const admit = createAdmission(db, { window_seconds: windowSeconds, now });
  const charge = createCharger(db, now);
  const readStored = createCacheReader(db.pipelined);
  const stored = kind === 'stored' ? await storeAnswers(db.sql) : [];
  let turn = 0;
  const hashes = new Map(keys.map((key) => [key, hashKey(key)]));
  const answer = createHandler(async (request) => {
    const hash = hashes.get(request.headers.get('x-api-key') ?? '') ?? '';
    const admission = await admit({ hash, counts: 'request' });
    if (!admission) throw new Error('the key was not found');
    if (kind === 'admitted') return answerText;
    if (kind === 'stored') {
      turn = (turn + 1) % stored.length;
      return (await readStored(stored[turn] ?? ''))?.body ?? '';
    }
    const { workspace_id, key_id } = admission;
    const ids = { charge_id: newId(), cache_key: newId(), request_id: newId() };
    const answer = { body: answerText, meta: '{}', retrieved_at: now() };
    const { outcome } = await charge({ ...ids, workspace_id, key_id, route: '/', cost: 1, answer, replay: null });
    if (outcome !== 'charged') throw new Error('nothing was charged');
    return answerText;
  });
  return { answer, headers: keys.map((key) => ({ 'x-api-key': key })) };
}

/** Stores as many cached answers as the service has in its benchmark, and returns their keys. */
async function storeAnswers(sql: Sql): Promise<string[]> {
  const keys = Array.from({ length: cachedHandleCount }, newId);
  await sql`
    insert into responses (cache_key, route, body, meta, retrieved_at)
    select key, '/', ${answerText}, '{}', now() from unnest(${keys}::uuid[]) as key`;
  await sql`analyze responses`;
  return keys;
}
