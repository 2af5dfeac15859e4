import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deliveriesPerPage, listDeliveries } from '../../../db/deliveries/webhook-deliveries.ts';
import { listEndpoints } from '../../../db/deliveries/webhooks.ts';
import { createDeliverWebhooks } from '../../../pipeline/jobs/deliver-webhooks.ts';
import type { Outbound, OutboundAnswer } from '../../../pipeline/network/outbound.ts';
import type { JobContext } from '../../../pipeline/queue/job.ts';
import { silentLog } from '../../setup/test-database.ts';
import { sendForm } from '../campaigns/campaign-workspace.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());
afterEach(() => expect(setup.errors).toEqual([]));

const area = '/dashboard/settings/webhooks';
const url = 'https://receiver.example/hook?secret=path';
const textOf = (page: string) => page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const pageOf = async (member: Member, path: string) => textOf(await (await member.get(path)).text());
const endpointsOf = ({ workspace_id }: Member) => listEndpoints(setup.db.sql, workspace_id);
const deliveriesOf = ({ workspace_id }: Member) => listDeliveries(setup.db.sql, workspace_id);

async function webhook(member: Member) {
  const answer = await sendForm(setup, member, area, [
    ['url', url],
    ['events', 'report.ready'],
    ['events', 'credits.low'],
  ]);
  const page = await answer.text();
  const secret = /whsec_[\w+/=]+/.exec(page)?.[0] ?? expect.fail('no secret is shown');
  const [endpoint] = await endpointsOf(member);
  const path = `${area}/${endpoint?.endpoint_id}`;
  return { secret, path, endpoint_id: endpoint?.endpoint_id ?? '' };
}

/** Runs the queued attempt of the newest webhook delivery. The fake receiver responds with `answer`. */
async function deliver(member: Member, answer: Partial<OutboundAnswer>) {
  const posts: Parameters<Outbound>[0][] = [];
  const job = createDeliverWebhooks(async (post) => {
    posts.push(post);
    return { status: 200, message: '', retry_after_seconds: null, ...answer };
  });
  const [newest] = await deliveriesOf(member);
  const { delivery_id, attempts } = newest ?? expect.fail('nothing was sent');
  const now = () => setup.clock.now;
  const context = { db: setup.db, queue: setup.queue, now, log: silentLog } as unknown as JobContext;
  await job.run([{ key: 'one', data: { workspace_id: member.workspace_id, delivery_id, attempts } }], context);
  return posts;
}

describe('a webhook that is created in the dashboard', () => {
  test('a new webhook shows its secret once, and the list shows its address and events', async () => {
    const ann = await setup.member();
    expect(await pageOf(ann, area)).not.toContain('Your webhooks');
    const { secret, path } = await webhook(ann);
    expect(await endpointsOf(ann)).toMatchObject([{ url, events: ['report.ready', 'credits.low'] }]);
    for (const page of [area, path]) {
      const shown = await (await ann.get(page)).text();
      expect(shown).toContain('https://receiver.example/hook?secret=path');
      expect(shown).not.toContain(secret);
    }
  });

  test.each([
    ['https://192.168.1.1/', 'Use the URL of a host on the public internet.'],
    ['https://localhost:9000/', 'Use port 443, 8443, 80 or 8080.'],
    ['http://receiver.example/', 'Use an https:// URL.'],
    ['https://user:pass@receiver.example/', 'Use a URL without user name and password.'],
    ['', 'Use a complete URL of at most 2,000 characters, without spaces and backslashes.'],
  ])(
    'a webhook with the address %s is refused with a message, and the form keeps the typed text',
    async (address, sentence) => {
      const ann = await setup.member();
      const answer = await ann.post(area, { url: address, events: 'batch.finished' });
      const page = await answer.text();
      expect([answer.status, page]).toEqual([400, expect.stringContaining(sentence)]);
      expect(page).toContain(`value="${address}"`.replace('value=""', 'name="url"'));
      expect([...page.matchAll(/value="([\w.]+)" checked/g)].map(([, event]) => event)).toEqual(['batch.finished']);
      expect(await endpointsOf(ann)).toEqual([]);
    },
  );

  test('a webhook needs an event, and a workspace has at most 10 webhooks', async () => {
    const ann = await setup.member();
    expect(await (await ann.post(area, { url })).text()).toContain('Select at least one event');
    for (let n = 0; n < 10; n += 1) await ann.post(area, { url, events: 'report.ready' });
    const answer = await ann.post(area, { url, events: 'report.ready' });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('at most 10 webhooks')]);
    expect(await endpointsOf(ann)).toHaveLength(10);
  });

  test('a webhook can be turned off and on, and is removed together with its log', async () => {
    const ann = await setup.member();
    const { path } = await webhook(ann);
    await ann.post(`${path}/test`, {});
    await ann.post(`${path}/off`, {});
    expect(await pageOf(ann, path)).toContain('Turned off at 20 Nov 2026, 10:00 UTC. Turned off in the dashboard.');
    const refused = await ann.post(`${path}/test`, {});
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('Turn it on first')]);
    await ann.post(`${path}/on`, {});
    expect(await endpointsOf(ann)).toMatchObject([{ disabled_at: null }]);
    await ann.post(`${path}/remove`, {});
    expect([await endpointsOf(ann), await deliveriesOf(ann)]).toEqual([[], []]);
    expect((await ann.get(path)).status).toBe(404);
  });
});

