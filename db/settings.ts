import type { Sql } from 'postgres';

/** The value kept under `name`; the first caller's `make()` is kept, whatever process it runs in. */
export async function settingOnce(sql: Sql, name: string, make: () => string): Promise<string> {
  await sql`insert into settings (name, value) values (${name}, ${make()}) on conflict do nothing`;
  const [row] = await sql<{ value: string }[]>`select value from settings where name = ${name}`;
  if (!row) throw new Error(`setting ${name} could not be kept`);
  return row.value;
}
