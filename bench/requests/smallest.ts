import type { Sql } from 'postgres';
import { hashSecret } from '../../db/accounts/secrets.ts';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { createAdmission } from '../../db/requests/admission.ts';
import { createCharger } from '../../db/requests/charges.ts';
import { createCacheReader } from '../../db/requests/responses.ts';
import { validateRecord } from '../../pipeline/collect/validate-record.ts';
import { webProfile } from '../../pipeline/photo/web/profile.ts';
import { photoProfileRecord } from '../../pipeline/records/photo.ts';
import type { Contestant } from './contestant.ts';
import { fakeSources } from './fake-sources.ts';
import { answerText, createHandler } from './plain.ts';
import { cachedHandleCount } from './sizes.ts';
import { makeWorkspaces } from './workspaces.ts';

const windowSeconds = 60;

export type SmallestKind = 'admitted' | 'charged' | 'collected' | 'cached';

/**
 * Creates a server that answers with a fixed text after the SQL statements that the service needs for an answer. These
 * statements check the key and count the request (`admitted`), and also charge it (`charged`) or read a cached answer
 * (`cached`). `collected` also makes the answer that it charges: it reads the page of a source that answers
 * immediately, and validates the record. The server reads no parameters and writes no log. The service cannot be faster
 * than this server.
 */
export async function smallest(url: string, kind: SmallestKind): Promise<Contestant> {
  const keys = await makeWorkspaces(url);
  const db = connectClients(parseDatabaseUrl(url), 'bench');
  const now = () => new Date();
  const admit = createAdmission(db, { window_seconds: windowSeconds, now });
  const charge = createCharger(db, now);
  const readCached = createCacheReader(db.pipelined);
  const cacheKeys = kind === 'cached' ? await fillCache(db.sql) : [];
  const collectProfile = profileCollector();
  let turn = 0;
  const hashes = new Map(keys.map((key) => [key, hashSecret(key)]));
  const answer = createHandler(async (request) => {
    const hash = hashes.get(request.headers.get('x-api-key') ?? '') ?? '';
    const admission = await admit({ hash, counts: 'request' });
    if (!admission) throw new Error('The key was not found.');
    if (kind === 'admitted') return answerText;
    if (kind === 'cached') {
      turn = (turn + 1) % cacheKeys.length;
      const cached = await readCached(cacheKeys[turn] as string);
      if (!cached) throw new Error('The cached answer was not found.');
      return cached.body;
    }
    const body = kind === 'collected' ? await collectProfile() : answerText;
    const { workspace_id, key_id } = admission;
    const ids = { charge_id: newId(), cache_key: newId(), request_id: newId() };
    const answer = { body, meta: '{}', retrieved_at: now() };
    const { outcome } = await charge({ ...ids, workspace_id, key_id, route: '/', cost: 1, answer, replay: null });
    if (outcome !== 'charged') throw new Error('Nothing was charged.');
    return body;
  });
  return { answer, headers: keys.map((key) => ({ 'x-api-key': key })) };
}

/** Returns a function that makes the JSON text of a profile from the page of a source that answers immediately. */
function profileCollector(): () => Promise<string> {
  const context = { ...fakeSources(0), signal: new AbortController().signal };
  return async () => {
    const { record, quality } = await webProfile.collect({ handle: 'paper.kite' }, context);
    return JSON.stringify({ profile: validateRecord(photoProfileRecord, record, quality).record });
  };
}

/** Caches as many answers as the benchmark of the service, and returns their cache keys. */
async function fillCache(sql: Sql): Promise<string[]> {
  const keys = Array.from({ length: cachedHandleCount }, newId);
  await sql`
    insert into responses (cache_key, route, body, meta, retrieved_at)
    select key, '/', ${answerText}, '{}', now() from unnest(${keys}::uuid[]) as key`;
  await sql`analyze responses`;
  return keys;
}
