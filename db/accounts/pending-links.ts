import type { Sql } from 'postgres';

/** Deletes all unused sign-in links and codes of a user. Finds them by the user's id or email address. */
export async function removePendingLinks(sql: Sql, user: { id: string; email: string }): Promise<void> {
  await sql`
    delete from auth_verifications
    where position(${user.id}::text in value) > 0 or position(to_json(${user.email}::text)::text in value) > 0`;
}
