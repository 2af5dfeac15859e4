import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDashboardSetup } from '../dashboard-server.ts';

let setup: Awaited<ReturnType<typeof createDashboardSetup>>;
beforeAll(async () => {
  setup = await createDashboardSetup({ mails: false });
});
afterAll(() => setup.close());

const askAdministrator = 'Ask your Tidemark administrator for the link.';

function send(path: string, fields: Record<string, string>) {
  const body = new URLSearchParams({ page_id: crypto.randomUUID(), ...fields });
  return setup.send(path, '', { method: 'POST', body, headers: { origin: setup.base_url } });
}

describe('a server that sends no mail', () => {
  test('the form for a forgotten password does not promise an email on a server without mail', async () => {
    const page = await (await setup.send('/forgot', '')).text();
    expect(page).toContain('Email is off on this server');
    expect(page).not.toMatch(/we email|send link/i);
  });

  test.each([
    ['/sign-up', { name: 'Ann', email: 'ann@example.com', password: 'a long password' }, 'ann@example.com'],
    ['/forgot', { email: 'ann@example.com' }, 'ann@example.com'],
  ])('after the form %s, a server without mail does not say that it sent a link', async (path, fields, email) => {
    const answer = await send(path, fields);
    const page = await answer.text();
    expect([answer.status, page.includes(email), page.includes(askAdministrator)]).toEqual([200, true, true]);
    expect(page).not.toMatch(/we sent/i);
  });
});
