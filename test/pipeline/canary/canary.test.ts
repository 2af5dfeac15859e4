import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readCanaries, syncSubjects, takeDueSubjects } from '../../../db/requests/canary.ts';
import { runCanary } from '../../../pipeline/canary/canary.ts';
import { differencesOf } from '../../../pipeline/canary/compare.ts';
import { canaryCollector, readSubjects, type Subject } from '../../../pipeline/canary/subjects.ts';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import { readPipelineConfig } from '../../../pipeline/config.ts';
import type { Mail } from '../../../pipeline/notify/mail.ts';
import { catalog } from '../../../server/data/catalog.ts';
import { inventedUpstream } from '../../server/invented-upstream.ts';
import { openFolder } from '../../setup/processes.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../../setup/test-database.ts';

let db: TestDatabase;
const dayMs = 86_400_000;
let nowMs = Date.parse('2026-11-23T00:00:00Z');
const now = () => new Date(nowMs);
const mails: Mail[] = [];
const upstream = inventedUpstream();

beforeAll(async () => {
  db = await createTestDatabase();
  await db.sql`insert into auth_users (id, name, email, email_verified, created_at, updated_at)
    values (gen_random_uuid(), 'Gone', 'gone@invented.example', true, now(), now()),
      (gen_random_uuid(), 'Operator', 'operator@invented.example', true, now(), now())`;
  await db.sql`insert into operators (user_id) select id from auth_users`;
});
beforeEach(async () => {
  await db.sql`truncate canary_subjects`;
  mails.length = 0;
});
afterAll(() => db.close());

const profile = (handle: string, followers: number): Subject => ({
  collector: 'photoProfile',
  name: `handle=${handle}`,
  params: { handle },
  expect: { username: handle, followers: { min: followers } },
});

/** Runs the canary job (requests with known answers) at the current time, with a fresh circuit breaker. */
function run(subjects: readonly Subject[], dailyRequests = 24): Promise<void> {
  const sources = { fetch: upstream.fetch, config: readSourcesConfig({}), now, breakers: createBreakers({ now }) };
  const signal = new AbortController().signal;
  const context = { db, now, sources, base_url: 'https://social.example', log: silentLog, signal };
  return runCanary({ subjects, daily_requests: dailyRequests }, context, async (mail) => {
    if (mail.to.startsWith('gone')) throw new Error('550 no such user');
    mails.push(mail);
  });
}

const results = async () =>
  (await readCanaries(db.sql)).map(({ subject, state, detail, failures }) => ({ subject, state, detail, failures }));

test('every built-in canary subject names a collector of a route, and fields that its record has', () => {
  const routed = new Set(catalog.map(({ collector }) => collector?.name));
  for (const { collector, expect: expected } of readSubjects(null)) {
    expect(routed, collector).toContain(collector);
    const record = canaryCollector(collector)?.record as { element?: { shape: object }; shape?: object };
    for (const path of Object.keys(expected).filter((one) => one !== 'length'))
      expect(Object.keys(record.element?.shape ?? record.shape ?? {}), collector).toContain(path.split('.').at(-1));
  }
});

test('the first canary run requests no subject, and later runs request each subject once in its interval', async () => {
  const subjects = ['one', 'two', 'three'].map((handle) => profile(handle, 1_000));
  upstream.asked.length = 0;
  await run(subjects, 6);
  expect(upstream.asked).toEqual([]);
  // With three subjects and six requests a day, each subject is requested every twelve hours.
  for (let hour = 0; hour < 48; hour += 1) {
    nowMs += dayMs / 24;
    await run(subjects, 6);
  }
  expect(upstream.asked).toHaveLength(12);
  expect(await results()).toEqual(
    ['one', 'three', 'two'].map((name) => ({ subject: `handle=${name}`, state: 'right', detail: null, failures: 0 })),
  );
});

test('the canary reports a different answer as wrong and an error as failed, and emails operators after the second failure in a row and at recovery', async () => {
  const step = async (subject: Subject) => {
    nowMs += dayMs;
    await run([subject], 24);
    return (await results())[0];
  };
  await run([profile('one', 1_000)], 24);
  expect(await step(profile('one', 1_000))).toMatchObject({ state: 'right', failures: 0 });
  expect(await step(profile('one', 9_999))).toEqual({
    subject: 'handle=one',
    state: 'wrong',
    detail: 'followers: 4321, expected at least 9999',
    failures: 1,
  });
  expect(mails).toEqual([]);
  upstream.answer = () => ({ status: 500, body: Buffer.from('') });
  expect(await step(profile('one', 1_000))).toMatchObject({ state: 'failed', failures: 2 });
  expect(mails).toEqual([expect.objectContaining({ to: 'operator@invented.example', subject: 'photoProfile fails' })]);
  expect(await step(profile('one', 1_000))).toMatchObject({ failures: 3 });
  expect(mails).toHaveLength(1);
  upstream.answer = null;
  expect(await step(profile('one', 1_000))).toMatchObject({ state: 'right', failures: 0 });
  expect(mails.map(({ subject }) => subject)).toEqual(['photoProfile fails', 'photoProfile is right again']);
});

