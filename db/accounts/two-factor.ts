import type { Sql } from 'postgres';

/**
 * Turns off two-factor sign-in for the user with this email address, and deletes the secret of the authenticator app
 * and the backup codes. Returns false when it was already off or no user has this address.
 */
export async function removeTwoFactor(sql: Sql, email: string): Promise<boolean> {
  const users = await sql`
    with removed as (
      delete from auth_two_factors t using auth_users u where u.id = t.user_id and u.email = ${email.toLowerCase()}
    )
    update auth_users set two_factor_enabled = false
    where email = ${email.toLowerCase()} and two_factor_enabled returning id`;
  return users.length === 1;
}
