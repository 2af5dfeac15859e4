import type { Sql } from 'postgres';

/**
 * A company and its page in a platform's ad library. The operator of the server has verified that they belong together.
 */
interface VerifiedPage {
  /** The company's name as the operator entered it. */
  company: string;
  page_id: string;
  verified_at: Date;
}

/**
 * Stores the verified advertising page of a company, replacing an earlier one. Throws when `page_id` is not 5 to 20
 * digits.
 */
export async function verifyPage(sql: Sql, { company, page_id, verified_at }: VerifiedPage): Promise<void> {
  await sql`
    insert into verified_pages (company, display_name, page_id, verified_at)
    values (${companyKey(company)}, ${company}, ${page_id}, ${verified_at})
    on conflict (company) do update
    set display_name = excluded.display_name, page_id = excluded.page_id, verified_at = excluded.verified_at`;
}

/** Returns all companies with a verified advertising page, sorted by company. */
export async function listPages(sql: Sql): Promise<VerifiedPage[]> {
  return sql<VerifiedPage[]>`
    select display_name as company, page_id, verified_at from verified_pages order by verified_pages.company`;
}

/**
 * Returns the verified advertising page of a company; null when it has none. Ignores upper and lower case and extra
 * spaces in the name.
 */
export async function findPage(sql: Sql, company: string): Promise<VerifiedPage | null> {
  const [row] = await sql<VerifiedPage[]>`
    select display_name as company, page_id, verified_at from verified_pages where company = ${companyKey(company)}`;
  return row ?? null;
}

function companyKey(company: string): string {
  return company.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
}