test('canary processes that run at the same time never take the same subject', async () => {
  const keys = Array.from({ length: 40 }, (_, index) => ({ collector: 'photoProfile', subject: `handle=s${index}` }));
  await syncSubjects(db.sql, keys, { now: new Date(nowMs - dayMs), interval_ms: 1_000 });
  const take = () => takeDueSubjects(db.sql, { now: now(), interval_ms: dayMs, limit: 5 });
  const taken = (await Promise.all(Array.from({ length: 12 }, take))).flat();
  const names = taken.map(({ subject }) => subject);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(20);
});

test('a canary subject is due again at once after the clock was days ahead and is set back', async () => {
  const take = (ms: number) => takeDueSubjects(db.sql, { now: new Date(nowMs + ms), interval_ms: dayMs, limit: 5 });
  const key = { collector: 'photoProfile', subject: 'handle=early' };
  await syncSubjects(db.sql, [key], { now: now(), interval_ms: 1_000 });
  expect(await take(3 * dayMs)).toEqual([key]);
  expect(await take(0)).toEqual([key]);
  expect(await take(dayMs - 1)).toEqual([]);
});

test('a canary subject that left the list is deleted, and a source that is switched off stores nothing', async () => {
  await run([profile('one', 1), profile('two', 1)]);
  nowMs += dayMs;
  const sources = {
    fetch: upstream.fetch,
    config: readSourcesConfig({ KEYLESS_SOURCES: 'off' }),
    now,
    breakers: createBreakers({ now }),
  };
  const context = { db, now, sources, base_url: '', log: silentLog, signal: new AbortController().signal };
  await runCanary({ subjects: [profile('two', 1)], daily_requests: 24 }, context, async () => undefined);
  expect(await results()).toEqual([{ subject: 'handle=two', state: null, detail: null, failures: 0 }]);
});

test.each([
  [{ id: 'a' }, { id: 'a' }, {}, []],
  [{ id: 'a' }, { id: 'b' }, {}, ['id: "b", expected "a"']],
  [{ id: 'a' }, { id: null }, {}, ['id: missing, expected "a"']],
  [{ id: 'a' }, { id: null }, { id: 'not_exposed' }, []],
  [{ likes: { min: 2, max: 3 } }, { likes: 3 }, {}, []],
  [{ likes: { min: 2, max: 3 } }, { likes: 4 }, {}, ['likes: 4, expected 2 to 3']],
  [{ likes: { max: 3 } }, { likes: '3' }, {}, ['likes: "3", expected at most 3']],
  [{ length: { min: 1 } }, [], {}, ['length: 0, expected at least 1']],
  [{ '*.id': 'b' }, [{ id: 'a' }, { id: 'b' }], {}, []],
  [{ '*.id': 'c' }, [{ id: 'a' }, { id: 'b' }], {}, ['*.id: no row of 2 has "c"']],
  [{ '1.id': 'b' }, [{ id: 'a' }, { id: 'b' }], {}, []],
])('%j compared with %j (%j) gives %j', (expected, record, quality, differences) => {
  expect(differencesOf({ expect: expected as Subject['expect'] }, { record, quality })).toEqual(differences);
});

test.each([
  ['not json', 'The file in CANARY_SUBJECTS is not valid. It is not JSON. Correct it and start again.'],
  ['[]', 'The list is not valid: Too small'],
  ['[{"collector":"nothing","params":{},"expect":{"id":"a"}}]', 'There is no collector nothing.'],
  ['[{"collector":"__proto__","params":{},"expect":{"id":"a"}}]', 'There is no collector __proto__.'],
  [
    '[{"collector":"photoProfile","params":{"handle":"a b"},"expect":{"id":"a"}}]',
    'The parameters of photoProfile handle=a b are not valid: ',
  ],
  [
    '[{"collector":"photoProfile","params":{"handle":"a"},"expect":{}}]',
    'The value at 0.expect is not valid: it is empty.',
  ],
  [
    '[{"collector":"photoProfile","params":{"handle":"a"},"expect":{"id":{}}}]',
    'The file in CANARY_SUBJECTS is not valid',
  ],
])('the file %s is refused at startup', async (text, sentence) => {
  const path = join(await openFolder(), 'subjects.json');
  await writeFile(path, text);
  expect(() => readPipelineConfig({ CANARY_SUBJECTS: path })).toThrow(sentence);
});

test('0 requests a day or recorded answers turn the canary off, and other settings are refused', () => {
  expect(readPipelineConfig({}).canary).toMatchObject({ daily_requests: 60 });
  expect(readPipelineConfig({ CANARY_DAILY_REQUESTS: '0' }).canary).toBeNull();
  expect(readPipelineConfig({ UPSTREAM_REPLAY: 'manifest.json' }).canary).toBeNull();
  expect(() => readPipelineConfig({ CANARY_DAILY_REQUESTS: 'many' })).toThrow('CANARY_DAILY_REQUESTS must be a number');
});
