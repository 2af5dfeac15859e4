import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '../../../db/accounts/members.ts';
import { chooseWorkspace } from '../../../db/accounts/team.ts';
import { addList } from '../../../db/tracking/lists.ts';
import { needOf } from '../../../server/dashboard/ui/rules.ts';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { keepCampaign } from '../campaigns/campaign-workspace.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { dashboardPaths, filled, openParts } from '../sweep.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
let owner: Member;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  owner = await setup.member({ tier: 'ultra' });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

/** Opens the dashboard as a person with this role in the owner's workspace. */
async function openAs(role: 'viewer' | 'editor'): Promise<Page> {
  const { sql } = setup.db;
  const person = await setup.member({ name: role });
  await addMember(sql, owner.workspace_id, person.user_id, role);
  const [session] = await sql<{ id: string }[]>`select id from auth_sessions where user_id = ${person.user_id}`;
  await chooseWorkspace(sql, { session_id: session?.id ?? '', user_id: person.user_id }, owner.workspace_id);
  const { page } = await browser.open();
  await page.context().addCookies(cookiesOf(person, setup.base_url));
  return page;
}

/** Returns the visible sentences of the open page that tell the reader to use a form, and its visible forms. */
const invitations = (page: Page) =>
  page.evaluate<string[]>(`{
    const main = document.getElementById('content');
    const isOwn = /\\/(settings|workspaces|sample|people\\/leave|people)/;
    const forms = [...main.querySelectorAll('form[method=post]')].filter((form) => form.checkVisibility());
    const sentences = main.innerText.split(/(?<=[.:!?])\\s|\\n/);
    const invited = /^(Add|Create|Paste|Send|Track|Enter)\\b/;
    forms.some((form) => !isOwn.test(form.action)) ? [] : sentences.filter((text) => invited.test(text));
  }`);

/** Returns the visible links of the page's content, as paths. */
const linksOf = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('#content a')].filter((link) => link.checkVisibility()).map((link) => new URL(link.href).pathname)`,
  );

async function walk(role: 'viewer' | 'editor', ids: Record<string, string>): Promise<Record<string, string[]>> {
  const page = await openAs(role);
  const found: Record<string, string[]> = {};
  const own = /\/(?:settings|people)(?:\/|$)|\.\w+$/;
  for (const template of dashboardPaths(setup).pages) {
    if (openParts(template).some((part) => !ids[part]) || /\/(?:csv|xlsx|pdf)$|\.\w+$/.test(template)) continue;
    const path = filled(template, ids);
    const answer = await page.goto(`${setup.base_url}${path}`);
    if (answer?.status() !== 200) continue;
    const texts = own.test(path) ? [] : await invitations(page);
    const closed = (await linksOf(page)).filter((link) => role === 'viewer' && needOf('GET', link) !== 'viewer');
    if (texts.length + closed.length > 0) found[path] = [...texts, ...closed];
  }
  return found;
}

test('no page of an empty workspace tells a viewer to use a form or a page that the viewer does not have', async () => {
  expect(await walk('viewer', {})).toEqual({});
}, 60_000);

test('no page with an empty campaign and an empty list tells a viewer to use a form that the viewer does not have', async () => {
  const { campaign_id } = await keepCampaign(setup, owner, {
    ...{ items: 0, name: 'Autumn', report_name: 'Autumn' },
    item_name: (n) => `item ${n}`,
  });
  const listId = (await addList(setup.db.sql, owner.workspace_id, 'Autumn', 10)) ?? '';
  expect(await walk('viewer', { campaign_id, list_id: listId })).toEqual({});
}, 60_000);

test('a page without data tells a viewer or an editor who can add some', async () => {
  const stranger = await setup.member({ tier: 'ultra' });
  owner = stranger;
  const [viewer, editor] = [await openAs('viewer'), await openAs('editor')];
  const textAt = async (page: Page, path: string) => {
    await page.goto(`${setup.base_url}/dashboard/${path}`);
    return page.locator('#content').innerText();
  };
  expect(await textAt(viewer, 'tracking')).toContain('Owners and editors can track accounts and posts.');
  expect(await textAt(viewer, 'links')).toContain('No data links yet. Owners and editors can create data links.');
  expect(await textAt(editor, 'links')).toContain('No data links yet. Create one below.');
  expect(await textAt(editor, 'keys')).toContain('No keys yet. Only owners can create keys.');
  expect(await textAt(viewer, 'settings/webhooks')).toContain('No webhooks yet. Only owners can add webhooks.');
}, 60_000);
