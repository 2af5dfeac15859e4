import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { storeAnswer } from '../../../db/requests/responses.ts';
import { createTestDatabase } from '../../setup/test-database.ts';

const database = await createTestDatabase();
const { sql } = database;

afterAll(() => database.close());

test('a long answer is compressed with lz4 where PostgreSQL has it, and otherwise not at all', async () => {
  const items = Array.from({ length: 400 }, (_, index) => ({ id: String(index), caption: `Caption of post ${index}` }));
  const answer = { body: JSON.stringify({ items }), meta: '{}', retrieved_at: new Date() };
  await storeAnswer(sql, randomUUID(), '/v1/photo/posts', answer);
  const [methods] = await sql`select enumvals from pg_settings where name = 'default_toast_compression'`;
  const [stored] = await sql`select body, pg_column_compression(body) as method from responses`;
  expect(stored).toEqual({ body: answer.body, method: methods?.enumvals.includes('lz4') ? 'lz4' : null });
});
