import { createServer } from 'node:http';
import Stripe from 'stripe';
import { createBreakers } from '../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../pipeline/collect/sources.ts';
import { trackCheck } from '../../pipeline/jobs/track-check.ts';
import { trackSweep } from '../../pipeline/jobs/track-sweep.ts';
import type { Fetcher, UpstreamAnswer, UpstreamRequest } from '../../pipeline/network/fetcher.ts';
import type { JobContext, JobItem } from '../../pipeline/queue/job.ts';
import type { PaymentsConfig } from '../../server/payments/payments.ts';
import { silentLog } from '../setup/test-database.ts';
import type { DashboardSetup } from './dashboard-server.ts';

const paymentSecrets = { secret_key: 'sk_test_invented', webhook_secret: 'whsec_invented_for_this_test' };
/** Address of the payment page of the fake payment service. */
export const paymentPage = 'https://checkout.stripe.com/c/pay/cs_test_life';

export interface PaymentService {
  config: PaymentsConfig;
  /** Orders that the fake payment service received. */
  orders: URLSearchParams[];
  /** Sends the server a signed payment event for the newest order, as when it has been paid. */
  pay(baseUrl: string): Promise<Response>;
  close(): Promise<unknown>;
}

/** Starts a fake payment service that accepts orders and posts payment events. */
export async function startPaymentService(): Promise<PaymentService> {
  const orders: URLSearchParams[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    orders.push(new URLSearchParams(body));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'cs_test_life', object: 'checkout.session', url: paymentPage }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    config: { ...paymentSecrets, api: { protocol: 'http', host: '127.0.0.1', port: address.port } },
    orders,
    pay(baseUrl) {
      const payload = JSON.stringify(paidEvent(orders.at(-1) ?? new URLSearchParams()));
      const header = new Stripe(paymentSecrets.secret_key).webhooks.generateTestHeaderString({
        payload,
        secret: paymentSecrets.webhook_secret,
      });
      return fetch(`${baseUrl}/payments/stripe`, {
        method: 'POST',
        body: payload,
        headers: { 'stripe-signature': header },
      });
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function paidEvent(order: URLSearchParams) {
  const names = ['workspace_id', 'pack', 'credits'];
  const object = {
    id: 'cs_test_life',
    object: 'checkout.session',
    payment_intent: 'pi_test_life',
    payment_status: 'paid',
    amount_total: Number(order.get('line_items[0][price_data][unit_amount]')),
    currency: order.get('line_items[0][price_data][currency]'),
    metadata: Object.fromEntries(names.map((name) => [name, order.get(`metadata[${name}]`)])),
  };
  return { id: 'evt_test_life', object: 'event', type: 'checkout.session.completed', data: { object } };
}

/** The day of November 2026 on which Instagram refuses requests. On the day after, TikTok rounds its numbers. */
export const refusedDay = 18;
export const roundedDay = 19;

/** Numbers of followers of the invented Instagram and TikTok accounts, by day of November 2026. */
export const followersOn = {
  photo: (day: number) => 4_321 + 37 * (day - 16),
  shortvideo: (day: number) => (day === roundedDay ? 24_300 : 24_018 + 83 * (day - 16)),
};

/** Fakes the answers of Instagram and TikTok. Instagram handles that begin with `lost` do not exist. */
export function growingUpstream(now: () => Date): (request: UpstreamRequest) => Partial<UpstreamAnswer> | null {
  return ({ url }) => {
    const day = now().getUTCDate();
    if (url.includes('tiktok')) return { body: Buffer.from(shortvideoPage(followersOn.shortvideo(day))) };
    const handle = new URL(url).searchParams.get('username') ?? '';
    if (handle.startsWith('lost')) return { status: 404, body: Buffer.from('') };
    if (handle !== 'tide.pool') return null;
    if (day === refusedDay) return { status: 403, body: Buffer.from('') };
    const user = {
      id: '9007199254740993',
      username: handle,
      full_name: 'Tide Pool',
      edge_followed_by: { count: followersOn.photo(day) },
      edge_follow: { count: 12 },
      edge_owner_to_timeline_media: { count: day, page_info: {}, edges: [] },
    };
    return { body: Buffer.from(JSON.stringify({ data: { user } })) };
  };
}

function shortvideoPage(followerCount: number): string {
  const user = { id: '7200000000000000001', uniqueId: 'kelp.forest', nickname: 'Kelp Forest', signature: '' };
  const stats = { followerCount, followingCount: 7, videoCount: 31, heartCount: 9_876 };
  const state = { __DEFAULT_SCOPE__: { 'webapp.user-detail': { statusCode: 0, userInfo: { user, stats } } } };
  return `<!doctype html><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${JSON.stringify(state)}</script>`;
}

/** Returns a job context with the clock and the network of the setup. */
export function jobContext({ db, queue, clock, upstream, base_url }: DashboardSetup): JobContext {
  const now = () => clock.now;
  const breakers = createBreakers({ now, enabled: false });
  const sources = { fetch: upstream.fetch, config: readSourcesConfig({}), now, breakers };
  return { db, now, queue, sources, base_url, log: silentLog, signal: new AbortController().signal };
}

/** Queues and runs the tracking checks that are due. */
export async function runDueChecks(setup: DashboardSetup): Promise<void> {
  const due: JobItem[] = [];
  const queue: JobContext['queue'] = {
    async send(job, items) {
      if (job === 'track-check') due.push(...items);
    },
  };
  const context = jobContext(setup);
  await trackSweep.run([], { ...context, queue });
  await trackCheck.run(due, context);
}

/** Returns the setup's network, but delays requests for these handles until `release` is called. */
export function holdHandles(
  { upstream }: DashboardSetup,
  handles: readonly string[],
): { fetch: Fetcher; release(handle: string): void } {
  const gates = new Map(handles.map((handle) => [handle, Promise.withResolvers<void>()]));
  return {
    async fetch(request, signal) {
      const handle = new URL(request.url).searchParams.get('username') ?? '';
      await gates.get(handle)?.promise;
      return upstream.fetch(request, signal);
    },
    release: (handle: string) => gates.get(handle)?.resolve(),
  };
}

/** Parses a CSV without line breaks in its cells. Removes the byte order mark. */
export function csvRows(csv: string): string[][] {
  const lines = csv
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter(Boolean);
  return lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
    ),
  );
}
