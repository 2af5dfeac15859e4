import type { Sql } from 'postgres';
import { findPage, listPages, verifyPage } from '../../../db/requests/verified-pages.ts';
import { type Command, lines, textTable, UsageError, wrongUse } from '../command.ts';

const pageIdPattern = /^[0-9]{5,20}$/;
const maxCompanyNameCharacters = 200;

export const pagesVerify: Command = {
  name: 'pages verify',
  usage: '--company NAME --page-id ID',
  does: 'records which page of the ad library belongs to a company',
  args: [],
  options: ['company', 'page-id'],
  async run({ options, db, now }) {
    const company = options.company?.trim() ?? '';
    const pageId = options['page-id'] ?? '';
    if (company === '' || company.length > maxCompanyNameCharacters) {
      throw wrongUse(pagesVerify, `--company must be 1 to ${maxCompanyNameCharacters} characters.`);
    }
    if (!pageIdPattern.test(pageId)) throw wrongUse(pagesVerify, '--page-id must be 5 to 20 digits.');
    const page = { company, page_id: pageId, verified_at: now() };
    await verifyPage(db.sql, page);
    return { json: page, text: lines(page) };
  },
};

export const pagesList: Command = {
  name: 'pages list',
  usage: '',
  does: 'lists the companies with a verified page',
  args: [],
  options: [],
  async run({ db }) {
    const pages = await listPages(db.sql);
    return { json: pages, text: textTable(pages) };
  },
};

/**
 * Returns a collector's parameters with the id of the verified page instead of `company_name`. Throws UsageError when
 * the company has no verified page.
 */
export async function withVerifiedPage(sql: Sql, params: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { company_name, ...others } = params;
  if (typeof company_name !== 'string') return params;
  if (others.page_id !== undefined) throw new UsageError('Send company_name or page_id, not both.');
  const page = await findPage(sql, company_name);
  if (page) return { ...others, page_id: page.page_id };
  throw new UsageError(
    `"${company_name}" has no verified page. Replace company_name with page_id=ID, or save the company's page first: npm run operator -- pages verify --company "${company_name}" --page-id ID`,
  );
}
