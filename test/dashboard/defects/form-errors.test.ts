import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveProblem } from '../../../server/dashboard/ui/forms/field-problem.ts';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { type Populated, populate } from '../populated.ts';
import { filled } from '../sweep.ts';

// Form errors used to appear at the top of the page instead of at their field.
let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
let ids: Populated['ids'];
beforeAll(async () => {
  [setup, browser] = await Promise.all([
    createDashboardSetup({ sheets_account: 'sheets@example.iam.gserviceaccount.com' }),
    startBrowser(),
  ]);
  ann = await setup.member({ tier: 'ultra', credits: 500 });
  ids = (await populate(setup, ann, 'Autumn')).ids;
  await setup.db.sql`insert into operators (user_id) values (${ann.user_id})`;
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

const area = '/dashboard';
const link = { label: 'Client', shows: 'profiles', urls: 'https://www.instagram.com/someone/' };
const sheetImport = {
  ...{ label: 'Sheet', spreadsheet: 'a'.repeat(44), source_range: 'Sheet1!A2:A', kind: 'profiles', platform: '' },
  ...{ target_sheet: 'Out', target_cell: 'A1', mode: 'replace', max_age: '1d', schedule: 'manual' },
};
const refused: [path: string, field: string, fields: Record<string, string>][] = [
  ['/sign-up', 'name', { name: '', email: 'a@example.com', password: 'long enough for it' }],
  ['/sign-up', 'email', { name: 'Ann', email: 'no address', password: 'long enough for it' }],
  ['/sign-up', 'password', { name: 'Ann', email: 'a@example.com', password: 'x' }],
  ['/sign-in', 'password', { email: 'unknown@example.com', password: 'wrong' }],
  ['/forgot', 'email', { email: 'no address' }],
  ['/reset', 'password', { token: 'x', password: 'short' }],
  ['/addon/key', 'cap', { cap: 'x' }],
  ['/addon/excel', 'file_cap', { file_cap: '0' }],
  [`${area}/first-profile`, 'url', { url: '' }],
  [`${area}/settings/cap`, 'cap', { cap: '-1' }],
  [`${area}/settings/name`, 'name', { name: '' }],
  [`${area}/settings/delete`, 'name', { name: 'another' }],
  [`${area}/settings/webhooks`, 'url', { url: 'http://10.0.0.1/', events: 'report.ready' }],
  [`${area}/settings/webhooks`, 'events', { url: 'https://example.com/' }],
  [`${area}/keys`, 'name', { name: '', kind: 'live' }],
  [`${area}/keys`, 'cap', { name: 'Sheet', kind: 'sheet' }],
  [`${area}/keys`, 'expires', { name: 'Old', kind: 'live', expires: '2020-01-01' }],
  [`${area}/keys`, 'networks', { name: 'Net', kind: 'live', networks: 'nowhere' }],
  [`${area}/tracking`, 'addresses', { addresses: '' }],
  [`${area}/tracking/lists`, 'name', { name: '' }],
  [`${area}/tracking/lists/:list_id/rename`, 'name', { name: '' }],
  [`${area}/tracking/lists/:list_id/sheets`, 'spreadsheet', { spreadsheet: 'x', sheet_name: 'A', mode: 'append' }],
  [`${area}/campaigns`, 'name', { name: '', starts_on: '2026-11-16' }],
  [`${area}/campaigns`, 'starts_on', { name: 'A', starts_on: '2026-13-45' }],
  [`${area}/campaigns/:campaign_id/edit`, 'ends_on', { name: 'A', starts_on: '2026-11-02', ends_on: '2020-01-01' }],
  [
    `${area}/campaigns/:campaign_id/sheets`,
    'sheet_name',
    { spreadsheet: 'a'.repeat(44), sheet_name: '', mode: 'append' },
  ],
  [`${area}/campaigns/:campaign_id/shares`, 'label', { label: 'x'.repeat(81), report: 'running', days: '30' }],
  [`${area}/branding`, 'color', { color: 'blue' }],
  [`${area}/branding`, 'footer', { color: '', footer: 'x'.repeat(201) }],
  [`${area}/links`, 'label', { ...link, label: '' }],
  [`${area}/links`, 'urls', { ...link, urls: 'nothing' }],
  [`${area}/links`, 'posts', { ...link, shows: 'posts', posts: '0' }],
  [`${area}/links`, 'expires', { ...link, expires: '2020-01-01' }],
  [`${area}/alerts/recipients`, 'email', { channel: 'mail', email: 'no address' }],
  [`${area}/alerts/recipients`, 'url', { channel: 'slack', label: '#a', url: 'http://10.0.0.1/' }],
  [
    `${area}/alerts/rules`,
    'amount',
    { name: 'A', condition: 'above', scope: 'all', metric: 'likes', amount: 'x', cooldown_hours: '24' },
  ],
  [`${area}/credits/alert`, 'threshold', { threshold: 'x' }],
  [`${area}/people/invite`, 'email', { email: 'no address', role: 'editor' }],
  [`${area}/workspaces`, 'name', { name: '' }],
  [`${area}/batches/preview`, 'lines', { lines: '' }],
  [`${area}/imports`, 'spreadsheet', { ...sheetImport, spreadsheet: 'x' }],
  [`${area}/imports`, 'target_cell', { ...sheetImport, target_cell: 'x' }],
  [`${area}/imports/:import_id`, 'monthly_cap', { ...sheetImport, monthly_cap: 'x' }],
  [`${area}/admin/:workspace_id/credits`, 'credits', { credits: '0', reason: 'x' }],
  [`${area}/admin/:workspace_id/credits`, 'reason', { credits: '5', reason: '' }],
];

describe('the error of a form field', () => {
  test.each(refused)(
    'the error of %s is at the field "%s", which is marked and has the focus',
    async (path, field, fields) => {
      const answer = await ann.post(filled(path, { ...ids, workspace_id: ann.workspace_id }), fields);
      const page = await answer.text();
      expect(answer.status).toBeGreaterThanOrEqual(400);
      const marked = [...page.matchAll(/<(?:input|select|textarea)\b[^>]*aria-invalid="true"[^>]*>/g)].map(
        ([tag]) => tag,
      );
      expect(marked).toHaveLength(1);
      expect(marked[0]).toContain(`name="${field}"`);
      expect(marked[0]).toContain('autofocus');
      const about = /aria-describedby="([^"]*)"/.exec(marked[0] ?? '')?.[1]?.split(' ') ?? [];
      expect(about).toContain(`${field}-error`);
      for (const id of about) expect(page).toContain(`id="${id}"`);
      expect(page).toMatch(new RegExp(`<p class="error" id="${field}-error">[^<]{10,}</p>`));
      expect(page).not.toContain('data-field');
    },
  );

  test('in a browser, the field with an error has the focus, even in a collapsed section, and the error is right below the field', async () => {
    const { page } = await browser.open({ viewport: { width: 1_280, height: 900 } });
    await page.context().addCookies(cookiesOf(ann, setup.base_url));
    await page.goto(`${setup.base_url}/dashboard/campaigns/${ids.campaign_id}`);
    await page.getByText('Settings', { exact: true }).last().click();
    await page.getByLabel('Last day', { exact: true }).fill('2020-01-01');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const field = page.getByLabel('Last day', { exact: true });
    await field.and(page.locator(':focus')).waitFor();
    const error = page.locator('#ends_on-error');
    expect(await error.textContent()).toContain('must not be');
    const [above, below] = [await field.boundingBox(), await error.boundingBox()];
    expect((below?.y ?? 0) - (above?.y ?? 0)).toBeGreaterThan(0);
    expect((below?.y ?? 0) - (above?.y ?? 0)).toBeLessThan(120);
    await page.context().close();
  });
});

