import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Command, readCall, UsageError } from '../../scripts/operator/command.ts';
import { collectCommand } from '../../scripts/operator/sources/collect.ts';
import { pagesList, pagesVerify } from '../../scripts/operator/sources/pages.ts';
import { readConfig } from '../../server/config.ts';
import { adOf2019, archivePage, europeanAd } from '../pipeline/adlibrary/fixtures/archive.ts';
import { user } from '../pipeline/microblog/fixtures/x.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const pageId = europeanAd.page_id;
const company = 'Île-Exemple  Lighthouse';
const commands: readonly Command[] = [pagesVerify, pagesList, collectCommand];
let db: TestDatabase;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tidemark-pages-'));
  const manifest = join(folder, 'manifest.json');
  await writeFile(manifest, JSON.stringify({ exchanges: [archiveExchange, profileExchange] }));
  env = { UPSTREAM_REPLAY: manifest, META_ADLIBRARY_TOKEN: 'invented-token', X_BEARER_TOKEN: 'invented-token' };
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

/** An invented answer of the ad library for one page id. */
const archiveExchange = {
  method: 'GET',
  match: 'prefix',
  url: 'https://graph.facebook.com/v25.0/ads_archive?',
  query: { search_page_ids: `["${pageId}"]` },
  status: 200,
  text: JSON.stringify(archivePage([europeanAd, adOf2019], null)),
};
const profileExchange = {
  method: 'GET',
  match: 'prefix',
  url: 'https://api.x.com/2/users/by/username/paper_kite',
  status: 200,
  text: JSON.stringify({ data: user }),
};

/** Runs an operator command in this process. */
async function operator(...words: string[]) {
  const call = readCall(commands, words);
  const now = () => new Date('2026-11-20T10:00:00.000Z');
  const result = await call.command.run({ ...call, db, config: readConfig(env), now });
  return { ...result, json: JSON.parse(JSON.stringify(result.json)) };
}

describe('the Facebook pages that an operator verified for company names', () => {
  beforeEach(async () => {
    await operator('pages', 'verify', '--company', company, '--page-id', pageId);
  });

  test('verified pages are listed with the company name as it was entered', async () => {
    const { json, text } = await operator('pages', 'list');
    expect(json).toEqual([{ company, page_id: pageId, verified_at: '2026-11-20T10:00:00.000Z' }]);
    expect(text).toContain(pageId);
  });

  test('verifying a company again replaces its page', async () => {
    await operator('pages', 'verify', '--company', company.toUpperCase(), '--page-id', '12345');
    const { json } = await operator('pages', 'list');
    expect(json).toMatchObject([{ company: company.toUpperCase(), page_id: '12345' }]);
  });

  test.each([
    ['like the stored name', company],
    ['with other case, spaces and Unicode composition', '  île-exemple lightHOUSE '.normalize('NFD')],
  ])('a verified page is found by a company_name that is written %s', async (_name, companyName) => {
    const { json, exit_code } = await operator('collect', 'adlibraryCompanyAds', `company_name=${companyName}`);
    expect(exit_code ?? 0).toBe(0);
    expect(json).toMatchObject({
      source: 'meta-adlibrary',
      record: [{ id: europeanAd.id }, { id: '990000000000202' }],
    });
  });

  test('a search for ads with page_id needs no verified page', async () => {
    const { json } = await operator('collect', 'adlibraryCompanyAds', `page_id=${pageId}`, 'limit=1');
    expect(json.record).toHaveLength(1);
  });

  test('ads of a company without a verified page are not searched, and the error says what to do', async () => {
    const unverified = operator('collect', 'adlibraryCompanyAds', 'company_name=Invented Stranger');
    await expect(unverified).rejects.toThrow(/pages verify --company/);
    const both = operator('collect', 'adlibraryCompanyAds', `company_name=${company}`, `page_id=${pageId}`);
    await expect(both).rejects.toThrow(UsageError);
  });
});

test.each([
  ['without a company', ['--page-id', pageId]],
  ['with an empty company', ['--company', '  ', '--page-id', pageId]],
  ['without a page id', ['--company', company]],
  ['with a page id of letters', ['--company', company, '--page-id', 'lighthouse']],
  ['with a page id of four digits', ['--company', company, '--page-id', '1234']],
])('pages verify %s is refused', async (_name, options) => {
  await expect(operator('pages', 'verify', ...options)).rejects.toThrow(UsageError);
});

test('collect fetches a microblog profile and shows its fields', async () => {
  const { json, text } = await operator('collect', 'microblogProfile', 'handle=@paper_kite');
  expect(json).toMatchObject({ source: 'x-api', record: { username: 'paper_kite', following: 0 } });
  expect(text).toContain('followers');
  expect(text).not.toContain('invented-token');
});
