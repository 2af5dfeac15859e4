import { afterAll, beforeAll, expect, test } from 'vitest';
import { addShare } from '../../db/campaigns/report-shares.ts';
import { freezeWeek, keepCampaign } from '../dashboard/campaigns/campaign-workspace.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard/dashboard-server.ts';

let setup: DashboardSetup;
let shared = '';
beforeAll(async () => {
  setup = await createDashboardSetup();
  const ann = await setup.member({ tier: 'ultra' });
  const { campaign_id } = await keepCampaign(setup, ann, { name: 'Low & "high" tide' });
  const reportId = await freezeWeek(setup, ann, campaign_id);
  const expiresAt = new Date(setup.clock.now.getTime() + 86_400_000);
  const link = { campaign_id, report_id: reportId, expires_at: expiresAt, label: 'Client' };
  const { token } = await addShare(setup.db.sql, ann.workspace_id, link, 'test key', setup.clock.now);
  shared = `/shared/reports/${token}`;
});
afterAll(() => setup.close());

/** Returns the tags that chats and social networks read, by name. */
async function tagsOf(path: string): Promise<Record<string, string>> {
  const page = await (await setup.send(path, '')).text();
  const tags = [...page.matchAll(/<meta (?:property|name)="([\w:]+)" content="([^"]*)">/g)];
  return Object.fromEntries(tags.map(([, name = '', value = '']) => [name, value]));
}

test('the link of a shared report shows its campaign, week and headline, and does not name Tidemark', async () => {
  const tags = await tagsOf(shared);
  expect(tags).toMatchObject({ 'og:type': 'article', 'og:title': 'Low &amp; &quot;high&quot; tide' });
  expect(tags['og:description']).toMatch(/^9\s?–\s?15 November 2026\. \w.* (?:grew|fell) by .*\.$/);
  expect(tags.description).toBe(tags['og:description']);
  expect(Object.keys(tags)).not.toContain('og:image');
  expect(JSON.stringify(tags)).not.toContain('Tidemark');
});

test.each(['/', '/prices', '/docs', '/docs/addon', '/docs/guides', '/docs/api', '/docs/api/v1/photo/profile'])(
  'the link of %s shows a title, a description and our picture with a whole address',
  async (path) => {
    const tags = await tagsOf(path);
    for (const name of ['og:title', 'og:description']) expect(tags[name]?.length, name).toBeGreaterThan(5);
    const picture = await fetch(tags['og:image'] ?? '');
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  },
);