describe('an error about a whole form', () => {
  test('in a browser, an error about a whole form is in the form that was sent and has the focus', async () => {
    const full = await setup.member({ tier: 'ultra' });
    for (let n = 0; n < 20; n += 1)
      await full.post(`${area}/alerts/recipients`, { channel: 'slack', label: `#${n}`, url: slackUrl(n) });
    const { page } = await browser.open({ viewport: { width: 390, height: 800 } });
    await page.context().addCookies(cookiesOf(full, setup.base_url));
    await page.goto(`${setup.base_url}${area}/alerts`);
    await page.getByText('Add an email recipient').or(page.getByLabel('Email')).first().scrollIntoViewIfNeeded();
    await page.getByLabel('Email').first().fill('one.more@example.com');
    await page.getByLabel('Email').first().press('Enter');
    const notice = page.locator('form .notice.bad:focus');
    await notice.waitFor();
    expect(await notice.innerText()).toBe('A workspace can have 20 recipients. Remove one first.');
    expect(await notice.evaluate((element) => element.closest('form')?.getAttribute('action'))).toBe(
      `${area}/alerts/recipients`,
    );
    const box = await notice.boundingBox();
    expect(box?.y ?? -1).toBeGreaterThanOrEqual(0);
    expect(box?.y ?? 9_999).toBeLessThan(800);
    await page.context().close();
  });

  const slackUrl = (n: number) => `https://hooks.slack.com/services/${n}`;
  const whole = '<p class="notice bad" role="alert">Too many.</p>';
  const form = (action: string) => `<form method="post" action="${action}"><input name="name"></form>`;

  test('an error about a whole form is moved to the form that was sent, whose collapsed section is opened', () => {
    const page = moveProblem(`${whole}${form('/a')}<details>${form('/b#x')}</details>`, '/b', true);
    expect(page).toBe(
      `${form('/a')}<details open><form method="post" action="/b#x"><p tabindex="-1" autofocus class="notice bad" role="alert">Too many.</p><input name="name"></form></details>`,
    );
  });

  test('an error about a form that is not on the page stays in place, and gets no focus when the page was only opened', () => {
    expect(moveProblem(`<i></i>${whole}`, '/b', true)).toBe(
      `<i></i>${whole.replace('<p', '<p tabindex="-1" autofocus')}`,
    );
    expect(moveProblem(whole + form('/b'), '/b')).toBe(whole + form('/b'));
  });
});

