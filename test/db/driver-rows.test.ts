import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { parseDatabaseUrl } from '../../db/connect.ts';
import { createTestDatabase } from '../setup/test-database.ts';

const { database_url, close } = await createTestDatabase();
const target = parseDatabaseUrl(database_url);
const sql = postgres(target.url, { ...target.options, max: 1 });
afterAll(async () => {
  await sql.end();
  await close();
});

test.each([
  ['failed', '1 / (number - 4)', '22012'],
  ['lost its connection', 'case number when 4 then pg_terminate_backend(pg_backend_pid()) end', 'CONNECTION_CLOSED'],
])(
  'a statement returns only its own rows when the previous one %s after its first rows',
  async (_case, value, code) => {
    const previous = sql.unsafe(`select ${value} from generate_series(1, 9) as g (number)`);
    const failed = previous.catch((error) => error.code);
    const next = sql`select number from generate_series(1, 2) as g (number)`;
    expect(await failed).toBe(code);
    const rows = await next.catch(() => sql`select number from generate_series(1, 2) as g (number)`);
    expect([...rows]).toEqual([{ number: 1 }, { number: 2 }]);
  },
);
