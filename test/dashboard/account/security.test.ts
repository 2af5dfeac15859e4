import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { hostileName, type Populated, populate, rawMarkers, rowsOf } from '../populated.ts';
import { crawl, dashboardPaths, each, filled, formsIn, openParts, type ShownForm } from '../sweep.ts';

let setup: DashboardSetup;
let ann: Member;
let bob: Member;
let anns: Populated;
let bobs: Populated;
let pages: string[];
let forms: string[];
/** All pages and forms of the dashboard, with their HTTP methods. */
let all: { method: string; path: string }[];
beforeAll(async () => {
  setup = await createDashboardSetup();
  [ann, bob] = [
    await setup.member({ tier: 'ultra', credits: 500, name: hostileName }),
    await setup.member({ tier: 'ultra', credits: 500, name: 'Bob' }),
  ];
  anns = await populate(setup, ann);
  bobs = await populate(setup, bob, 'Bob and sons');
  ({ pages, forms } = dashboardPaths(setup));
  all = [...pages.map((path) => ({ method: 'GET', path })), ...forms.map((path) => ({ method: 'POST', path }))];
});
afterAll(() => setup.close());

/** Sends a request and expects its answer to have the security headers. */
async function ask(path: string, cookie: string, init: RequestInit = {}): Promise<Response> {
  const answer = await setup.send(path, cookie, init);
  const { headers } = answer;
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy, path).toContain("default-src 'none'");
  expect(policy, path).toContain("frame-ancestors 'none'");
  expect(policy, path).not.toMatch(/unsafe|\*|http:(?!\/\/127)/);
  expect(headers.get('x-content-type-options'), path).toBe('nosniff');
  expect(headers.get('cache-control'), path).toContain('no-store');
  expect(headers.get('referrer-policy'), path).toMatch(/^(?:same-origin|no-referrer)$/);
  return answer;
}

const own = () => ({ origin: setup.base_url });
const post = (path: string, cookie: string, fields: [string, string][], headers: Record<string, string> = own()) =>
  ask(path, cookie, { method: 'POST', body: new URLSearchParams(fields), headers });

const send = (method: string, path: string, cookie: string) =>
  method === 'GET' ? ask(path, cookie) : post(path, cookie, usual);

let bobsForms: Promise<ShownForm[]> | null = null;
/** Returns the forms on all pages of Bob, as they were before the first test that submits them. */
function formsOfBob(): Promise<ShownForm[]> {
  bobsForms ??= crawl(setup, bob, bobs.ids)
    .then((found) => [...found.values()].flatMap(formsIn))
    .catch((error: unknown) => {
      // Reads the forms again when a failed test is repeated.
      bobsForms = null;
      throw error;
    });
  return bobsForms;
}

/** Valid values for the fields that most forms have. */
const usual: [string, string][] = [
  ['name', 'changed'],
  ['kind', 'live'],
  ['overlap', '0'],
  ['starts_on', '2026-11-02'],
  ['url', 'https://receiver.example/other'],
  ['events', 'report.ready'],
  ['days', '7'],
  ['spreadsheet', 'b'.repeat(44)],
  ['sheet_name', 'changed'],
  ['mode', 'append'],
];
const both = async () => ({
  anns: await rowsOf(setup, ann.workspace_id),
  bobs: await rowsOf(setup, bob.workspace_id),
});

