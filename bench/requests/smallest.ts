import { hashKey } from '../../db/accounts/keys.ts';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { createAdmission } from '../../db/requests/admission.ts';
import { createCharger } from '../../db/requests/charges.ts';
import type { Contestant } from './contestant.ts';
import { answerText, createHandler } from './plain.ts';
import { makeWorkspaces } from './workspaces.ts';

const windowSeconds = 60;

/**
 * Creates a server that answers with a fixed text after the SQL statements that the service needs for an answer. They
 * check the key and count the request, and with `charged` they also charge it. The server reads no parameters and no
 * cache, and writes no log. The service cannot be faster than this.
 */
export async function smallest(url: string, { charged }: { charged: boolean }): Promise<Contestant> {
  const keys = await makeWorkspaces(url);
  const db = connectClients(parseDatabaseUrl(url), 'bench');
  const now = () => new Date();
  const admit = createAdmission(db, { window_seconds: windowSeconds, now });
  const charge = createCharger(db, now);
  const hashes = new Map(keys.map((key) => [key, hashKey(key)]));
  const answer = createHandler(async (request) => {
    const hash = hashes.get(request.headers.get('x-api-key') ?? '') ?? '';
    const admission = await admit({ hash, counts: 'request' });
    if (!admission) throw new Error('the key was not found');
    if (!charged) return answerText;
    const { workspace_id, key_id } = admission;
    const ids = { charge_id: newId(), cache_key: newId(), request_id: newId() };
    const stored = { answer: { body: answerText, meta: '{}', retrieved_at: now() }, replay: null };
    const { outcome } = await charge({ ...ids, workspace_id, key_id, route: '/', cost: 1, ...stored });
    if (outcome !== 'charged') throw new Error('nothing was charged');
    return answerText;
  });
  return { answer, headers: keys.map((key) => ({ 'x-api-key': key })) };
}
