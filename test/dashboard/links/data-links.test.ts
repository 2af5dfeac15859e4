import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listDataLinks, maxDataLinks } from '../../../db/deliveries/data-links.ts';
import { addList, removeList } from '../../../db/tracking/lists.ts';
import { linksSection } from '../../../server/dashboard/links/section.ts';
import type { FormVisit, Page } from '../../../server/dashboard/ui/section.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { populate } from '../populated.ts';

let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
beforeEach(async () => {
  ann = await setup.member({ tier: 'pro' });
});
afterAll(() => setup.close());

const area = '/dashboard/links';
const linksOf = ({ workspace_id }: Member) => listDataLinks(setup.db.sql, workspace_id, setup.clock.now);
const firstLink = async (member: Member) => (await linksOf(member))[0] ?? expect.fail('there is no link');

/** Creates a data link in the dashboard and returns the secret token in its address. */
async function make(fields: Record<string, string>): Promise<string> {
  const answer = await ann.post(area, { label: 'Client sheet', shows: 'list', ...fields });
  const page = await answer.text();
  return /\/links\/([\w-]{43})\.csv/.exec(page)?.[1] ?? expect.fail(`no address on the page: ${page.slice(0, 2_000)}`);
}

/**
 * Creates a data link on a server with this base URL. Returns the content of the page that shows the link's addresses.
 */
async function createdAt(baseUrl: string): Promise<string> {
  const { db, now } = setup.dashboard_deps;
  const links = () => expect.fail('the form has no short link');
  const { forms = {} } = linksSection({ db, now, base_url: baseUrl, links });
  const form = new FormData();
  for (const [name, value] of Object.entries({ label: 'Client sheet', shows: 'list' })) form.set(name, value);
  const visit = { form, params: {}, visitor: ann } as unknown as FormVisit;
  const page = (await forms[area]?.(visit)) as Page;
  return String(await page.content);
}

const read = (token: string) => fetch(`${setup.base_url}/links/${token}.csv`);

