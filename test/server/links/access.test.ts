import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkReads, listDataLinks, replaceDataLinkSecret, revokeDataLink } from '../../../db/deliveries/data-links.ts';
import { addList, removeList } from '../../../db/tracking/lists.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../../dashboard/dashboard-server.ts';
import { makeLink, readLink } from './data-link-setup.ts';

let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member({ tier: 'pro' });
});
afterAll(() => setup.close());

const all = { content: { kind: 'list', list_id: null } } as const;
const forward = (minutes: number) => {
  setup.clock.now = new Date(setup.clock.now.getTime() + minutes * 60_000);
};

describe('a data link', () => {
  test('a data link is read without a key, is never cached or indexed, and its secret is in no log entry', async () => {
    const { token } = await makeLink(setup, ann, all);
    for (const [ending, type] of [
      ['csv', 'text/csv; charset=utf-8'],
      ['json', 'application/json; charset=utf-8'],
      ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ] as const) {
      const answer = await readLink(setup, token, ending);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      await answer.arrayBuffer();
    }
    expect((await readLink(setup, token, 'csv', { method: 'POST' })).status).toBe(405);
    const entry = setup.logs.findLast(({ route }) => route === '/links/:file');
    expect(entry).toMatchObject({ status: 200, workspace_id: ann.workspace_id, credits_charged: 0 });
    expect(JSON.stringify(setup.logs)).not.toContain(token);
  });

  test('a data link answers HEAD like GET, without a body', async () => {
    const { token } = await makeLink(setup, ann, all);
    const head = await readLink(setup, token, 'csv', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'text/csv; charset=utf-8',
      '',
    ]);
  });

  test('a data link counts its reads and stores the time of the last one', async () => {
    const { token, link_id } = await makeLink(setup, ann, all);
    for (let read = 0; read < 3; read += 1) await (await readLink(setup, token)).text();
    const link = (await listDataLinks(setup.db.sql, ann.workspace_id, setup.clock.now)).find(
      (one) => one.link_id === link_id,
    );
    expect(link).toMatchObject({ reads: 3, last_read_at: setup.clock.now });
  });

  test('a data link stops immediately when it is revoked, replaced or expired, and one sentence says why', async () => {
    const revoked = await makeLink(setup, ann, all);
    await revokeDataLink(setup.db.sql, { workspace_id: ann.workspace_id, link_id: revoked.link_id }, setup.clock.now);
    const gone = await readLink(setup, revoked.token);
    expect([gone.status, gone.headers.get('content-type')]).toEqual([410, 'text/plain; charset=utf-8']);
    expect(await gone.text()).toBe('This data link was revoked. Ask its owner for a new one.\n');

    const old = await makeLink(setup, ann, all);
    const replaced = await replaceDataLinkSecret(setup.db.sql, ann.workspace_id, old.link_id, setup.clock.now);
    expect((await readLink(setup, old.token)).status).toBe(404);
    expect((await readLink(setup, replaced?.token ?? '')).status).toBe(200);

    const short = await makeLink(setup, ann, { ...all, expires_at: new Date(setup.clock.now.getTime() + 60_000) });
    expect((await readLink(setup, short.token)).status).toBe(200);
    forward(1);
    const expired = await readLink(setup, short.token);
    expect([expired.status, await expired.text()]).toEqual([
      410,
      'This data link has expired. Ask its owner for a new one.\n',
    ]);
  });

  test('a data link whose list was deleted says so in one sentence', async () => {
    const listId = (await addList(setup.db.sql, ann.workspace_id, 'Short-lived', 10)) ?? '';
    const { token } = await makeLink(setup, ann, { content: { kind: 'history', list_id: listId } });
    expect((await readLink(setup, token)).status).toBe(200);
    await removeList(setup.db.sql, ann.workspace_id, listId);
    const answer = await readLink(setup, token);
    expect([answer.status, await answer.text()]).toEqual([
      410,
      'The list that this link showed was deleted. Ask the owner of the link for a new link.\n',
    ]);
  });

  test('a data link is read at most 60 times an hour, even by requests at the same time, and says how long to wait', async () => {
    const { token } = await makeLink(setup, ann, all);
    const other = await makeLink(setup, ann, all);
    const answers = await Promise.all(
      Array.from({ length: linkReads.limit + 5 }, () => readLink(setup, token, 'csv', { method: 'HEAD' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(linkReads.limit);
    const refused = await readLink(setup, token);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600']);
    expect(await refused.text()).toBe(
      'This data link was read 60 times within an hour. Read it again in 60 minutes.\n',
    );
    expect((await readLink(setup, other.token)).status).toBe(200);
    forward(60);
    expect((await readLink(setup, token)).status).toBe(200);
  });
});

describe('an address without a data link', () => {
  test('an address without a data link gets 404, and after 30 attempts 429, while existing links stay readable from there', async () => {
    const { token } = await makeLink(setup, ann, all);
    const madeUp = () => randomBytes(32).toString('base64url');
    const first = await readLink(setup, madeUp());
    expect([first.status, await first.text()]).toEqual([
      404,
      'There is no data link at this address. Copy the whole address, or ask its owner for a new link.\n',
    ]);
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < 30; attempt += 1) statuses.add((await readLink(setup, madeUp())).status);
    expect([...statuses]).toEqual([404, 429]);
    expect((await readLink(setup, token)).status).toBe(200);
  });

  test('an unknown ending, a malformed secret and an API key are no addresses of a data link', async () => {
    forward(11);
    const { token } = await makeLink(setup, ann, all);
    for (const file of [
      `${token}.pdf`,
      token,
      `${token.slice(1)}.csv`,
      `${token}.csv.csv`,
      '%00.csv',
      `tide_live_${token}.csv`,
    ]) {
      expect([file, (await fetch(`${setup.base_url}/links/${file}`)).status]).toEqual([file, 404]);
    }
  });

  test('the secret of a data link is not an API key', async () => {
    const { token } = await makeLink(setup, ann, {
      content: { kind: 'profiles', urls: ['https://www.instagram.com/someone/'], fields: null },
      refresh: { max_age: '1d', monthly_cap: 10 },
    });
    const answer = await fetch(`${setup.base_url}/v1/credit/balance`, { headers: { 'x-api-key': token } });
    expect(answer.status).toBe(401);
  });
});
