import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KeyKind } from '../../../db/accounts/key-text.ts';
import { createKey, revokeKey } from '../../../db/accounts/keys.ts';
import { checkLedger, readBalance } from '../../../db/money/ledger.ts';
import { recordCards, recordsIn, recordTable } from '../../../server/dashboard/playground/records.ts';
import { playRoutes } from '../../../server/dashboard/playground/routes.ts';
import { callSamples, keyPlaceholder } from '../../../server/docs/call-samples.ts';
import { faultsAtEachWidth, startBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());
beforeEach(() => {
  setup.upstream.asked.length = 0;
  setup.upstream.answer = null;
  // Moves the clock forward, so that each test starts in a new rate-limit minute.
  setup.clock.now = new Date(setup.clock.now.getTime() + 3_600_000);
});

const area = '/dashboard/playground';
const profile = '/v1/photo/profile';
const textOf = (page: string) => page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const hidden = (page: string, name: string) =>
  new RegExp(`type="hidden" name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? expect.fail(`no field ${name}`);
/** Returns the API's answer that a playground page shows, with HTML entities decoded. */
const answerIn = (page: string) =>
  (/<pre id="answer"[^>]*><code>(.*?)<\/code>/s.exec(page)?.[1] ?? expect.fail('the page shows no answer'))
    .replace(/<\/?span[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Returns the id of the key that is selected in the form of a route. */
const chosenKey = async (member: Member, route: string) => {
  const page = await (await member.get(`${area}?route=${route}`)).text();
  return /<select id="key".*?<option value="([^"]*)" selected/s.exec(page)?.[1];
};

const giveKey = (member: Member, kind: KeyKind, monthlyCap: number | null = null) =>
  createKey(setup.db.sql, member.workspace_id, { kind, name: `a ${kind} key`, monthly_cap: monthlyCap });

/** Returns the fields of the playground form for a route. Loads the form to get its single-use value `once`. */
async function formOf(member: Member, key: string, route: string, fields: Record<string, string>) {
  const page = await (await member.get(`${area}?route=${route}`)).text();
  return { route, key, once: hidden(page, 'once'), act: 'run', ...fields };
}

async function send(member: Member, form: Record<string, string>) {
  const answer = await member.post(area, form);
  return { status: answer.status, headers: answer.headers, page: await answer.text() };
}

async function run(member: Member, key: string, route: string, fields: Record<string, string>) {
  return send(member, await formOf(member, key, route, fields));
}

async function entries({ workspace_id }: Member) {
  return setup.db.sql`
    select kind, credits::int, balance_after::int, route from ledger_entries
    where workspace_id = ${workspace_id} order by entry_no`;
}
const capUsed = async (keyId: string) =>
  (await setup.db.sql`select cap_used::int as used from api_keys where key_id = ${keyId}`)[0]?.used;

test('the playground chooses a key that may call the route: a development key first, and a sheet key only for spreadsheets', async () => {
  const ann = await setup.member();
  const sheet = await giveKey(ann, 'sheet', 50);
  expect(await chosenKey(ann, '/v1/workflows/profile')).toBe(sheet.key_id);
  const limited = { kind: 'live', name: 'only spreadsheets', scopes: ['workflows'] } as const;
  await createKey(setup.db.sql, ann.workspace_id, limited);
  const live = await giveKey(ann, 'live');
  expect(await chosenKey(ann, profile)).toBe(live.key_id);
  const development = await giveKey(ann, 'test');
  expect(await chosenKey(ann, profile)).toBe(development.key_id);
});

describe('the playground form of a route', () => {
  test('the playground without an active API key links to the keys page', async () => {
    const member = await setup.member();
    const { key_id } = await giveKey(member, 'live');
    await revokeKey(setup.db.sql, key_id, setup.clock.now);
    const page = await (await member.get(area)).text();
    expect(textOf(page)).toContain('This workspace has no active key. Create one');
    expect(page).not.toContain('value="run"');
  });

  test('the initial playground form of every route returns a sample, or 501 for a planned route', async () => {
    const member = await setup.member();
    const { key_id } = await giveKey(member, 'test');
    await giveKey(member, 'live');
    for (const [index, { path, availability, identifiers, parameters }] of playRoutes.entries()) {
      if (index % 20 === 0) setup.clock.now = new Date(setup.clock.now.getTime() + 61_000);
      const page = await (await member.get(`${area}?route=${path}`)).text();
      expect(page, path).toMatch(/<option value="[^"]*" selected>a test key/);
      for (const name of Object.keys(parameters)) expect(page, path).toContain(`name="p-${name}"`);
      for (const [, pattern = ''] of page.matchAll(/ pattern="([^"]*)"/g))
        expect(() => new RegExp(pattern, 'v')).not.toThrow();
      const filled = [...page.matchAll(/<(?:input|textarea) id="(p-[^"]+)"[^>]*?(?: value="([^"]*)"|>([^<]+)<)/g)];
      const fields = Object.fromEntries(filled.map(([, name, value, text]) => [name, value ?? text]));
      const answer = await send(member, {
        route: path,
        key: key_id,
        once: hidden(page, 'once'),
        act: 'run',
        ...fields,
      });
      const expected = availability === 'planned' ? '501 SOURCE_NOT_IMPLEMENTED' : '200';
      expect(textOf(answer.page), `${path} ${identifiers}`).toContain(` ${expected} `);
    }
    expect(setup.upstream.asked).toEqual([]);
    expect(await entries(member)).toHaveLength(1);
  });

  test('an unknown route is not found in the playground', async () => {
    const member = await setup.member();
    expect((await member.get(`${area}?route=/v1/nothing`)).status).toBe(404);
    expect((await member.post(area, { route: '/metrics', act: 'run' })).status).toBe(404);
  });
});

describe('a playground call', () => {
  test('a playground call has the same answer, charge and cap use as the API request', async () => {
    const [byPage, byApi] = [await setup.member(), await setup.member()];
    const [pageKey, apiKey] = [await giveKey(byPage, 'live', 50), await giveKey(byApi, 'live', 50)];
    const { page } = await run(byPage, pageKey.key_id, '/v1/photo/posts', { 'p-handle': 'someone', 'p-limit': '2' });
    const response = await fetch(`${setup.base_url}/v1/photo/posts?handle=someone&limit=2`, {
      headers: { 'x-api-key': apiKey.key },
    });
    const answer = JSON.parse(answerIn(page));
    expect(answer.data.items).toEqual(JSON.parse(await response.text()).data.items);
    expect(answer.meta).toMatchObject({ credits_charged: 2, credits_remaining: 98, sandbox: false });
    expect(await entries(byPage)).toEqual(await entries(byApi));
    expect((await entries(byPage)).at(-1)).toEqual({
      kind: 'charge',
      credits: -2,
      balance_after: 98,
      route: '/v1/photo/posts',
    });
    expect([await capUsed(pageKey.key_id), await capUsed(apiKey.key_id)]).toEqual([2, 2]);
    expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
  });

  test('a playground call that one page sends twice is charged once, and a changed call is charged again', async () => {
    const member = await setup.member();
    const { key_id } = await giveKey(member, 'live');
    const form = await formOf(member, key_id, profile, { 'p-handle': 'twice' });
    await Promise.all([send(member, form), send(member, form)]);
    const again = await send(member, form);
    expect(textOf(again.page)).toContain('repeated answer · free');
    expect(await readBalance(setup.db.sql, member.workspace_id)).toBe(99);
    const other = await send(member, { ...form, 'p-handle': 'other' });
    expect(textOf(other.page)).toContain('1 credit charged');
    setup.clock.now = new Date(setup.clock.now.getTime() + 24 * 3_600_000);
    expect((await send(member, form)).status).toBe(400);
    expect(await readBalance(setup.db.sql, member.workspace_id)).toBe(98);
  });

  test('the header of the playground shows the balance after the call', async () => {
    const member = await setup.member();
    const { key_id } = await giveKey(member, 'live');
    const { page } = await run(member, key_id, '/v1/photo/posts', { 'p-handle': 'someone', 'p-limit': '2' });
    expect(/id="balance".*?<b>(\d+)<\/b>/s.exec(page)?.[1]).toBe('98');
  });

  test('the Enter key in a field of the playground shows the cost or does nothing, because the first button of the form is free', async () => {
    const member = await setup.member();
    await giveKey(member, 'live');
    for (const route of playRoutes) {
      const page = await (await member.get(`${area}?route=${route.path}`)).text();
      const form = /<form method="post" action="\/dashboard\/playground#result">.*?<\/form>/s.exec(page)?.[0] ?? '';
      const [first] = form.match(/<button[^>]*>/) ?? [];
      expect([route.path, first]).toEqual([route.path, expect.stringMatching(/value="estimate"|disabled/)]);
    }
  });

  test('the answer of a playground call is a table, cards and JSON, with exact numbers and escaped texts', async () => {
    const member = await setup.member();
    const { key_id } = await giveKey(member, 'test');
    const one = await run(member, key_id, profile, { 'p-handle': 'someone' });
    expect(one.page).toMatch(/<details name="answer-view" open><summary>Table<\/summary>/);
    expect(textOf(one.page)).toContain(' Username tidemark.sample ');
    const many = await run(member, key_id, '/v1/photo/posts', { 'p-handle': 'someone' });
    const items: Record<string, unknown>[] = JSON.parse(answerIn(many.page)).data.items;
    expect(many.page.split('<article class="card">').length - 1).toBe(Math.min(12, items.length));
    const records = recordsIn(
      JSON.stringify({ data: { items: [{ title: '<b>', likes: 1_234_567 }, { likes: null }] } }),
    );
    expect(String(await recordCards(records))).toMatch(/&lt;b&gt;.*<span title="1,234,567">1.23M<\/span>/s);
    expect(String(await recordTable(records))).toMatch(/1,234,567.*–/s);
  });

  test('the link of a playground request opens the form with the same values, without a key and without a request', async () => {
    const member = await setup.member();
    const { key_id } = await giveKey(member, 'live');
    const form = await formOf(member, key_id, profile, { 'p-handle': 'tide & pool', act: 'estimate' });
    const { page } = await send(member, form);
    const link = new URL(String(/<pre id="share"[^>]*><code>([^<]*)/.exec(page)?.[1]).replaceAll('&amp;', '&'));
    expect(link.href).not.toContain(key_id);
    const opened = await (await member.get(link.pathname + link.search)).text();
    expect(opened).toMatch(/name="p-handle"[^>]*value="tide &amp; pool"/);
    expect(setup.upstream.asked).toEqual([]);
  });

  test('the playground shows the cost of a call and the age of a cached answer for free', async () => {
    const member = await setup.member();
    const { key_id } = await giveKey(member, 'live');
    const fields = { 'p-handle': 'estimated' };
    const before = await run(member, key_id, profile, { ...fields, act: 'estimate' });
    expect(textOf(before.page)).toContain('This request costs at most 1 credit.');
    expect(setup.upstream.asked).toEqual([]);
    await run(member, key_id, profile, fields);
    setup.clock.now = new Date(setup.clock.now.getTime() + 2 * 3_600_000);
    const after = await run(member, key_id, profile, { ...fields, act: 'estimate', 'p-cache_max_age': '1d' });
    expect(textOf(after.page)).toContain('This request is free now. A cached answer is 2 hours old.');
    expect(await readBalance(setup.db.sql, member.workspace_id)).toBe(99);
  });

  test('a playground call with a development key returns sandbox samples and errors', async () => {
    const member = await setup.member();
    const { key_id } = await giveKey(member, 'test');
    const sample = await run(member, key_id, profile, { 'p-handle': 'someone' });
    expect(JSON.parse(answerIn(sample.page)).data.profile.username).toBe('tidemark.sample');
    expect(textOf(sample.page)).toContain('200 Sandbox sample · free');
    const missing = await run(member, key_id, profile, { 'p-handle': 'sandbox_404' });
    expect(textOf(missing.page)).toContain('404 RESOURCE_NOT_FOUND free');
    const wrong = await run(member, key_id, profile, { 'p-handle': '<b>', 'p-fields': 'folowers' });
    const { details } = JSON.parse(answerIn(wrong.page)).error;
    expect(details.map(({ parameter }: { parameter: string }) => parameter)).toEqual(['handle', 'fields']);
    expect(await entries(member)).toHaveLength(1);
  });

  test('a playground call with a limited key is refused by its routes and by the address of the user', async () => {
    const member = await setup.member();
    const limited = (limits: Partial<Parameters<typeof createKey>[2]>) =>
      createKey(setup.db.sql, member.workspace_id, { kind: 'live', name: 'limited', ...limits });
    const [here, elsewhere, balanceOnly] = [
      await limited({ networks: ['127.0.0.1'] }),
      await limited({ networks: ['203.0.113.7'] }),
      await limited({ scopes: ['workflows'] }),
    ];
    const pageWith = async ({ key_id }: { key_id: string }) =>
      textOf((await run(member, key_id, profile, { 'p-handle': 'someone' })).page);
    expect(await pageWith(here)).not.toMatch(/\b403 [A-Z]/);
    expect(await pageWith(elsewhere)).toContain('403 ADDRESS_NOT_ALLOWED');
    expect(await pageWith(balanceOnly)).toContain('403 KEY_NOT_ALLOWED');
  });

  test('a playground call is refused for the same reasons as an API request: key type, monthly cap and rate limit', async () => {
    const member = await setup.member();
    const [sheet, capped, test] = [
      await giveKey(member, 'sheet', 5),
      await giveKey(member, 'live', 0),
      await giveKey(member, 'test'),
    ];
    const byKind = await run(member, sheet.key_id, profile, { 'p-handle': 'someone' });
    expect(textOf(byKind.page)).toContain('403 SHEET_KEY_RESTRICTED');
    const rows = await run(member, sheet.key_id, '/v1/workflows/profile', {
      'p-url': 'https://www.instagram.com/a1/\nnothing',
    });
    expect(JSON.parse(answerIn(rows.page)).data.rows).toHaveLength(2);
    const byCap = await run(member, capped.key_id, profile, { 'p-handle': 'someone' });
    expect(textOf(byCap.page)).toContain('402 INSUFFICIENT_CREDITS');
    for (let n = 0; n < 60; n += 1) {
      await fetch(`${setup.base_url}/v1/credit/balance`, { headers: { 'x-api-key': test.key } });
    }
    const tooMany = await run(member, sheet.key_id, '/v1/workflows/profile', {
      'p-url': 'https://www.instagram.com/a2/',
    });
    expect(textOf(tooMany.page)).toContain('429 RATE_LIMITED');
    expect(await readBalance(setup.db.sql, member.workspace_id)).toBe(99);
  });

  test('a playground call with a key of another workspace or a revoked key is refused, and no page shows a key hash', async () => {
    const [ann, bob] = [await setup.member(), await setup.member({ name: 'Bob' })];
    const { key_id } = await giveKey(ann, 'live');
    await giveKey(bob, 'test');
    for (const stranger of [key_id, 'nonsense', '']) {
      expect((await run(bob, stranger, profile, { 'p-handle': 'x' })).status).toBe(404);
    }
    const form = await formOf(ann, key_id, profile, { 'p-handle': 'someone' });
    const answer = await send(ann, form);
    const [row] = await setup.db.sql`select hash from api_keys where key_id = ${key_id}`;
    expect(answer.page + [...answer.headers]).not.toContain(row?.hash);
    await giveKey(ann, 'test');
    await revokeKey(setup.db.sql, key_id, setup.clock.now);
    const refused = await send(ann, form);
    expect([refused.status, textOf(refused.page)]).toEqual([400, expect.stringContaining('no longer works')]);
    expect(setup.upstream.asked).toHaveLength(1);
  });

  test('hostile text from a platform is escaped in the playground', async () => {
    const member = await setup.member();
    const { key_id } = await giveKey(member, 'live');
    const evil = '</code></pre><script>alert(1)</script>';
    const counts = { edge_followed_by: { count: 1 }, edge_follow: { count: 0 } };
    const user = {
      id: '5',
      username: 'evil',
      full_name: evil,
      ...counts,
      edge_owner_to_timeline_media: { count: 0, edges: [] },
    };
    setup.upstream.answer = () => ({ body: Buffer.from(JSON.stringify({ data: { user }, status: 'ok' })) });
    const { page } = await run(member, key_id, profile, { 'p-handle': 'evil', 'p-fields': evil });
    expect(page).not.toContain('<script>alert');
    const shown = await run(member, key_id, profile, { 'p-handle': 'evil' });
    expect(shown.page).not.toContain('<script>alert');
    expect(JSON.parse(answerIn(shown.page)).data.profile.display_name).toBe(evil);
  });

  test('a long answer is cut on the playground page and complete in the free download', async () => {
    const member = await setup.member();
    const { key_id } = await giveKey(member, 'live');
    const long = 'tide '.repeat(5_000);
    const { fetch: ask } = setup.upstream;
    const plain = await ask({ url: 'https://invented.example/?username=long' }, new AbortController().signal);
    const body = Buffer.from(plain.body.toString().replaceAll('Invented post', long));
    setup.upstream.answer = () => ({ body });
    const form = await formOf(member, key_id, '/v1/photo/posts', { 'p-handle': 'long', 'p-limit': '12' });
    const { page } = await send(member, form);
    expect(textOf(page)).toContain('Showing the first 200,000 of');
    expect(answerIn(page).length).toBeLessThan(200_010);
    const download = /<form[^>]*>((?:(?!<\/form>).)*value="download".*?)<\/form>/s.exec(page)?.[1] ?? '';
    const fields = [...download.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
    const file = await send(member, Object.fromEntries(fields));
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="v1-photo-posts.json"');
    expect(JSON.parse(file.page).data.items).toHaveLength(12);
    expect(await readBalance(setup.db.sql, member.workspace_id)).toBe(98);
  });
});

describe('a code sample of the playground', () => {
  const calls: [string, [string, string][]][] = [
    [
      '/v1/workflows/profile',
      [
        ['url', `tide "pools" & $HOME \`id\` 'é' \\ 100% #1 🐚`],
        ['fields', 'url,status'],
      ],
    ],
    [
      '/v1/workflows/profile',
      [
        ['url', 'https://www.instagram.com/a/'],
        ['url', 'https://www.tiktok.com/@b'],
        ['format', 'csv'],
      ],
    ],
    ['/v1/credit/balance', []],
    [profile, [['handle', 'sandbox_404']]],
  ];
  const start = promisify(execFile);
  const programs = { curl: 'curl', typescript: process.execPath, python: 'python3' } as const;
  const missing = new Set<string>();
  let folder = '';
  let key = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'call-samples-'));
    key = (await giveKey(await setup.member(), 'test')).key;
    for (const program of new Set(Object.values(programs))) {
      await start(program, ['--version']).catch(() => missing.add(program));
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function printed(id: keyof typeof programs, code: string): Promise<string> {
    if (id === 'curl') return (await start('sh', ['-c', code.replace('curl ', 'curl -s ')])).stdout;
    const file = join(folder, id === 'python' ? 'call.py' : 'call.mts');
    await writeFile(file, code);
    return (await start(programs[id], [file])).stdout;
  }

  const told = (text: string) => (text.startsWith('{') ? withoutRequest(JSON.parse(text)) : text.trim());
  const withoutRequest = ({ meta, ...rest }: { meta: object }) => ({ ...rest, meta: { ...meta, request_id: null } });

  test.each(calls)(
    'the code sample of %s runs as it is printed and gives the answer of the service',
    async (path, query) => {
      const response = await fetch(`${setup.base_url}${path}?${new URLSearchParams(query)}`, {
        headers: { 'x-api-key': key },
      });
      const expected = told(await response.text());
      const samples = callSamples({ base_url: setup.base_url, path, query });
      const runs = (['curl', 'typescript', 'python'] as const).map(async (id) => {
        const { code } = samples.find((sample) => sample.id === id) ?? expect.fail(id);
        if (!missing.has(programs[id]))
          expect(told(await printed(id, code.replace(keyPlaceholder, key))), id).toEqual(expected);
      });
      await Promise.all(runs);
    },
    30_000,
  );

  test('the code sample of a formula names the address that the workflow reads as the same account', async () => {
    const ask = async (path: string) =>
      JSON.parse(await (await fetch(`${setup.base_url}${path}`, { headers: { 'x-api-key': live } })).text());
    const live = (await giveKey(await setup.member(), 'live')).key;
    const formulaOf = (path: string, query: [string, string][]) =>
      callSamples({ base_url: setup.base_url, path, query }).find(({ id }) => id === 'sheet')?.code ?? null;
    const formula = formulaOf(profile, [
      ['handle', '@Same.One'],
      ['cache_max_age', '7d'],
    ]);
    expect(formula).toBe('=SOCIAL_PROFILE("https://www.instagram.com/Same.One/", , "7d")');
    const { data } = await ask(`${profile}?handle=Same.One`);
    const rows = await ask('/v1/workflows/profile?fields=account_id&url=https://www.instagram.com/Same.One/');
    expect(rows.data.rows).toEqual([[data.profile.id]]);
    expect(
      formulaOf('/v1/workflows/profile', [
        ['url', 'a"b'],
        ['url', 'c'],
        ['fields', 'likes'],
        ['fresh', 'true'],
      ]),
    ).toBe('=SOCIAL_PROFILE({"a""b"; "c"}, "likes", "fresh")');
    expect(
      formulaOf('/v1/photo/posts', [
        ['handle', 'a'],
        ['limit', '5'],
      ]),
    ).toBe('=SOCIAL_POSTS("https://www.instagram.com/a/", 5)');
    expect(formulaOf('/v1/credit/balance', [])).toBe('=SOCIAL_CREDITS()');
    expect(formulaOf('/v1/longvideo/transcript', [['id', 'example0001']])).toBeNull();
  });

  test.each([
    ['profile', 'url=tidemark.one&platform=photo', '=SOCIAL_PROFILE("tidemark.one", , , "instagram")'],
    [
      'profile',
      'url=@tidemark.one&url=two&platform=shortvideo&fields=likes&cache_max_age=7d',
      '=SOCIAL_PROFILE({"@tidemark.one"; "two"}, "likes", "7d", "tiktok")',
    ],
    ['posts', 'url=@tidemark.one&platform=longvideo', '=SOCIAL_POSTS("@tidemark.one", , , , "youtube")'],
    ['posts', 'url=one&platform=photo&limit=5', '=SOCIAL_POSTS("one", 5, , , "instagram")'],
    ['profile', 'url=one&platform=elsewhere', null],
    ['post', 'url=CExample123&platform=photo', null],
  ])('the formula for /v1/workflows/%s?%s is %s', (route, query, formula) => {
    const path = `/v1/workflows/${route}`;
    const samples = callSamples({ base_url: setup.base_url, path, query: [...new URLSearchParams(query)] });
    expect(samples.find(({ id }) => id === 'sheet')?.code ?? null).toBe(formula);
  });
});

test('a playground call works in a browser, and its pages are accessible', async () => {
  const member = await setup.member();
  await giveKey(member, 'live');
  await giveKey(member, 'test');
  const browser = await startBrowser();
  try {
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 900 } });
    await page.context().addCookies(cookiesOf(member, setup.base_url));
    await page.goto(`${setup.base_url}${area}`);
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await page.selectOption('#route', '/v1/longvideo/channel/videos');
    await page.click('text=Choose');
    await page.click('text=More parameters');
    await page.fill('#p-limit', '2');
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await page.press('#p-limit', 'Enter');
    await page.waitForSelector('text=This request is free now.');
    await page.click('button:text-is("Send request")');
    await page.waitForSelector('text=Sandbox sample');
    await page.click('summary:text-is("JSON")');
    expect(JSON.parse(await page.locator('#answer').innerText()).data.items).toHaveLength(2);
    expect(await page.locator('#sample-curl').innerText()).toContain('limit=2');
    expect(await faultsAtEachWidth(page)).toEqual([]);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
}, 90_000);
