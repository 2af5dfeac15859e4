import type { Sql } from 'postgres';

/**
 * Returns the setting with this name. If it is not stored, stores and returns `make()`. Concurrent calls all get the
 * same value.
 */
export async function settingOnce(sql: Sql, name: string, make: () => string): Promise<string> {
  await sql`insert into settings (name, value) values (${name}, ${make()}) on conflict do nothing`;
  const [row] = await sql<{ value: string }[]>`select value from settings where name = ${name}`;
  if (!row)
    throw new Error(
      `The setting ${name} is missing in the table settings, although it was just inserted. Restart the service.`,
    );
  return row.value;
}
