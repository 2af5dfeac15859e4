import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDashboardSetup, type DashboardSetup, type Member } from '../../dashboard-server.ts';

let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member({ tier: 'ultra' });
});
afterAll(() => setup.close());

const send = (path: string, type: string | null, body: string) =>
  fetch(`${setup.base_url}${path}`, {
    method: 'POST',
    body: Buffer.from(body),
    redirect: 'manual',
    headers: { cookie: ann.cookie, origin: setup.base_url, ...(type === null ? {} : { 'content-type': type }) },
  });
const settings = async () => (await ann.get('/dashboard/settings')).text();
const multipart = 'multipart/form-data; boundary=';
const parts = '--own\r\nContent-Disposition: form-data; name="footer"\r\n\r\nMade by Ann\r\n--own--\r\n';

describe('a form whose body cannot be read', () => {
  test('a body that is no form does not remove the monthly cap as an empty field would', async () => {
    await ann.post('/dashboard/settings/cap', { cap: '500' });
    for (const type of ['application/json', 'text/plain', null]) {
      const answer = await send('/dashboard/settings/cap', type, '{"cap":"500"}');
      expect(answer.status, String(type)).toBe(400);
      expect(await answer.text()).toContain('could not be read');
    }
    expect(await settings()).toMatch(/name="cap"[^>]*value="500"/);
  });

  test('a form with a file whose parts have another boundary changes nothing', async () => {
    expect((await send('/dashboard/branding', `${multipart}own`, parts)).status).toBe(303);
    for (const type of [`${multipart}other`, 'multipart/form-data']) {
      expect((await send('/dashboard/branding', type, parts)).status, type).toBe(400);
    }
    expect(await (await ann.get('/dashboard/branding')).text()).toContain('value="Made by Ann"');
  });

  test('a form without a body is an empty form', async () => {
    expect((await send('/sign-out', null, '')).status).toBe(303);
  });
});
