import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';

/**
 * Returns the secret with this name, 32 bytes in hex. Creates and stores a missing secret. Concurrent calls all get the
 * same secret.
 */
export async function storedSecret(sql: Sql, name: string): Promise<string> {
  const made = randomBytes(32).toString('hex');
  await sql`insert into settings (name, value) values (${name}, ${made}) on conflict do nothing`;
  const [row] = await sql<{ value: string }[]>`select value from settings where name = ${name}`;
  if (!row)
    throw new Error(
      `The setting ${name} is missing in the table settings, although it was just inserted. Restart the service.`,
    );
  return row.value;
}