describe('a data link in the dashboard', () => {
  test('a data link is created with addresses that work, and later pages show its use but not its address', async () => {
    const answer = await ann.post(area, { label: 'Client sheet', shows: 'list' });
    const page = await answer.text();
    const token = /\/links\/([\w-]{43})\.csv/.exec(page)?.[1] ?? '';
    expect(page).toContain(`${setup.base_url}/links/${token}.json`);
    expect((await read(token)).status).toBe(200);
    const list = await (await ann.get(area)).text();
    expect(list).not.toContain(token);
    expect(list).toContain('Client sheet');
    expect(list).toContain('All tracked items: newest values');
    expect(await firstLink(ann)).toMatchObject({ reads: 1 });
  });

  test('the formula for Google Sheets is shown only on a server whose address Google can use', async () => {
    const open = await createdAt('https://social.example');
    expect(open).toMatch(/=IMPORTDATA\(&quot;https:\/\/social\.example\/links\/[\w-]{43}\.csv&quot;\)/);
    expect(open).not.toContain('Google Sheets cannot read');
    const closed = await createdAt(setup.base_url);
    expect(closed).not.toContain('IMPORTDATA');
    expect(closed).toContain('Google Sheets cannot read data links of this server');
    expect(await (await ann.get(area)).text()).toContain('Google Sheets cannot read data links of this server');
  });

  test('replacing or revoking a data link stops the old address immediately, and both actions are in the audit log', async () => {
    const token = await make({});
    const { link_id } = await firstLink(ann);
    const page = await (await ann.post(`${area}/${link_id}/replace`, {})).text();
    const replaced = /\/links\/([\w-]{43})\.csv/.exec(page)?.[1] ?? '';
    expect([(await read(token)).status, (await read(replaced)).status]).toEqual([404, 200]);
    const revoked = await ann.post(`${area}/${link_id}/revoke`, {});
    expect([revoked.status, (await read(replaced)).status]).toEqual([303, 410]);
    expect((await ann.post(`${area}/${link_id}/revoke`, {})).status).toBe(404);
    const audit = await (await ann.get('/dashboard/settings/audit')).text();
    for (const action of ['created a data link', 'replaced the address of a data link', 'revoked a data link'])
      expect(audit).toContain(action);
  });

  test('a data link of profiles with new values needs a monthly cap, and its hidden API key is revoked with the link', async () => {
    const profiles = {
      shows: 'profiles',
      urls: 'https://www.instagram.com/someone/\nhttps://www.tiktok.com/@someone',
      refresh: '7d',
    };
    const refused = await ann.post(area, { label: 'No cap', ...profiles });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('needs a monthly cap')]);
    await make({ ...profiles, cap: '30', fields: 'followers' });
    const link = await firstLink(ann);
    expect(link).toMatchObject({
      refresh: '7d',
      monthly_cap: 30,
      content: { kind: 'profiles', fields: ['followers'], urls: profiles.urls.split('\n') },
    });
    expect(await (await ann.get(area)).text()).toContain('when older than 7 days<small>0 of 30 credits this month');
    expect(await (await ann.get('/dashboard/keys')).text()).not.toContain('Data link:');
    await ann.post(`${area}/${link.link_id}/revoke`, {});
    const [key] = await setup.db.sql`
      select revoked_at from api_keys where workspace_id = ${ann.workspace_id} and name = 'Data link: Client sheet'`;
    expect(key?.revoked_at).not.toBeNull();
  });

  test('the hidden API key of a data link can be neither rotated nor revoked with the forms of API keys', async () => {
    await make({ shows: 'profiles', urls: 'https://www.instagram.com/someone/', refresh: '7d', cap: '30' });
    const hiddenKeys = () => setup.db.sql`
      select key_id, name, expires_at, revoked_at from api_keys
      where workspace_id = ${ann.workspace_id} and name like 'Data link:%'`;
    const [key, ...others] = await hiddenKeys();
    expect([key, others]).toMatchObject([{ name: 'Data link: Client sheet', expires_at: null, revoked_at: null }, []]);
    for (const action of ['rotate', 'revoke']) {
      const answer = await ann.post(`/dashboard/keys/${key?.key_id}/${action}`, { overlap: '0' });
      expect([action, answer.status]).toEqual([action, 404]);
      expect(await hiddenKeys()).toEqual([key]);
    }
  });

  test('the hidden API key of a data link is not counted as an active key, and does not tick the step of the add-on', async () => {
    await make({ shows: 'profiles', urls: 'https://www.instagram.com/someone/', refresh: '7d', cap: '30' });
    expect(await (await ann.get('/dashboard/settings/delete')).text()).toContain('<li>0 active keys:');
    expect(await (await ann.get('/dashboard')).text()).toContain('<span>Get the add-on for Google Sheets or Excel');
  });

  test('a data link with invalid settings is refused with one sentence that says what is wrong', async () => {
    const address = 'https://www.instagram.com/someone/';
    const wrong: [Record<string, string>, string][] = [
      [{ label: '' }, 'Enter a name of 1 to 80 characters.'],
      [{ shows: '' }, 'Choose the data that the link shows.'],
      [{ shows: 'batch:x' }, 'Choose the data that the link shows.'],
      [{ shows: 'report:0193481a-0000-7000-8000-000000000000:items' }, 'This workspace does not have the data'],
      [{ shows: 'list', urls: address }, 'Remove the profile links'],
      [
        { shows: 'report:0193481a-0000-7000-8000-000000000000:items', week: '0000-01-01' },
        'Enter the week as one of its days, such as 2026-11-09.',
      ],
      [{ shows: 'profiles' }, 'Enter at least one profile link'],
      [{ shows: 'profiles', urls: 'https://example.com/who' }, 'Link 1 cannot be used.'],
      [{ shows: 'posts', urls: address, posts: '21' }, 'between 1 and 20'],
      [{ shows: 'list', refresh: '1d', cap: '5' }, 'Only profiles and latest posts'],
      [{ shows: 'profiles', urls: address, refresh: '2d', cap: '5' }, 'Choose how often new values are fetched'],
      [
        { shows: 'profiles', urls: address, fields: 'password' },
        'password is not a column of a profile: remove it, or choose a column such as followers.',
      ],
      [{ expires: '2020-01-01' }, 'The expiry date must be in the future'],
    ];
    for (const [fields, sentence] of wrong) {
      const answer = await ann.post(area, { label: 'Wrong', shows: 'list', ...fields });
      expect([fields, answer.status, (await answer.text()).includes(sentence)]).toEqual([fields, 400, true]);
    }
    expect(await linksOf(ann)).toEqual([]);
  });

  test('a data link with too many addresses is refused before any short link is followed', async () => {
    setup.upstream.asked.length = 0;
    const urls = Array.from({ length: 501 }, (_, n) => `https://vm.tiktok.com/ZM${n}/`).join('\n');
    const answer = await ann.post(area, { label: 'Many', shows: 'profiles', urls });
    expect([answer.status, (await answer.text()).includes('at most 500 profile links')]).toEqual([400, true]);
    expect(setup.upstream.asked).toEqual([]);
  });

  test('a data link with a short link that cannot be followed now is refused, and says which link to try again', async () => {
    setup.upstream.answer = () => ({ status: 503 });
    const urls = 'https://www.instagram.com/invented/\nhttps://www.instagram.com/share/BAbusy1/';
    const answer = await ann.post(area, { label: 'Busy', shows: 'profiles', urls });
    setup.upstream.answer = null;
    expect(await answer.text()).toContain('Link 2 cannot be used. This short link could not be followed now.');
  });

  test('a workspace with the maximum number of data links is told to revoke one first', async () => {
    await setup.db.sql`
      insert into data_links (workspace_id, link_id, token_hash, label, content, created_at)
      select ${ann.workspace_id}, gen_random_uuid(), gen_random_uuid()::text, 'full', '{"kind":"list","list_id":null}', ${setup.clock.now}
      from generate_series(1, ${maxDataLinks})`;
    const answer = await ann.post(area, { label: 'One more', shows: 'list' });
    expect([answer.status, (await answer.text()).includes('Revoke one first.')]).toEqual([400, true]);
  });

  test('a data link whose data was deleted says so in the list, and does not count toward the maximum', async () => {
    const { sql } = setup.db;
    const rich = await setup.member({ tier: 'ultra' });
    const { workspace_id } = rich;
    const { list_id = '', batch_id = '', campaign_id = '' } = (await populate(setup, rich, 'Autumn')).ids;
    const shown = [`history:${list_id}`, `batch:${batch_id}`, `report:${campaign_id}:totals`, 'list'];
    for (const shows of shown) expect((await rich.post(area, { label: shows, shows })).status).toBe(200);
    expect((await linksOf(rich)).filter((link) => link.content_deleted)).toEqual([]);
    await removeList(sql, workspace_id, list_id);
    await sql`delete from batches where workspace_id = ${workspace_id} and batch_id = ${batch_id}`;
    await sql`delete from campaigns where workspace_id = ${workspace_id} and campaign_id = ${campaign_id}`;
    const ownLinks = (await linksOf(rich)).filter(({ label }) => shown.includes(label));
    const deleted = ownLinks.filter((link) => link.content_deleted);
    expect(deleted.map(({ label }) => label).toSorted()).toEqual(shown.slice(0, 3).toSorted());
    expect((await (await rich.get(area)).text()).match(/data was deleted/g)?.length).toBeGreaterThanOrEqual(3);
    await sql`
      insert into data_links (workspace_id, link_id, token_hash, label, content, created_at)
      select workspace_id, gen_random_uuid(), gen_random_uuid()::text, label, content, created_at
      from data_links, generate_series(1, ${maxDataLinks}) where workspace_id = ${workspace_id} and label = ${shown[0] ?? ''}`;
    expect((await rich.post(area, { label: 'One more', shows: 'list' })).status).toBe(200);
  });

  test('a data link of another workspace can be neither replaced nor revoked, and cannot show its list', async () => {
    const token = await make({});
    const { link_id } = await firstLink(ann);
    const listId = await addList(setup.db.sql, ann.workspace_id, 'Only of Ann', 10);
    const bob = await setup.member({ name: 'Bob' });
    expect((await bob.post(`${area}/${link_id}/replace`, {})).status).toBe(404);
    expect((await bob.post(`${area}/${link_id}/revoke`, {})).status).toBe(404);
    expect((await bob.post(area, { label: 'Stolen', shows: `list:${listId}` })).status).toBe(400);
    expect((await read(token)).status).toBe(200);
  });

  test('the pages of a list, a batch and a report offer a data link with their data already chosen', async () => {
    const rich = await setup.member({ tier: 'ultra' });
    const { list_id, batch_id, campaign_id, report_id } = (await populate(setup, rich, 'Autumn')).ids;
    const offers = [
      ['/dashboard/tracking/lists', `list:${list_id}`],
      [`/dashboard/batches/${batch_id}`, `batch:${batch_id}`],
      [`/dashboard/campaigns/${campaign_id}/reports/${report_id}`, `report:${campaign_id}:items`],
    ];
    for (const [path = '', shows] of offers) {
      expect(await (await rich.get(path)).text()).toContain(`${area}?show=${shows}`);
      const form = await (await rich.get(`${area}?show=${shows}`)).text();
      expect(form).toContain(`<option value="${shows}" selected>`);
    }
  });
});
