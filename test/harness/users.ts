import type { Sql } from 'postgres';
import { newId } from '../../db/ids.ts';

/** Creates a user who is not a member of a workspace yet. Returns the ID of the user. */
export async function insertUser(sql: Sql, name: string, email: string): Promise<string> {
  const userId = newId();
  const user = { id: userId, name, email, email_verified: true, created_at: new Date(), updated_at: new Date() };
  await sql`insert into auth_users ${sql(user)}`;
  return userId;
}
