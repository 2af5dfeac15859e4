import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '../../../db/accounts/members.ts';
import { chooseWorkspace } from '../../../db/accounts/team.ts';
import { addList } from '../../../db/tracking/lists.ts';
import { may } from '../../../server/dashboard/ui/rules.ts';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { keepCampaign } from '../campaigns/campaign-workspace.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { dashboardPaths, filled, openParts } from '../sweep.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

type Role = 'viewer' | 'editor';

/** Opens the dashboard as a person with this role in the owner's workspace. */
async function openAs(role: Role, owner: Member): Promise<Page> {
  const { sql } = setup.db;
  const person = await setup.member({ name: role });
  await addMember(sql, owner.workspace_id, person.user_id, role);
  const [session] = await sql<{ id: string }[]>`select id from auth_sessions where user_id = ${person.user_id}`;
  await chooseWorkspace(sql, { session_id: session?.id ?? '', user_id: person.user_id }, owner.workspace_id);
  const { page } = await browser.open();
  await page.context().addCookies(cookiesOf(person, setup.base_url));
  return page;
}

/**
 * Returns the visible sentences of the open page that tell the reader to use a form, if the page has no form for the
 * reader.
 */
const invitations = (page: Page) =>
  page.evaluate<string[]>(`{
    const main = document.getElementById('content');
    const isOwn = /\\/(settings|workspaces|sample|people\\/leave|people)/;
    const forms = [...main.querySelectorAll('form[method=post]')].filter((form) => form.checkVisibility());
    const sentences = main.innerText.split(/(?<=[.:!?])\\s|\\n/);
    const invited = /^(Add|Create|Paste|Send|Track|Enter)\\b/;
    forms.some((form) => !isOwn.test(form.action)) ? [] : sentences.filter((text) => invited.test(text));
  }`);

/** Returns the paths of the visible links in the content of the page. */
const linksOf = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('#content a')].filter((link) => link.checkVisibility()).map((link) => new URL(link.href).pathname)`,
  );

interface Walk {
  /** Wrong sentences and wrong links, by the path of the page. */
  found: Record<string, string[]>;
  /** Number of pages that were read. */
  read: number;
}

/** Opens all dashboard pages that this role may open. Throws when such a page cannot be read. */
async function walk(role: Role, owner: Member, ids: Record<string, string>): Promise<Walk> {
  const page = await openAs(role, owner);
  const walked: Walk = { found: {}, read: 0 };
  const own = /\/(?:settings(?!\/webhooks)|people)(?:\/|$)|\.\w+$/;
  const mayOpen = (path: string) => may({ role, is_operator: false }, 'GET', path);
  for (const template of dashboardPaths(setup).pages) {
    if (openParts(template).some((part) => !ids[part]) || /\/(?:csv|xlsx|pdf)$|\.\w+$/.test(template)) continue;
    const path = filled(template, ids);
    const status = (await page.goto(`${setup.base_url}${path}`))?.status() ?? 0;
    expect(`${path} ${status}`).toMatch(mayOpen(path) ? / (?:200|404)$/ : / (?:403|404)$/);
    if (status !== 200) continue;
    walked.read += 1;
    const texts = own.test(path) ? [] : await invitations(page);
    const closed = (await linksOf(page)).filter((link) => !mayOpen(link));
    if (texts.length + closed.length > 0) walked.found[path] = [...texts, ...closed];
  }
  return walked;
}

describe.each(['viewer', 'editor'] as const)('the pages for the role %s', (role) => {
  test('no page of an empty workspace names a form or a page that the role does not have', async () => {
    const { found, read } = await walk(role, await setup.member({ tier: 'ultra' }), {});
    expect(found).toEqual({});
    expect(read).toBeGreaterThanOrEqual(15);
  }, 60_000);

  test('no page with an empty campaign and an empty list names a form or a page that the role does not have', async () => {
    const owner = await setup.member({ tier: 'ultra' });
    const { campaign_id } = await keepCampaign(setup, owner, {
      ...{ items: 0, name: 'Autumn', report_name: 'Autumn' },
      item_name: (n) => `item ${n}`,
    });
    const listId = (await addList(setup.db.sql, owner.workspace_id, 'Autumn', 10)) ?? '';
    const { found, read } = await walk(role, owner, { campaign_id, list_id: listId });
    expect(found).toEqual({});
    expect(read).toBeGreaterThanOrEqual(17);
  }, 60_000);
});

test('a page without data tells a viewer or an editor who can add data', async () => {
  const owner = await setup.member({ tier: 'ultra' });
  const [viewer, editor] = [await openAs('viewer', owner), await openAs('editor', owner)];
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

test('the page Keys sends an editor, who cannot create keys there, to the page that makes a sheet key', async () => {
  const owner = await setup.member({ tier: 'ultra' });
  const linkFor = async (role: Role) => {
    const page = await openAs(role, owner);
    await page.goto(`${setup.base_url}/dashboard/keys`);
    const link = page.locator('#content').getByRole('link', { name: 'Get the add-on' });
    return (await link.count()) === 0 ? null : link.getAttribute('href');
  };
  expect(await linkFor('editor')).toBe('/addon#key');
  expect(await linkFor('viewer')).toBeNull();
}, 60_000);
