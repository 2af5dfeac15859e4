import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  createFieldCountWriter,
  type FieldCount,
  fieldCountDays,
  readFieldCounts,
} from '../../../db/requests/field-counts.ts';
import { readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import { openFieldCounts } from '../../../pipeline/create-sources.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../../setup/test-database.ts';

const dayMs = 86_400_000;
const clock = { now: new Date('2026-11-20T23:59:30.000Z') };
const now = () => clock.now;
const count = (change: Partial<FieldCount> = {}): FieldCount => {
  return { collector: 'photoProfile', source: 'web', field: 'bio', given: 1, missing: 0, rounded: 0, ...change };
};

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  await db.sql`delete from field_counts`;
});
afterAll(() => db.close());

test('two processes add to the field counts of the same day', async () => {
  const errors: unknown[] = [];
  const writers = [0, 1].map(() => createFieldCountWriter(db.sql, { now, on_error: (error) => errors.push(error) }));
  for (const writer of writers) writer.add([count(), count({ field: 'followers', rounded: 1 })]);
  writers[0]?.add([count({ given: 0, missing: 1 })]);
  await Promise.all(writers.map((writer) => writer.close()));
  expect([...(await readFieldCounts(db.sql, now()))]).toEqual([
    count({ given: 2, missing: 1 }),
    count({ field: 'followers', given: 2, rounded: 2 }),
  ]);
  expect(errors).toEqual([]);
});

test('field counts belong to the day of their answer, and only the last seven days are kept and shown', async () => {
  const start = clock.now;
  const writer = createFieldCountWriter(db.sql, { now, on_error: (error) => expect.fail(String(error)) });
  writer.add([count({ given: 5 })]);
  clock.now = new Date(start.getTime() + dayMs);
  await writer.flush();
  const days = async () => (await db.sql`select day::text as day from field_counts order by day`).map(({ day }) => day);
  expect(await days()).toEqual(['2026-11-20']);
  clock.now = new Date(start.getTime() + (fieldCountDays - 1) * dayMs);
  expect(await readFieldCounts(db.sql, now())).toMatchObject([{ given: 5 }]);
  clock.now = new Date(start.getTime() + fieldCountDays * dayMs);
  expect(await readFieldCounts(db.sql, now())).toHaveLength(0);
  writer.add([count()]);
  await writer.close();
  expect(await days()).toEqual(['2026-11-27']);
  clock.now = start;
});

test('field counts that could not be written are written once, the next time', async () => {
  const errors: unknown[] = [];
  const writer = createFieldCountWriter(db.sql, { now, on_error: (error) => errors.push(error) });
  writer.add([count()]);
  await db.sql`alter table field_counts rename to away`;
  await writer.flush();
  await db.sql`alter table away rename to field_counts`;
  expect(errors).toHaveLength(1);
  writer.add([count()]);
  await writer.close();
  await writer.flush();
  expect(await readFieldCounts(db.sql, now())).toMatchObject([{ given: 2 }]);
});

test('a process counts the fields in answers of its sources until it stops, but not in recorded answers', async () => {
  const answer = { record: { bio: 'hello' }, quality: {}, source: 'web', retrieved_at: '', partial: false };
  for (const recordings of ['a manifest', null]) {
    const config = { sources: readSourcesConfig({}), recordings };
    const counts = openFieldCounts(config, db.sql, { now, log: silentLog });
    counts.hook.answered?.('photoProfile', { ...answer, warnings: [], next: null });
    await counts.close();
  }
  expect([...(await readFieldCounts(db.sql, now()))]).toEqual([count()]);
});