describe('every page and form of the dashboard', () => {
  test('the list of pages and forms that these security tests check is complete', () => {
    expect(pages.length).toBeGreaterThan(20);
    expect(forms.length).toBeGreaterThan(30);
    expect([...pages, ...forms]).toEqual(expect.arrayContaining(['/dashboard', '/dashboard/keys/:key_id/revoke']));
  });

  test('every page and form without a session redirects to sign-in and changes nothing', async () => {
    const before = await both();
    const forged = 'tidemark.session_token=0123456789abcdef.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D';
    const tries = all.flatMap(({ method, path }) => ['', forged].map((cookie) => ({ method, path, cookie })));
    await each(tries, async ({ method, path, cookie }) => {
      const answer = await send(method, filled(path, anns.ids), cookie);
      const to = answer.headers.get('location') ?? '';
      // Without a session, a form with typed text is shown again instead of a redirect to the sign-in page, so that the
      // text is not lost.
      if (method === 'POST' && answer.status === 401) {
        expect(await answer.text(), path).toContain('Nothing was changed.');
        return;
      }
      expect([path, answer.status], path).toEqual([path, 303]);
      expect(to, path).toMatch(method === 'GET' ? /^\/sign-in\?next=%2Fdashboard/ : /^\/sign-in$/);
    });
    expect(await both()).toEqual(before);
  });

  test('every form from another site is refused and changes nothing', async () => {
    const before = await both();
    const elsewhere: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      {},
      { origin: `${setup.base_url}.evil.example` },
      { origin: 'https://evil.example', 'content-type': 'text/plain' },
    ];
    await each(forms, async (form) => {
      const path = filled(form, anns.ids);
      for (const headers of elsewhere) {
        expect([form, headers, (await post(path, ann.cookie, usual, headers)).status]).toEqual([form, headers, 403]);
      }
      const empty = await ask(path, ann.cookie, { method: 'POST', headers: { origin: 'https://evil.example' } });
      expect([form, empty.status]).toEqual([form, 403]);
    });
    expect(await both()).toEqual(before);
  });

  test('every page and form with an id of another workspace answers 404 and changes nothing', async () => {
    const before = await both();
    // Bob tries paths with all ids of Ann's workspace, and paths with one id of hers among his own ids.
    const tries = all.flatMap(({ method, path }) => {
      const names = openParts(path);
      const mixed = names.map((name) => ({ ...bobs.ids, [name]: anns.ids[name] ?? '' }));
      return (names.length === 0 ? [] : [anns.ids, ...mixed]).map((ids) => ({ method, path, ids }));
    });
    const wrong = await each(tries, async ({ method, path, ids }) => {
      const answer = await send(method, filled(path, ids), bob.cookie);
      const body = await answer.text();
      for (const secret of anns.secrets) expect(body).not.toContain(secret);
      return answer.status === 404 ? [] : [`${method} ${path}: ${answer.status}`];
    });
    expect(wrong.flat()).toEqual([]);
    expect(await both()).toEqual(before);
  });

  test('every page and form with an invalid id answers 404', async () => {
    const nonsense = [
      'x',
      'a'.repeat(3_000),
      '%00',
      '%2e%2e%2f',
      "'%20or%20'1'='1",
      `${'0'.repeat(8)}-0000-0000-0000-${'g'.repeat(12)}`,
      '%ff%fe',
    ];
    const open = all.flatMap(({ method, path }) => openParts(path).map((name) => ({ method, path, name })));
    const tries = open.flatMap((one) => nonsense.map((value) => ({ ...one, value })));
    const wrong = await each(tries, async ({ method, path, name, value }) => {
      const answer = await send(method, filled(path, { ...bobs.ids, [name]: value }), bob.cookie);
      await answer.arrayBuffer();
      return answer.status === 404 ? [] : [`${method} ${path} ${value.slice(0, 40)}: ${answer.status}`];
    });
    expect(wrong.flat()).toEqual([]);
  });

  test('a form with ids of another workspace in its fields changes nothing there', async () => {
    const { ids } = bobs;
    const before = await rowsOf(setup, ann.workspace_id);
    const foreign = new Map(Object.entries(ids).map(([name, id]) => [id, anns.ids[name] ?? '']));
    const shown = await formsOfBob();
    let swapped = 0;
    for (const { action, fields } of shown) {
      const others = fields.map(([name, value]): [string, string] => [name, foreign.get(value) ?? value]);
      if (others.every(([, value], index) => value === fields[index]?.[1])) continue;
      swapped += 1;
      const answer = await post(action, bob.cookie, others);
      expect([action, answer.status < 500]).toEqual([action, true]);
      for (const marker of ['&lt;script&gt;alert(1)', ...anns.secrets])
        expect(await answer.clone().text(), action).not.toContain(marker);
    }
    expect(swapped).toBeGreaterThan(2);
    expect(await rowsOf(setup, ann.workspace_id)).toEqual(before);
    const kept = JSON.stringify(await rowsOf(setup, bob.workspace_id));
    for (const [name, id] of Object.entries(anns.ids)) {
      // Ignores OAuth clients, because several workspaces can connect the same client.
      if (name !== 'client_id') expect(kept.includes(id), name).toBe(false);
    }
  });
});

describe('hostile text in the dashboard', () => {
  test('hostile text in names, addresses and answers is escaped on every page, and no secret is shown again', async () => {
    const found = await crawl(setup, ann, anns.ids);
    let named = 0;
    for (const [path, body] of found) {
      for (const secret of anns.secrets) expect(body, path).not.toContain(secret);
      if (!body.startsWith('<!doctype html>')) continue;
      for (const marker of rawMarkers) expect(body.includes(marker), `${marker} on ${path}`).toBe(false);
      if (body.includes('&lt;script&gt;alert(1)')) named += 1;
    }
    expect(named).toBeGreaterThan(8);
  });

  test('hostile text in the query of an address does not break a page and is not shown', async () => {
    const names =
      'before after page cursor from to days range list list_id item status kind platform month route metric q sort next key compare with view days details profile items profiles show period week oauth_query client_id scope';
    const values = ["%00'%22%3Cscript%3Ealert(1)%3C/script%3E", '-1', '9'.repeat(40), '2026-13-45', '__proto__'];
    const tries = pages.flatMap((page) => values.map((value) => ({ path: filled(page, bobs.ids), value })));
    await each(tries, async ({ path, value }) => {
      const query = names.split(' ').map((name) => `${name}=${value}`);
      const answer = await ask(`${path}?${query.join('&')}`, bob.cookie);
      const body = await answer.text();
      expect([path, value, answer.status < 500]).toEqual([path, value, true]);
      expect(body.includes('<script>alert'), path).toBe(false);
    });
  });

  test('hostile text in form fields is refused or escaped, and breaks nothing', async () => {
    const shown = await formsOfBob();
    const sent = shown.flatMap(({ fields }) => fields.map(([name]) => name));
    const names = [...new Set([...usual.map(([name]) => name), ...sent])];
    const values = ["\0<script>alert(1)</script>'", '', '-1', '9'.repeat(30), '\ud800'];
    const tries = forms.flatMap((path) => values.map((value) => ({ path, value })));
    const wrong = await each(tries, async ({ path, value }) => {
      const fields = names.map((name): [string, string] => [name, value]);
      const answer = await post(filled(path, bobs.ids), bob.cookie, fields);
      const broken = answer.status >= 500 || (await answer.text()).includes('<script>alert');
      return broken ? [`${path} ${JSON.stringify(value)}: ${answer.status}`] : [];
    });
    expect(wrong.flat()).toEqual([]);
    expect(setup.errors).toEqual([]);
  });
});
