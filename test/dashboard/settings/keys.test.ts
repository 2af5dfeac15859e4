import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listKeys } from '../../../db/accounts/keys.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let ann: Member;
let bob: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
  [ann, bob] = [await setup.member(), await setup.member({ name: 'Bob' })];
});
afterAll(() => setup.close());

const keyIn = (page: string) => /tide_(?:live|test)_\w+/.exec(page)?.[0] ?? expect.fail('the page shows no key');
const balanceWith = (key: string) => fetch(`${setup.base_url}/v1/credit/balance`, { headers: { 'x-api-key': key } });

async function makeKey(member: Member, fields: Record<string, string>) {
  const key = keyIn(await (await member.post('/dashboard/keys', fields)).text());
  const row = (await listKeys(setup.db.sql, member.workspace_id)).find(({ last_four }) => key.endsWith(last_four));
  return { key, key_id: row?.key_id ?? expect.fail('the key is not stored') };
}

describe('an API key that is created in the dashboard', () => {
  test('a new API key works and is shown once, and later pages show only its last four characters', async () => {
    const page = await (await ann.post('/dashboard/keys', { name: 'weekly', kind: 'live' })).text();
    const key = keyIn(page);
    expect(page).toContain('curl -H');
    expect((await balanceWith(key)).status).toBe(200);
    const list = await (await ann.get('/dashboard/keys')).text();
    expect(list).not.toContain(key);
    expect(list).toContain(`…${key.slice(-4)}`);
  });

  test('a sheet key needs a monthly cap and cannot call data routes', async () => {
    const refused = await ann.post('/dashboard/keys', { name: 'shared', kind: 'sheet' });
    expect(refused.status).toBe(400);
    const { key } = await makeKey(ann, { name: 'shared', kind: 'sheet', cap: '50' });
    const answer = await fetch(`${setup.base_url}/v1/photo/profile?handle=someone`, { headers: { 'x-api-key': key } });
    expect(answer.status).toBe(403);
  });

  test('a revoked key stops immediately, and a rotated key works until the end of the overlap', async () => {
    const first = await makeKey(ann, { name: 'first', kind: 'live' });
    const rotated = keyIn(await (await ann.post(`/dashboard/keys/${first.key_id}/rotate`, { overlap: '1' })).text());
    expect([(await balanceWith(first.key)).status, (await balanceWith(rotated)).status]).toEqual([200, 200]);
    setup.clock.now = new Date(setup.clock.now.getTime() + 25 * 3_600_000);
    expect([(await balanceWith(first.key)).status, (await balanceWith(rotated)).status]).toEqual([401, 200]);
    const second = await makeKey(ann, { name: 'second', kind: 'live' });
    expect((await ann.post(`/dashboard/keys/${second.key_id}/revoke`, {})).status).toBe(303);
    expect((await balanceWith(second.key)).status).toBe(401);
  });

  test('an API key can be limited to routes and IP addresses, which the list shows and a rotation keeps', async () => {
    const fields = { name: 'limited', kind: 'live', scopes: 'workflows', networks: '127.0.0.0/8\n2001:db8::/32' };
    const { key, key_id } = await makeKey(ann, fields);
    const list = await (await ann.get('/dashboard/keys')).text();
    expect(list).toContain('May use workflows, from 127.0.0.0/8, 2001:db8::/32</small>');
    const rotated = keyIn(await (await ann.post(`/dashboard/keys/${key_id}/rotate`, { overlap: '0' })).text());
    const rows = (await listKeys(setup.db.sql, ann.workspace_id)).filter(({ name }) => name === 'limited');
    const limits = { scopes: ['workflows'], networks: ['127.0.0.0/8', '2001:db8::/32'] };
    expect(rows).toMatchObject([limits, limits]);
    const profile = `${setup.base_url}/v1/photo/profile?handle=someone`;
    const statuses = [await balanceWith(rotated), await fetch(profile, { headers: { 'x-api-key': rotated } })];
    expect([key === rotated, ...statuses.map(({ status }) => status)]).toEqual([false, 200, 403]);
  });

  test('a key for "Everything" has no limits, and a key for "Only these" may use only what was ticked', async () => {
    const form = await (await ann.get('/dashboard/keys')).text();
    expect(form).toContain('name="allow" value="everything" checked');
    await makeKey(ann, { name: 'all', kind: 'live', allow: 'everything' });
    await makeKey(ann, { name: 'some', kind: 'live', allow: 'only', scopes: 'data' });
    const keys = await listKeys(setup.db.sql, ann.workspace_id);
    expect(['all', 'some'].map((wanted) => keys.find(({ name }) => name === wanted)?.scopes)).toEqual([null, ['data']]);
  });

  test('the page of a new sheet key says where to paste it, and the page of another key has a request to try', async () => {
    const pageOf = async (fields: Record<string, string>) => (await ann.post('/dashboard/keys', fields)).text();
    const sheet = await pageOf({ name: 'for a sheet', kind: 'sheet', cap: '5' });
    expect(sheet).toContain('paste it into the Tidemark sidebar');
    expect(sheet).toContain('href="/addon"');
    expect(sheet).not.toContain('curl');
    expect(await pageOf({ name: 'for a program', kind: 'live' })).toContain('curl -H');
  });

  test('a refused key form keeps the chosen routes and IP addresses', async () => {
    const networks = '203.0.113.7\n10.0.0.0/33';
    const fields = { name: 'kept', kind: 'live', scopes: 'mcp', networks };
    const page = await (await ann.post('/dashboard/keys', fields)).text();
    expect(page).toContain('value="mcp" checked');
    expect(page).toContain('value="only" checked');
    expect(page).toContain(`${networks}</textarea>`);
  });

  test('an API key of another workspace is not found and not changed', async () => {
    const { key, key_id } = await makeKey(ann, { name: 'private', kind: 'live' });
    for (const action of ['rotate', 'revoke']) {
      expect((await bob.post(`/dashboard/keys/${key_id}/${action}`, { overlap: '0' })).status).toBe(404);
    }
    expect((await balanceWith(key)).status).toBe(200);
  });

  test('an address with a key ID in capital letters is about the same key', async () => {
    const { key, key_id } = await makeKey(ann, { name: 'capital', kind: 'live' });
    expect((await ann.post(`/dashboard/keys/${key_id.toUpperCase()}/revoke`, {})).status).toBe(303);
    expect((await balanceWith(key)).status).toBe(401);
  });

  test('an address with a malformed key ID is not found', async () => {
    for (const keyId of ['-'.repeat(36), 'a'.repeat(36), 'constructor']) {
      for (const action of ['rotate', 'revoke']) {
        expect((await ann.post(`/dashboard/keys/${keyId}/${action}`, { overlap: '0' })).status).toBe(404);
      }
    }
  });

  test.each([
    [{ kind: 'live' }, 'Enter a name of 1 to 80 characters.'],
    [{ name: 'x', kind: 'root' }, 'Choose a key type.'],
    [{ name: 'x', kind: 'live', cap: '-1' }, 'whole number'],
    [{ name: 'x', kind: 'live', expires: '2020-01-01' }, 'in the future'],
    [{ name: 'x', kind: 'live', expires: '2027-02-30' }, 'must be a date in the future, such as 2027-01-31.'],
    [{ name: 'x', kind: 'live', expires: '+275760-09-12' }, 'in the future'],
    [{ name: 'x', kind: 'live', networks: '203.0.113.7 10.0.0.0/33' }, '10.0.0.0/33 is not an IP address or a network'],
    [{ name: 'x', kind: 'live', networks: '203.0.113.7 '.repeat(100) }, 'at most 20 IP addresses'],
    [{ name: 'x', kind: 'live', scopes: 'root' }, 'root is not a scope: use one or more of data, workflows, mcp'],
    [{ name: 'x', kind: 'sheet', cap: '5', scopes: 'data' }, 'A sheet key cannot call data routes'],
    [{ name: 'x', kind: 'live', allow: 'only' }, 'Tick what this key may do, or choose Everything.'],
    [{ name: 'x', kind: 'live', allow: 'everything', scopes: 'data' }, 'To limit this key, choose Only these.'],
  ])('a key form with %j is refused with a message', async (fields, sentence) => {
    const before = await listKeys(setup.db.sql, ann.workspace_id);
    const answer = await ann.post('/dashboard/keys', fields as Record<string, string>);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(sentence);
    expect(await listKeys(setup.db.sql, ann.workspace_id)).toHaveLength(before.length);
  });
});

