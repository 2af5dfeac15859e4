import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { listDeliveries } from '../../../db/deliveries/webhook-deliveries.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import { createDeliverWebhooks } from '../../../pipeline/jobs/deliver-webhooks.ts';
import { createOutbound } from '../../../pipeline/network/outbound.ts';
import { announce, createEndpoint, type WebhookEvent } from '../../../pipeline/notify/webhooks.ts';
import type { JobContext, JobItem } from '../../../pipeline/queue/job.ts';
import { createTestDatabase, silentLog } from '../../setup/test-database.ts';

export const local = { https_only: false, private_addresses: true };
export const post = createOutbound({ rules: local });
export const deliverWebhooks = createDeliverWebhooks(post);

/** The data of the webhook event that {@link createJobSetup} sends. */
export const data = { report_id: 'r1', campaign_id: 'c1' };

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

/**
 * Starts a webhook receiver on this machine for the duration of the test. The receiver sends each answer once and
 * repeats the last one.
 */
export async function startReceiver(...answers: Reply[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const {
      status,
      headers = {},
      body = '',
    } = answers[Math.min(received.length, answers.length - 1)] ?? { status: 204 };
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status, headers).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => new Promise((resolve) => server.close(resolve));
  onTestFinished(() => void close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    close,
  };
}

/** Creates a job context with its own database. The queue only stores jobs; the test itself runs them. */
export async function createJobSetup() {
  const db = await createTestDatabase();
  const clock = { now: new Date() };
  const now = () => clock.now;
  const queued: (JobItem & { job: string })[] = [];
  const context: JobContext = {
    db,
    now,
    queue: {
      async send(job, items) {
        queued.push(...items.map((item) => ({ ...item, job })));
      },
    },
    sources: {
      fetch: () => Promise.reject(new Error('this test calls no source')),
      config: readSourcesConfig({}),
      now,
      breakers: createBreakers({ now, enabled: false }),
    },
    base_url: 'http://tidemark.test',
    log: silentLog,
    signal: new AbortController().signal,
  };
  async function workspace(credits = 0): Promise<string> {
    return (await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'invented', credits }))).workspace_id;
  }
  async function endpoint(workspaceId: string, url: string, events: WebhookEvent[] = ['report.ready']) {
    const made = await createEndpoint(db.sql, workspaceId, { url, events }, local);
    if (!made.ok) throw new Error(made.message);
    return made;
  }
  return {
    db,
    clock,
    context,
    queued,
    workspace,
    endpoint,
    /** Creates a workspace with one webhook endpoint at a receiver, and sends one event to it. */
    async announced(...answers: Reply[]) {
      const receiver = await startReceiver(...answers);
      const workspaceId = await workspace();
      const { endpoint_id, secret } = await endpoint(workspaceId, receiver.url);
      await announce(context, db.sql, workspaceId, 'report.ready', data);
      const delivery = async () => (await listDeliveries(db.sql, workspaceId))[0] ?? expect.fail('no delivery');
      return { ...receiver, workspace_id: workspaceId, endpoint_id, secret, delivery };
    },
    /** Runs the webhook deliveries that are queued now. */
    runQueued: () => deliverWebhooks.run(queued.splice(0), context),
    reset() {
      queued.length = 0;
      clock.now = new Date();
    },
  };
}
