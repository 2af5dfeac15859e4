import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '../../../db/accounts/audit.ts';
import { closeBatch, insertBatch, startBatch } from '../../../db/deliveries/batches.ts';
import { listRuns } from '../../../db/deliveries/sheet-import-runs.ts';
import { listImports } from '../../../db/deliveries/sheet-imports.ts';
import { listTargets } from '../../../db/deliveries/sheet-targets.ts';
import { addList } from '../../../db/tracking/lists.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { permissionTab } from '../../../pipeline/sheets/permission-tab.ts';
import { pageFaults, startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { populate } from '../populated.ts';

const account = 'imports@example.iam.gserviceaccount.com';
const area = '/dashboard/imports';
const settings = {
  label: 'Rivals',
  spreadsheet: `https://docs.google.com/spreadsheets/d/${'a'.repeat(44)}/edit`,
  source_range: "'My people'!B2:B",
  kind: 'profiles',
  columns_profiles: ['followers', 'posts'],
  target_sheet: 'Numbers',
  target_cell: 'c3',
  mode: 'replace',
  max_age: '7d',
  schedule: 'daily',
  next_run: '2026-12-01T06:30',
  monthly_cap: '500',
};

let setup: DashboardSetup;
let browser: TestBrowser;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup({ sheets_account: account }), startBrowser()]);
});
afterAll(() => Promise.all([setup.close(), browser.close()]));

const importsOf = ({ workspace_id }: Member) => listImports(setup.db.sql, workspace_id, setup.clock.now);
async function create(member: Member, more: Record<string, string | string[]> = {}): Promise<string> {
  const answer = await member.post(area, { ...settings, ...more });
  expect(answer.status).toBe(303);
  return (await importsOf(member)).at(-1)?.import_id ?? expect.fail('no import');
}