describe('moving an error to its field', () => {
  const notice = '<p class="notice bad" role="alert" data-field="name">Enter a name.</p>';
  const form = (action: string, control: string) => `<form method="post" action="${action}">${control}</form>`;
  const input =
    '<div class="field"><label>Name</label><input name="name" aria-describedby="name-hint"><p id="name-hint">H</p></div>';

  test('an error is moved to the form that was sent when two forms have a field of this name', () => {
    const page = moveProblem(`${notice}${form('/a', input)}${form('/b', input)}`, '/b');
    expect(page.indexOf('name-error')).toBeGreaterThan(page.indexOf('action="/b"'));
    expect(page).toContain('aria-describedby="name-hint name-error" aria-invalid="true" autofocus');
    expect(page).toMatch(/<p id="name-hint">H<\/p><p class="error" id="name-error">Enter a name\.<\/p><\/div>/);
  });

  test('moving an error to a field opens the collapsed sections around the field, and no others', () => {
    const page = moveProblem(
      `${notice}<details></details><details class="x"><p>${form('/a', input)}</p></details>`,
      '/a',
    );
    expect(page).toMatch(/^<details><\/details><details open class="x">/);
  });

  test('an error whose field is missing or hidden stays a notice, and no hidden field is marked', () => {
    for (const page of [`${notice}<p>no form</p>`, `${notice}${form('/a', '<input type="hidden" name="name">')}`])
      expect(moveProblem(page, '/a')).toBe(page);
  });

  test('several errors are moved to their fields, and the first field gets the focus', () => {
    const second = '<p class="notice bad" role="alert" data-field="age">Enter an age.</p>';
    const page = moveProblem(`${notice}${second}${form('/a', `${input}<div><input name="age"></div>`)}`, '/a', true);
    expect(page).toMatch(/name="name"[^>]* autofocus>/);
    expect(page).toContain('<input name="age" aria-describedby="age-error" aria-invalid="true">');
    expect(page).toContain('<p class="error" id="age-error">Enter an age.</p>');
    expect(page).not.toContain('data-field');
  });

  test('a dollar sign in an error message stays unchanged when the error is moved', () => {
    const page = moveProblem(`${notice.split('Enter a name.').join('Costs $1 and $&amp;.')}${form('/a', input)}`, '/a');
    expect(page).toContain('>Costs $1 and $&amp;.</p>');
  });
});
