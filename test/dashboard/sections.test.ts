import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLinkResolver } from '../../pipeline/collect/short-links.ts';
import type { CreateSection } from '../../server/dashboard/deps.ts';
import { createReportReader } from '../../server/dashboard/reports/source.ts';
import { sections } from '../../server/dashboard/sections.ts';
import { keepNotice } from '../../server/dashboard/ui/forms/notice-cookie.ts';
import { mountDashboard } from '../../server/dashboard/ui/page-routes.ts';
import type { Section } from '../../server/dashboard/ui/section.ts';
import { createDashboardSetup, type DashboardSetup } from './dashboard-server.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());

function create(list: readonly CreateSection[]): Section[] {
  const deps = setup.dashboard_deps;
  const all = {
    ...deps,
    accounts: setup.dashboard.accounts,
    read_report: createReportReader(deps),
    links: createLinkResolver(deps.sources),
    callAs: () => Promise.reject(new Error('The API is not called here.')),
  };
  return list.map((createSection) => createSection(all));
}

/** Creates an app that has only these sections of the dashboard. */
function mounted(list: readonly CreateSection[]): Hono {
  const app = new Hono();
  mountDashboard(app, { ...setup.dashboard_deps, accounts: setup.dashboard.accounts, sections: create(list) });
  return app;
}

const gardenSection: CreateSection = () => ({
  menu: { path: '/dashboard/garden', label: 'Garden' },
  pages: { '/dashboard/garden': async () => ({ title: 'Garden', content: html`<p>Ten trees.</p>` }) },
  forms: {},
  notices: { 'tree-planted': 'The tree was planted.' },
});

describe('the list of dashboard sections', () => {
  test('a section that is added to the list of dashboard sections gets its routes, its menu entry and its notices', async () => {
    const ann = await setup.member();
    const app = mounted([...sections, gardenSection]);
    const get = async (path: string, notice = '') =>
      (await app.request(path, { headers: { cookie: `${ann.cookie}; ${notice.split(';')[0]}` } })).text();
    const page = await get('/dashboard/garden', await keepNotice('tree-planted', setup.dashboard_deps));
    expect(page).toContain('Ten trees.');
    expect(page).toContain('The tree was planted.');
    expect(page).toMatch(/<a href="\/dashboard\/garden" aria-current="page"><svg.*<\/svg>Garden<\/a>/);
    expect(await get('/dashboard/keys')).toMatch(/<a href="\/dashboard\/garden"><svg.*<\/svg>Garden<\/a>/);
  });

  test('the dashboard menu has one entry for each section that defines a menu entry', async () => {
    const ann = await setup.member();
    const page = await (await ann.get('/dashboard')).text();
    const menu = /<nav aria-label="Dashboard">(.*?)<\/nav>/s.exec(page)?.[1] ?? '';
    const labels = create(sections)
      .flatMap((section) => section.menu?.label ?? [])
      .filter((label) => label !== 'Admin');
    const shown = [...menu.matchAll(/>([^<]+)<\/a>/g)].map(([, label]) => label);
    expect(shown[0]).toBe('Overview');
    expect(shown.toSorted()).toEqual([...labels, 'Docs'].toSorted());
  });

  test('each path in the groups of the dashboard menu is the menu entry of a section', async () => {
    const code = await readFile('server/dashboard/ui/navigation.ts', 'utf8');
    const listed = [...code.matchAll(/\['(\/[^']+)', '[\w-]+'\]/g)].map(([, path]) => path);
    const menu = create(sections).map((section) => section.menu?.path);
    expect(listed).toContain('/dashboard/keys');
    expect(listed.filter((path) => path !== '/docs' && !menu.includes(path))).toEqual([]);
  });

  test('each page has the same name in the menu, in its heading and in the title of its tab', async () => {
    const ann = await setup.member();
    const entries = create(sections).flatMap(({ menu }) => (menu && menu.label !== 'Admin' ? [menu] : []));
    for (const { path, label } of entries) {
      const page = await (await ann.get(path)).text();
      expect(page, path).toContain(`<h1>${label}</h1>`);
      expect(page, path).toContain(`<title>${label} · Tidemark</title>`);
    }
  });
});