describe('the page of sheet imports', () => {
  test('the page of sheet imports creates an import, shows the account to share with, and opens the settings again', async () => {
    const ann = await setup.member();
    const empty = await (await ann.get(`${area}/new`)).text();
    expect(empty).toContain(account);
    expect(empty).toContain('A run writes at most 50,000 rows (links times posts).');
    expect(empty).toContain(permissionTab(ann.workspace_id));
    const id = await create(ann);
    expect(await importsOf(ann)).toMatchObject([
      {
        label: 'Rivals',
        spreadsheet_id: 'a'.repeat(44),
        source_range: "'My people'!B2:B",
        fields: ['url', 'followers', 'posts'],
        target_cell: 'C3',
        max_age_seconds: 604_800,
        every_seconds: 86_400,
        next_run_at: new Date('2026-12-01T06:30:00.000Z'),
        monthly_cap: 500,
      },
    ]);
    const page = await (await ann.get(`${area}/${id}`)).text();
    expect(page).toContain('value="followers" checked');
    expect(page).toContain('value="following"><span>Following');
    expect(page).toContain('value="2026-12-01T06:30"');
    expect(page).toContain('0 of 500');
    expect(await (await ann.get(area)).text()).toContain('Every day');
  });

  test.each([
    [{ max_age: 'toString' }, 'Choose how old cached answers may be.'],
    [{ schedule: 'constructor' }, 'Choose how often the import runs.'],
    [{ spreadsheet: 'my sheet' }, 'This is not a Google spreadsheet'],
    [{ source_range: 'A2:A' }, 'The range is not valid: enter the tab and the cells, such as Sheet1!A2:A.'],
    [{ source_list: '@someone' }, 'Enter either the cells with the links'],
    [{ source_range: '' }, 'Enter either the cells with the links'],
    [{ kind: 'comments' }, 'Choose what to import'],
    [{ kind: 'latest_posts', posts_each: '21' }, 'Choose 1 to 20 posts for each profile.'],
    [{ columns_profiles: ['followers', 'likers'] }, 'likers is not a column: choose from url, status'],
    [{ mode: 'update' }, 'Updating rows needs the column account_id'],
    [{ target_cell: 'C' }, 'The cell to write into is not a cell: enter one such as C1.'],
    [{ source_range: 'Numbers!D2:D' }, 'The table would cover the cells with the links'],
    [{ source_range: "'Numbers'!$C$4:$C$9" }, 'The table would cover the cells with the links'],
    [{ schedule: 'yearly' }, 'Choose how often the import runs.'],
    [{ next_run: '2031-01-01T00:00' }, 'The time of the next run is not a time within a year'],
    [{ next_run: '2027-02-30T00:00' }, 'The time of the next run is not a time within a year'],
    [{ monthly_cap: '-1' }, 'The monthly cap must be a whole number of credits.'],
  ])('the page of sheet imports refuses %j with a sentence and keeps the typed text', async (more, problem) => {
    const ann = await setup.member();
    const answer = await ann.post(area, { ...settings, ...more });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain(problem);
    expect(page).toContain('value="Numbers"');
    expect(await importsOf(ann)).toEqual([]);
  });

  test.each(['Numbers!B2:B', 'Numbers!F2:F', 'Numbers!C1:C2', 'Other!D2:D'])(
    'the page of sheet imports accepts links in %s, which the table at Numbers!C3 with three columns does not cover',
    async (sourceRange) => {
      const ann = await setup.member();
      await create(ann, { source_range: sourceRange });
      expect(await importsOf(ann)).toMatchObject([{ source_range: sourceRange, target_cell: 'C3' }]);
    },
  );

  test('the page of sheet imports changes, pauses, resumes, runs, cancels, duplicates and removes an import', async () => {
    const ann = await setup.member();
    const id = await create(ann);
    await ann.post(`${area}/${id}`, { ...settings, label: 'Friends', schedule: 'manual' });
    expect(await importsOf(ann)).toMatchObject([{ label: 'Friends', every_seconds: null, next_run_at: null }]);
    await ann.post(`${area}/${id}/pause`, {});
    const refused = await ann.post(`${area}/${id}/run`, {});
    expect(await refused.text()).toContain('The import is paused. Resume it first.');
    await ann.post(`${area}/${id}/resume`, {});
    expect((await ann.post(`${area}/${id}/run`, {})).status).toBe(303);
    expect(await (await ann.post(`${area}/${id}/run`, {})).text()).toContain('A run is still in progress.');
    const [run] = await listRuns(setup.db.sql, ann.workspace_id, id);
    expect((await ann.post(`${area}/${id}/runs/${run?.run_id}/cancel`, {})).status).toBe(303);
    expect(await (await ann.get(`${area}/${id}`)).text()).toContain('Cancelled. Nothing was written by this run.');
    const copy = await (await ann.get(`${area}/new?from=${id}`)).text();
    expect(copy).toContain('value="&#39;My people&#39;!B2:B"');
    expect((await ann.post(`${area}/${id}/remove`, {})).status).toBe(303);
    expect(await importsOf(ann)).toEqual([]);
    const entries = await listAudit(setup.db.sql, ann.workspace_id, { before: null, limit: 20 });
    expect(entries.find(({ action }) => action === 'removed a sheet import')?.subject).toBe('Friends');
  });

  test('the page of a sheet import whose run waits says how much the next line can cost', async () => {
    const { sql } = setup.db;
    const ann = await setup.member();
    const { workspace_id } = ann;
    const id = await create(ann, { kind: 'latest_posts' });
    await ann.post(`${area}/${id}/run`, {});
    const [run] = await listRuns(sql, workspace_id, id);
    const batch = { workspace_id, batch_id: run?.run_id ?? expect.fail('no run') };
    const plan = { kind: 'latest_posts', posts_each: 3, max_age_seconds: 0, import_id: id } as const;
    const row = { row_no: 1, url: 'https://www.youtube.com/@someone', duplicate_of: null, status: null, cells: null };
    await inTransaction(sql, (tx) => insertBatch(tx, { ...batch, name: null, now: setup.clock.now, plan }, [row]));
    await startBatch(sql, batch);
    await closeBatch(sql, batch, { reason: 'INSUFFICIENT_CREDITS', cost: 4 }, setup.clock.now);
    expect(await (await ann.get(`${area}/${id}`)).text()).toContain(
      'You do not have enough credits: the next line can cost 4 credits. The run continues within 1 minute after credits are added.',
    );
  });

  test('the page of a sheet import offers to cancel a run only before the run writes, and says so once writing has begun', async () => {
    const ann = await setup.member();
    const id = await create(ann);
    await ann.post(`${area}/${id}/run`, {});
    const [run] = await listRuns(setup.db.sql, ann.workspace_id, id);
    const cancel = `${area}/${id}/runs/${run?.run_id}/cancel`;
    expect(await (await ann.get(`${area}/${id}`)).text()).toContain(cancel);
    await setup.db.sql`update sheet_import_runs set stage = 'writing' where import_id = ${id}`;
    expect(await (await ann.get(`${area}/${id}`)).text()).not.toContain(cancel);
    const answer = await ann.post(cancel, {});
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('so it can no longer be cancelled.');
    expect(await listRuns(setup.db.sql, ann.workspace_id, id)).toMatchObject([{ stage: 'writing', outcome: null }]);
  });

  test('the page of sheet imports shows why the last run failed and offers its rows as CSV', async () => {
    const ann = await setup.member();
    const { ids } = await populate(setup, ann, 'Ann');
    const page = await (await ann.get(`${area}/${ids.import_id}`)).text();
    expect(page).toContain('refused by Google');
    const csv = await ann.get(`${area}/${ids.import_id}/runs/${ids.run_id}/rows.csv`);
    expect(await csv.text()).toContain('INVALID_INPUT');
    expect((await ann.get(`/dashboard/batches/${ids.run_id}`)).status).toBe(404);
  });

  test('no page or form of sheet imports finds an import of another workspace', async () => {
    const [ann, bob] = [await setup.member(), await setup.member()];
    const [anns, bobs] = [await create(ann), await create(bob)];
    await ann.post(`${area}/${anns}/run`, {});
    const [run] = await listRuns(setup.db.sql, ann.workspace_id, anns);
    for (const path of ['', '/run', '/pause', '/resume', '/remove', `/runs/${run?.run_id}/cancel`])
      expect([path, (await bob.post(`${area}/${anns}${path}`, settings)).status]).toEqual([path, 404]);
    expect((await bob.post(`${area}/${bobs}/runs/${run?.run_id}/cancel`, {})).status).toBe(404);
    for (const path of [`/${anns}`, `/new?from=${anns}`, `/${bobs}/runs/${run?.run_id}/rows.csv`])
      expect([path, (await bob.get(`${area}${path}`)).status]).toEqual([path, 404]);
    expect(await importsOf(ann)).toMatchObject([{ label: 'Rivals', paused: false }]);
  });

  test('a workspace can have 20 sheet imports', async () => {
    const ann = await setup.member();
    for (let n = 0; n < 20; n += 1) await create(ann, { label: `Import ${n}` });
    const refused = await ann.post(area, settings);
    expect(await refused.text()).toContain('A workspace can have 20 imports. Remove one first.');
    expect(await importsOf(ann)).toHaveLength(20);
  });

  test('the page of sheet imports is accessible and fits on a phone', async () => {
    const ann = await setup.member();
    const { ids } = await populate(setup, ann, 'averylongname'.repeat(6));
    const { page, problems } = await browser.open({ viewport: { width: 360, height: 800 } });
    await page.context().addCookies(cookiesOf(ann, setup.base_url));
    for (const path of [area, `${area}/new`, `${area}/${ids.import_id}`]) {
      await page.goto(`${setup.base_url}${path}`);
      expect(await pageFaults(page), path).toEqual([]);
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('the form of a sheet import says before the first run which cells may not be moved later', async () => {
    const ann = await setup.member();
    const body = await (await ann.get(`${area}/new`)).text();
    expect(body).toContain('Do not move its columns, and insert none between them');
    expect(body).toContain('you can later add columns only at the end');
  });

  test('the form of a sheet import shows only the fields that its kind of data uses', async () => {
    const ann = await setup.member();
    const { page } = await browser.open();
    await page.context().addCookies(cookiesOf(ann, setup.base_url));
    await page.goto(`${setup.base_url}${area}/new`);
    const shown = async (kind: string) => {
      await page.getByLabel('Import', { exact: true }).selectOption(kind);
      const parts = ['Posts for each profile', 'Columns of profiles', 'Columns of posts'];
      const visible = parts.map(async (part) => ((await page.getByText(part).isVisible()) ? part : ''));
      return (await Promise.all(visible)).filter(Boolean);
    };
    expect(await shown('profiles')).toEqual(['Columns of profiles']);
    expect(await shown('posts')).toEqual(['Columns of posts']);
    expect(await shown('latest_posts')).toEqual(['Posts for each profile', 'Columns of posts']);
    await page.context().close();
  });
});

test('a workspace starts at most 20 imports and pushes by hand in 10 minutes, to leave requests for other workspaces', async () => {
  const [ann, bob] = [await setup.member(), await setup.member()];
  const listId = (await addList(setup.db.sql, ann.workspace_id, 'Rivals', 5)) ?? expect.fail('no list');
  const path = `/dashboard/tracking/lists/${listId}/sheets`;
  await ann.post(path, { spreadsheet: 'a'.repeat(44), sheet_name: 'Daily', mode: 'append' });
  const [target] = await listTargets(setup.db.sql, ann.workspace_id);
  const push = () => ann.post(`${path}/${target?.target_id}/push`, {});
  for (let start = 0; start < 20; start += 1) expect((await push()).status).toBe(303);
  const sentence =
    'You can start imports, and writing to Google Sheets, 20 times by hand in 10 minutes. Try again in 10 min.';
  expect(await (await push()).text()).toContain(sentence);
  const id = await create(ann);
  expect(await (await ann.post(`${area}/${id}/run`, {})).text()).toContain(sentence);
  expect(await listRuns(setup.db.sql, ann.workspace_id, id)).toEqual([]);
  expect((await bob.post(`${area}/${await create(bob)}/run`, {})).status).toBe(303);
});

describe('the Google spreadsheets of a tracking list', () => {
  const lists = '/dashboard/tracking/lists';
  const target = { spreadsheet: 'a'.repeat(44), sheet_name: 'Daily', mode: 'append' };

  test('a spreadsheet of a tracking list is added on the page that the list links to, written on request and removed', async () => {
    const ann = await setup.member();
    const listId = (await addList(setup.db.sql, ann.workspace_id, 'Rivals', 5)) ?? expect.fail('no list');
    const path = `${lists}/${listId}/sheets`;
    expect(await (await ann.get(lists)).text()).toContain(`href="${path}"`);
    expect((await ann.post(path, target)).headers.get('location')).toContain(path);
    const [made] = await listTargets(setup.db.sql, ann.workspace_id);
    expect(made).toMatchObject({ list_id: listId, campaign_id: null, sheet_name: 'Daily' });
    const page = await (await ann.get(path)).text();
    expect(page).toContain(account);
    expect(page).toContain('not written yet');
    expect((await ann.post(`${path}/${made?.target_id}/push`, {})).status).toBe(303);
    const jobs = await setup.db.sql`
      select from jobs.job where name = 'push-sheets' and data->'data'->>'workspace_id' = ${ann.workspace_id}`;
    expect(jobs).toHaveLength(1);
    expect((await ann.post(`${path}/${made?.target_id}/remove`, {})).status).toBe(303);
    expect(await listTargets(setup.db.sql, ann.workspace_id)).toEqual([]);
  });

  test('a wrong spreadsheet link of a tracking list is refused with a sentence, and one of another workspace is not found', async () => {
    const [ann, bob] = [await setup.member(), await setup.member()];
    const listId = (await addList(setup.db.sql, ann.workspace_id, 'Rivals', 5)) ?? expect.fail('no list');
    const path = `${lists}/${listId}/sheets`;
    const refused = await ann.post(path, { ...target, spreadsheet: 'mine' });
    expect(await refused.text()).toContain(
      'This is not a Google spreadsheet: use its link from the browser, or its ID.',
    );
    expect((await bob.get(path)).status).toBe(404);
    expect((await bob.post(path, target)).status).toBe(404);
  });
});
