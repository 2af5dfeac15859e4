import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { listDeliveries } from '../../../db/deliveries/webhook-deliveries.ts';
import { listEndpoints, removeEndpoint } from '../../../db/deliveries/webhooks.ts';
import { moveCredits } from '../../../db/money/ledger.ts';
import { retryDelaysS } from '../../../pipeline/jobs/deliver-webhooks.ts';
import { publicAddresses } from '../../../pipeline/network/outbound.ts';
import {
  announce,
  announceLowBalance,
  createEndpoint,
  sendTest,
  webhookEvents,
} from '../../../pipeline/notify/webhooks.ts';
import { collide } from '../../setup/lock-waits.ts';
import { createJobSetup, data, deliverWebhooks, local } from './webhook-receiver.ts';

let setup: Awaited<ReturnType<typeof createJobSetup>>;
beforeAll(async () => {
  setup = await createJobSetup();
});
afterAll(() => setup.db.close());
afterEach(() => setup.reset());

describe('a webhook endpoint', () => {
  test('a webhook endpoint that answers 410 is switched off with the reason and gets no more deliveries', async () => {
    const { received, workspace_id, delivery } = await setup.announced({ status: 410 });
    setup.clock.now = new Date(setup.clock.now.getTime() + 1_000);
    await announce(setup.context, setup.db.sql, workspace_id, 'report.ready', { second: true });
    const [first, second] = setup.queued.splice(0);
    await deliverWebhooks.run([first ?? expect.fail('not queued')], setup.context);
    await deliverWebhooks.run([second ?? expect.fail('not queued')], setup.context);
    expect(received).toHaveLength(1);
    const [endpoint] = await listEndpoints(setup.db.sql, workspace_id);
    expect(endpoint).toMatchObject({
      disabled_at: setup.clock.now,
      disabled_reason: 'The receiver answered 410 Gone.',
    });
    expect(await delivery()).toMatchObject({
      status: 'failed',
      attempts: 0,
      last_message: 'The endpoint is switched off.',
    });
    await announce(setup.context, setup.db.sql, workspace_id, 'report.ready', { third: true });
    expect(setup.queued).toEqual([]);
  });

  test('a webhook endpoint can be removed while it answers 410', async () => {
    const { workspace_id, endpoint_id } = await setup.announced({ status: 410 });
    const [removed] = await collide(
      setup.db.sql,
      (tx) =>
        tx`select from webhook_endpoints where workspace_id = ${workspace_id} and endpoint_id = ${endpoint_id} for update`,
      () => removeEndpoint(setup.db.sql, workspace_id, endpoint_id),
      () => setup.runQueued(),
    );
    expect(removed).toBe(true);
  });

  test('a webhook endpoint that is removed loses its deliveries', async () => {
    const { received, workspace_id, endpoint_id } = await setup.announced({ status: 204 });
    expect(await removeEndpoint(setup.db.sql, workspace_id, endpoint_id)).toBe(true);
    await setup.runQueued();
    expect(received).toEqual([]);
  });

  test('a webhook endpoint gets a signed test message without a subscription to an event', async () => {
    const { received, workspace_id, endpoint_id, secret } = await setup.announced({ status: 204 });
    setup.queued.length = 0;
    expect(await sendTest(setup.context, workspace_id, endpoint_id)).not.toBeNull();
    await setup.runQueued();
    const { headers, body } = received[0] ?? expect.fail('nothing came');
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ type: 'webhook.test' });
    expect(await sendTest(setup.context, await setup.workspace(), endpoint_id)).toBeNull();
  });

  test('a webhook endpoint has its own secret, which lists do not show', async () => {
    const workspaceId = await setup.workspace();
    const made = [
      await setup.endpoint(workspaceId, 'https://a.example/'),
      await setup.endpoint(workspaceId, 'https://a.example/'),
    ];
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(2);
    expect(made[0]?.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(JSON.stringify(await listEndpoints(setup.db.sql, workspaceId))).not.toContain('whsec_');
  });

  test.each([
    ['a private address', 'https://192.168.1.1/', ['report.ready'], 'url', /public internet/],
    ['plain http', 'http://a.example/', ['report.ready'], 'url', /https/],
    ['no event', 'https://a.example/', [], 'events', /at least one event/],
    [
      'an unknown event',
      'https://a.example/',
      ['report.made'],
      'events',
      /no event report.made: choose from check.completed/,
    ],
  ])('a webhook endpoint is refused with %s', async (_, url, events, field, message) => {
    const made = await createEndpoint(setup.db.sql, await setup.workspace(), { url, events }, publicAddresses);
    expect(made).toEqual({ ok: false, field, message: expect.stringMatching(message) });
  });

  test('a workspace cannot have more than ten webhook endpoints, even by concurrent requests', async () => {
    const workspaceId = await setup.workspace();
    const input = { url: 'https://a.example/', events: webhookEvents };
    const results = Array.from({ length: 25 }, () => createEndpoint(setup.db.sql, workspaceId, input, local));
    expect((await Promise.all(results)).filter(({ ok }) => ok)).toHaveLength(10);
    expect(await listEndpoints(setup.db.sql, workspaceId)).toHaveLength(10);
  });
});