describe('the number of API keys', () => {
  test('a workspace can create 60 keys in an hour, so that its members do not get more emails than that', async () => {
    const eve = await setup.member();
    const before = setup.mails.length;
    const make = async () => {
      const answer = await eve.post('/dashboard/keys', { name: 'loop', kind: 'test' });
      await setup.db.sql`update api_keys set revoked_at = now() where workspace_id = ${eve.workspace_id}`;
      return answer;
    };
    for (let n = 0; n < 59; n += 1) expect((await make()).status).toBe(200);
    const { key_id } = await makeKey(eve, { name: 'last', kind: 'test' });
    const refused = await eve.post('/dashboard/keys', { name: 'more', kind: 'test' });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('A workspace can create 60 keys in an hour. Try again in 60 min.'),
    ]);
    expect((await eve.post(`/dashboard/keys/${key_id}/rotate`, { overlap: '30' })).status).toBe(400);
    expect(setup.mails.length - before).toBe(60);
  });

  test('a workspace cannot have more than 100 active keys by replacing them', async () => {
    const eve = await setup.member();
    const { key_id } = await makeKey(eve, { name: 'first', kind: 'test' });
    await setup.db.sql`
      insert into api_keys (workspace_id, key_id, hash, kind, name, last_four)
      select ${eve.workspace_id}, gen_random_uuid(), md5(n::text), 'test', 'copy', 'abcd' from generate_series(1, 99) n`;
    const refused = await eve.post(`/dashboard/keys/${key_id}/rotate`, { overlap: '30' });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining(
        'A workspace can have 100 active keys, including replaced keys that still work. Revoke one first.',
      ),
    ]);
  });

  test('the pages that list keys show all that work, and at most 200 that have ended', async () => {
    const eve = await setup.member();
    const { key } = await makeKey(eve, { name: 'oldest', kind: 'test' });
    await setup.db.sql`
      insert into api_keys (workspace_id, key_id, hash, kind, name, last_four, revoked_at)
      select ${eve.workspace_id}, gen_random_uuid(), md5('ended ' || n), 'test', 'ended', 'abcd', now()
      from generate_series(1, 5000) n`;
    const page = await (await eve.get('/dashboard/keys')).text();
    expect(page).toContain(`…${key.slice(-4)}`);
    expect(page.split('…abcd')).toHaveLength(201);
    expect((await (await eve.get('/dashboard/credits')).text()).length).toBeLessThan(200_000);
  });
});
