import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from './dashboard-server.ts';
import { hostileName, populate } from './populated.ts';
import { dashboardPaths, each, filled } from './sweep.ts';

const names = {
  'right-to-left': 'مرحبا بالعالم 12 שלום “abc” \u202e(test) حملة الخريف',
  'very long': `${'Donaudampfschifffahrtsgesellschaftskapitaen'.repeat(2)}_${'W'.repeat(24)}`,
  'full of markup': hostileName,
};
type NameKind = keyof typeof names;

/** A window size and a text size in which pages are measured. */
interface Look {
  width: number;
  height: number;
  deviceScaleFactor: number;
  textSize: string;
}

const phone = { width: 390, height: 844, deviceScaleFactor: 1, textSize: '100%' };
/** A window of 1,280 px at a zoom of 200 %. */
const zoomed = { width: 640, height: 450, deviceScaleFactor: 2, textSize: '100%' };
const largeText = { width: 1_280, height: 900, deviceScaleFactor: 1, textSize: '200%' };
/** The looks in which pages are measured, by kind of name. Each page is loaded once and then shown in each look. */
const looks: Record<NameKind, readonly Look[]> = {
  'right-to-left': [phone],
  'very long': [phone, zoomed],
  'full of markup': [phone, largeText],
};

let setup: DashboardSetup;
let browser: TestBrowser;
/** For each kind of name, a member whose data contains such names, and the paths of the member's HTML pages. */
const workspaces = new Map<string, { member: Member; paths: string[] }>();
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  const templates = [
    ...dashboardPaths(setup).pages,
    '/dashboard/campaigns/:campaign_id/reports/running',
    '/shared/reports/:share',
  ];
  let pages: string[] | null = null;
  for (const [kind, name] of Object.entries(names)) {
    const member = await setup.member({ tier: 'ultra', credits: 1_204_000, name: name.slice(0, 80) });
    const { ids, secrets } = await populate(setup, member, name);
    const path = (template: string) => filled(template, { ...ids, share: secrets[1] ?? expect.fail('no share') });
    // Finds the HTML pages only once, with the first member, because all members have the same pages.
    pages ??= await htmlPages(member, templates, path);
    workspaces.set(kind, { member, paths: pages.map(path) });
  }
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

/** Returns the path templates that are answered with an HTML page. */
async function htmlPages(member: Member, templates: string[], path: (template: string) => string): Promise<string[]> {
  const answers = await each(templates, async (template) => {
    const answer = await member.get(path(template));
    await answer.arrayBuffer();
    return answer.status < 300 && answer.headers.get('content-type')?.startsWith('text/html') ? [template] : [];
  });
  return answers.flat();
}

const walks = new Map<NameKind, Promise<Map<Look, Record<string, string>>>>();

/** Returns the faults of the pages with this kind of name in any of its looks, by path. */
async function faultsOf(kind: NameKind, look: Look): Promise<Record<string, string>> {
  const walk = walks.get(kind) ?? walkPages(kind);
  walks.set(kind, walk);
  // Opens the pages again when a failed test is repeated.
  walk.catch(() => walks.delete(kind));
  return (await walk).get(look) ?? expect.fail(`${kind} names are not measured in this look`);
}

/**
 * Opens every page of a workspace. Returns, by look and path, how far the page scrolls sideways and which scripts in
 * names ran.
 */
async function walkPages(kind: NameKind): Promise<Map<Look, Record<string, string>>> {
  const { member, paths } = workspaces.get(kind) ?? expect.fail(kind);
  const { page, problems } = await browser.open();
  const ran: string[] = [];
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  await page.context().addCookies(cookiesOf(member, setup.base_url));
  const devtools = await page.context().newCDPSession(page);
  const show = ({ width, height, deviceScaleFactor }: Look) =>
    devtools.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false });
  // Sets the text size as some people do in their browsers, and measures the page.
  const sidewaysIn = async ({ width, deviceScaleFactor, textSize }: Look): Promise<number> => {
    const [scrolls, ...window] = await page.evaluate<number[]>(`{
      const root = document.documentElement;
      root.style.fontSize = '${textSize}';
      [root.scrollWidth - root.clientWidth, innerWidth, devicePixelRatio];
    }`);
    expect(window).toEqual([width, deviceScaleFactor]);
    return scrolls ?? 0;
  };
  const faults = new Map<Look, Record<string, string>>(looks[kind].map((look) => [look, {}]));
  let shown: Look | null = null;
  for (const [index, path] of paths.entries()) {
    // Begins with the look that the previous page had last, because changing the look takes time.
    const order = index % 2 === 0 ? looks[kind] : looks[kind].toReversed();
    [ran.length, problems.length] = [0, 0];
    if (shown === null && order[0]) await show(order[0]);
    await page.goto(`${setup.base_url}${path}`);
    for (const look of order) {
      if (look !== shown) await show(look);
      shown = look;
      const wider = await sidewaysIn(look);
      const found = [
        ...(wider > 0 ? [`scrolls sideways by ${wider} px`] : []),
        ...ran.map((text) => `ran ${text}`),
        ...problems,
      ];
      const seen = faults.get(look);
      if (seen && found.length > 0) seen[path] = found.join('; ');
    }
  }
  await page.context().close();
  expect(paths.length).toBeGreaterThan(30);
  return faults;
}

test.each(Object.keys(names) as NameKind[])(
  'no page of a workspace with names that are %s scrolls sideways at 390 px or runs a script of a name',
  async (kind) => {
    expect(await faultsOf(kind, phone)).toEqual({});
  },
  120_000,
);

test('no page with very long names scrolls sideways at a zoom of 200 % in a window of 1,280 px', async () => {
  expect(await faultsOf('very long', zoomed)).toEqual({});
}, 120_000);

test('no page of the dashboard scrolls sideways when only the text is twice as large', async () => {
  expect(await faultsOf('full of markup', largeText)).toEqual({});
}, 120_000);