describe('the delivery log of a webhook', () => {
  test('the log of a webhook shows status, attempts, last answer and time of each message', async () => {
    const ann = await setup.member();
    const { path } = await webhook(ann);
    expect(await pageOf(ann, path)).toContain('No messages yet.');
    await ann.post(`${path}/test`, {});
    expect(await pageOf(ann, path)).toMatch(/20 Nov 2026, 10:00 waiting webhook\.test 0 – /);
    const [post] = await deliver(ann, { status: 503, message: 'come <b>back</b> later' });
    expect(post?.url).toBe(url);
    expect(await pageOf(ann, path)).toMatch(/waiting webhook\.test 1 503 come &lt;b&gt;back&lt;\/b&gt; later/);
    await deliver(ann, { status: null, message: 'No answer within 15 seconds.' });
    expect(await pageOf(ann, path)).toMatch(/waiting webhook\.test 2 – No answer within 15 seconds\./);
    await deliver(ann, { status: 204 });
    expect(await pageOf(ann, path)).toMatch(/delivered webhook\.test 3 204 /);
  });

  test('a finished webhook message is sent again once with its own id, even after repeated clicks', async () => {
    const ann = await setup.member();
    const { path } = await webhook(ann);
    await ann.post(`${path}/test`, {});
    const [{ delivery_id } = { delivery_id: '' }] = await deliveriesOf(ann);
    const again = `${path}/deliveries/${delivery_id}/again`;
    expect((await ann.post(again, {})).status).toBe(409);
    const [first] = await deliver(ann, { status: 410, message: 'Gone' });
    expect(await deliveriesOf(ann)).toMatchObject([{ status: 'failed', attempts: 1, last_status: 410 }]);
    // A webhook whose receiver answered 410 is turned off, so the message cannot be sent again.
    expect((await ann.post(again, {})).status).toBe(409);
    await ann.post(`${path}/on`, {});
    const pressed = await Promise.all([1, 2, 3].map(() => ann.post(again, {})));
    expect(pressed.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
    const [second] = await deliver(ann, { status: 204 });
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(await deliveriesOf(ann)).toMatchObject([{ status: 'delivered', attempts: 1, last_status: 204 }]);
  });

  test('the log of a webhook shows by itself the result of an old message that is sent again, for at most 3 minutes', async () => {
    const ann = await setup.member();
    const { path } = await webhook(ann);
    await ann.post(`${path}/test`, {});
    await deliver(ann, { status: 204 });
    const started = setup.clock.now;
    setup.clock.now = new Date(started.getTime() + 86_400_000);
    try {
      const [{ delivery_id } = { delivery_id: '' }] = await deliveriesOf(ann);
      const answer = await ann.post(`${path}/deliveries/${delivery_id}/again`, {});
      const location = answer.headers.get('location') ?? expect.fail('no location');
      const page = async () => (await ann.get(location)).text();
      const waiting = await page();
      expect(waiting).toMatch(/<div id="messages" data-hx-get="[^"]*" data-hx-trigger="every/);
      expect(waiting).toMatch(/<noscript>.*Reload this page.*<\/noscript>/);
      setup.clock.now = new Date(setup.clock.now.getTime() + 181_000);
      expect(await page()).toContain('<div id="messages"><');
      setup.clock.now = new Date(setup.clock.now.getTime() - 100_000);
      await deliver(ann, { status: 204 });
      expect(await page()).toContain('<div id="messages"><');
    } finally {
      setup.clock.now = started;
    }
  });

  test('at most 20 webhook messages are sent by hand in 10 minutes, even from many windows at once', async () => {
    const ann = await setup.member();
    const { path } = await webhook(ann);
    const sent = await Promise.all(Array.from({ length: 25 }, () => ann.post(`${path}/test`, {})));
    expect(sent.map(({ status }) => status).sort()).toEqual([...Array(20).fill(303), ...Array(5).fill(429)]);
    expect(await deliveriesOf(ann)).toHaveLength(20);
    const [first] = await deliveriesOf(ann);
    await deliver(ann, { status: 200 });
    const again = await ann.post(`${path}/deliveries/${first?.delivery_id}/again`, {});
    expect(again.status).toBe(429);
    expect(await again.text()).toContain('You can send 20 messages by hand in 10 minutes. Try again in 10 min.');
    const other = await setup.member();
    expect((await other.post(`${(await webhook(other)).path}/test`, {})).status).toBe(303);
  });

  test('the log of a webhook has pages, newest first', async () => {
    const ann = await setup.member();
    const { path, endpoint_id } = await webhook(ann);
    const { workspace_id } = ann;
    const { sql } = setup.db;
    await sql`
      insert into webhook_deliveries (workspace_id, delivery_id, endpoint_id, event, body, created_at)
      select ${workspace_id}, lpad(to_hex(n), 32, '0')::uuid, ${endpoint_id}, 'event.' || n, '{}', ${setup.clock.now}
      from generate_series(1, ${deliveriesPerPage + 5}) n`;
    const first = await (await ann.get(path)).text();
    expect(first.match(/event\.\d+/g)).toHaveLength(deliveriesPerPage);
    expect(first).toContain(`event.${deliveriesPerPage + 5}<`);
    const older = /href="([^"]+before=[^"]+)"/.exec(first)?.[1] ?? expect.fail('no link to older messages');
    expect((await (await ann.get(older)).text()).match(/event\.\d+/g)).toEqual(
      [5, 4, 3, 2, 1].map((n) => `event.${n}`),
    );
    expect((await ann.get(`${path}?before=nonsense`)).status).toBe(404);
  });
});
