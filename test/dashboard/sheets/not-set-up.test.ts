import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addImport } from '../../../db/deliveries/sheet-imports.ts';
import { addList } from '../../../db/tracking/lists.ts';
import { readImportSettings } from '../../../pipeline/sheets/import-settings.ts';
import { sharingHint } from '../../../server/dashboard/sheets/google.ts';
import { newImport } from '../../../server/dashboard/sheets/import-form.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());

const missing = 'your Tidemark administrator must add a Google service account';
const spreadsheet = 'a'.repeat(44);

describe('a server without a Google service account', () => {
  test('pages of sheet imports say what is missing, and offer no import that cannot run', async () => {
    const ann = await setup.member();
    const settings = readImportSettings({ ...newImport, label: 'Rivals', spreadsheet }, setup.clock.now);
    const id = await addImport(setup.db.sql, ann.workspace_id, settings, setup.clock.now);
    const [list, added, one] = await Promise.all(
      ['', '/new', `/${id}`].map(async (path) => (await ann.get(`/dashboard/imports${path}`)).text()),
    );
    for (const page of [list, added, one]) expect(page).toContain(missing);
    expect(list).not.toContain('>New import<');
    expect(added).not.toContain('Create import');
    expect(one).not.toContain('>Run now<');
    expect(one).toContain('name="target_cell"');
  });

  test('the page of a tracking list says what is missing, and does not offer to add a spreadsheet', async () => {
    const ann = await setup.member({ tier: 'pro' });
    const list = (await addList(setup.db.sql, ann.workspace_id, 'Clients', 5)) ?? expect.fail('no list');
    const page = await (await ann.get(`/dashboard/tracking/lists/${list}/sheets`)).text();
    expect(page).toContain(missing);
    expect(page).not.toContain('Add this spreadsheet');
  });

  test.each([
    ['https://social.example', 'Until then, use <a href="/addon#copy">the add-on</a>'],
    ['http://social.example', 'Until then, use Excel'],
    ['http://127.0.0.1:8080', 'Until then, use Excel'],
  ])('a server at %s names only the other ways that work there', async (baseUrl, sentence) => {
    const config = { session_secret: null, mails: false, sheets_account: null };
    const hint = String(await sharingHint({ config, base_url: baseUrl }, spreadsheet));
    expect(hint).toContain(missing);
    expect(hint).toContain(sentence);
  });
});
