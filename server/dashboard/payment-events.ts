import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type Payments, SignatureError } from '../payments.ts';
import { requestIdOf } from '../replies.ts';
import type { DashboardRoutes } from './routes.ts';

const max_event_bytes = 512 * 1024;
const path = '/payments/stripe';

/** Where the payment service posts its events: refused unless it signed them, dealt with once, and asked for again when we fail. */
export function mountPaymentEvents(app: Hono, payments: Payments, { log }: Pick<DashboardRoutes, 'log'>): void {
  app.post(path, bodyLimit({ maxSize: max_event_bytes }), async (c) => {
    const started = performance.now();
    let [status, outcome, error]: [number, string, unknown] = [200, '', undefined];
    try {
      outcome = await payments.take(await c.req.text(), c.req.header('stripe-signature') ?? '');
    } catch (thrown) {
      const forged = thrown instanceof SignatureError;
      [status, outcome, error] = [
        forged ? 400 : 500,
        forged ? thrown.message : 'This is our fault: send it again.',
        thrown,
      ];
    }
    const duration_ms = Math.round(performance.now() - started);
    const entry = {
      request_id: requestIdOf(c.req.raw.headers),
      method: 'POST',
      route: path,
      status,
      duration_ms,
      workspace_id: null,
    };
    log(status === 500 ? { ...entry, error } : entry);
    return Response.json({ outcome }, { status, headers: { 'cache-control': 'no-store' } });
  });
}
