import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBatch, type NewRow } from '../../../db/deliveries/batches.ts';
import { newId } from '../../../db/ids.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { postColumns } from '../../../pipeline/rows/columns.ts';
import { blankPostRow } from '../../../pipeline/rows/post-row.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup({ sheets_account: 'imports@example.iam.gserviceaccount.com' });
  ann = await setup.member({ tier: 'ultra' });
});
afterAll(() => setup.close());

const postsEach = 20;

/**
 * Stores an ended run of an import of latest posts. All of its lines name the same profile, so only the first line was
 * fetched. Returns the path of the run's downloads.
 */
async function endedRun(lines: number, captionCharacters: number): Promise<string> {
  const { sql } = setup.db;
  const { workspace_id } = ann;
  const [importId, runId] = [newId(), newId()];
  const url = 'https://www.instagram.com/someone/';
  const caption = 'x'.repeat(captionCharacters);
  const posts = Array.from({ length: postsEach }, (_, n) => ({
    ...blankPostRow(url, 'photo'),
    ...{ status: 'OK', id: String(n), caption, published_at: '2026-11-20T10:00:00.000Z', credits_charged: 2 },
  }));
  const rows = Array.from({ length: lines }, (_, index): NewRow => {
    const first = index === 0;
    const cells = first ? JSON.stringify(posts) : null;
    return { row_no: index + 1, url, duplicate_of: first ? null : 1, status: 'OK', cells };
  });
  await sql`
    insert into sheet_imports (workspace_id, import_id, label, spreadsheet_id, source_list, include_hidden, kind,
      posts_each, fields, target_sheet, target_cell, mode, max_age_seconds, created_at)
    values (${workspace_id}, ${importId}, 'Posts', ${'a'.repeat(44)}, '@someone', false, 'latest_posts',
      ${postsEach}, ${[...postColumns]}, 'Posts', 'A1', 'replace', 86400, now())`;
  await sql`
    insert into sheet_import_runs (workspace_id, run_id, import_id, trigger, stage, outcome, started_at, finished_at)
    values (${workspace_id}, ${runId}, ${importId}, 'manual', 'ended', 'OK', now(), now())`;
  const plan = { kind: 'latest_posts', posts_each: postsEach, max_age_seconds: 86_400, import_id: importId } as const;
  const batch = { workspace_id, batch_id: runId, name: 'Posts', now: new Date(), plan };
  await inTransaction(sql, (tx) => insertBatch(tx, batch, rows));
  return `/dashboard/imports/${importId}/runs/${runId}/rows`;
}

test('the rows of an import are downloaded as CSV and Excel, including those of repeated lines', async () => {
  const path = await endedRun(25, 10);
  const bytes = Buffer.from(await (await ann.get(`${path}.csv`)).arrayBuffer());
  const csv = bytes.toString().split('\r\n');
  expect(csv[0]).toBe(`\ufeff${postColumns.join(',')}`);
  expect(csv).toHaveLength(1 + 25 * postsEach + 1);
  const charged = csv.map((line) => line.split(',')[postColumns.indexOf('credits_charged')]);
  expect(charged.filter((credits) => credits === '2')).toHaveLength(postsEach);
  const [sheet] = await readWorkbook(Buffer.from(await (await ann.get(`${path}.xlsx`)).arrayBuffer()));
  expect(sheet?.data).toHaveLength(1 + 25 * postsEach);
  const published = postColumns.indexOf('published_at');
  expect(sheet?.data.at(-1)?.[published]).toEqual(new Date('2026-11-20T10:00:00.000Z'));
});

test('while the 10,000 rows of an import are downloaded, the server answers other requests', async () => {
  const path = await endedRun(500, 2_200);
  let bytes = 0;
  let answered = 0;
  let isLoading = true;
  const { body } = await ann.get(`${path}.csv`);
  const load = async () => {
    for await (const chunk of body ?? expect.fail('no body')) bytes += chunk.length;
    isLoading = false;
  };
  const others = async () => {
    for (; isLoading; answered += 1) await (await ann.get('/robots.txt')).text();
  };
  await Promise.all([load(), others()]);
  expect(bytes).toBeGreaterThan(20_000_000);
  expect(answered).toBeGreaterThan(20);
});