describe('the webhook event credits.low', () => {
  const alerted = async (credits: number, lowBalanceAlert: number) => {
    const workspaceId = await setup.workspace(credits);
    await setup.endpoint(workspaceId, 'https://a.example/', ['credits.low']);
    await setup.db
      .sql`insert into work_settings ${setup.db.sql({ workspace_id: workspaceId, low_balance_alert: lowBalanceAlert })}`;
    const move = (credits: number) =>
      moveCredits(setup.db.sql, workspaceId, { kind: 'adjustment', credits, reason: 'test' });
    const sent = async () => {
      setup.clock.now = new Date(setup.clock.now.getTime() + 1_000);
      await announceLowBalance(setup.context, workspaceId);
      return (await listDeliveries(setup.db.sql, workspaceId))
        .map(({ body }) => JSON.parse(body).data.balance)
        .reverse();
    };
    return { workspace_id: workspaceId, move, sent };
  };

  test('credits.low is sent once when the balance falls below the alert, and again only after it was above', async () => {
    const { move, sent } = await alerted(12, 10);
    expect(await sent()).toEqual([]);
    await move(-2);
    expect(await sent()).toEqual([]);
    await move(-1);
    expect(await sent()).toEqual([9]);
    await move(-3);
    expect(await sent()).toEqual([9]);
    await move(3);
    expect(await sent()).toEqual([9]);
    await move(1);
    await move(-4);
    expect(await sent()).toEqual([9, 6]);
  });

  test('credits.low is sent once when several charges end at the same time', async () => {
    const { workspace_id, sent } = await alerted(5, 10);
    await Promise.all(Array.from({ length: 8 }, () => announceLowBalance(setup.context, workspace_id)));
    expect(await sent()).toEqual([5]);
  });

  test('credits.low is not sent without an alert', async () => {
    const workspaceId = await setup.workspace(1);
    await setup.endpoint(workspaceId, 'https://a.example/', ['credits.low']);
    await announceLowBalance(setup.context, workspaceId);
    expect(await listDeliveries(setup.db.sql, workspaceId)).toEqual([]);
  });
});

describe('docs/webhooks.md', () => {
  const documentation = readFile(resolve('docs/webhooks.md'), 'utf8');

  /** Loads the code sample of docs/webhooks.md as a module, in a folder with the packages that the sample imports. */
  async function sample(secret: string): Promise<(request: Request) => Promise<Response>> {
    const code = /```ts\n([\s\S]+?)```/.exec(await documentation)?.[1] ?? expect.fail('no sample');
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-sample-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'sample.ts'), code);
    process.env.WEBHOOK_SECRET = secret;
    return (await import(pathToFileURL(join(folder, 'sample.ts')).href)).receive;
  }

  test('the code sample of docs/webhooks.md accepts our messages and refuses changed ones', async () => {
    const { received, secret } = await setup.announced({ status: 204 });
    await setup.runQueued();
    const { headers, body } = received[0] ?? expect.fail('nothing came');
    const receive = await sample(secret);
    const print = vi.spyOn(console, 'log').mockReturnValue();
    onTestFinished(() => print.mockRestore());
    const request = (body: string) =>
      new Request('https://a.example/', { method: 'POST', headers: headers as Record<string, string>, body });
    expect((await receive(request(body))).status).toBe(204);
    expect((await receive(request(body.replace('r1', 'r2')))).status).toBe(400);
    expect(print.mock.calls).toEqual([[headers['webhook-id'], 'report.ready', data]]);
  });

  test('docs/webhooks.md lists every event and every pause between attempts', async () => {
    const text = await documentation;
    for (const event of webhookEvents) expect(text).toContain(`\`${event}\``);
    const words = retryDelaysS.map((seconds) =>
      seconds < 60 ? `${seconds} s` : seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`,
    );
    expect(text).toContain(words.join(', '));
  });
});
