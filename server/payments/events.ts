import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type RequestLog, requestIdOf } from '../http/responses.ts';
import { type Payments, SignatureError } from './payments.ts';

const maxEventBytes = 512 * 1024;
const path = '/payments/stripe';

/**
 * Mounts the endpoint that Stripe posts its events to. An event without a valid signature gets 400. When processing fails it
 * gets 500, so that Stripe sends the event again.
 */
export function mountPaymentEvents(app: Hono, payments: Payments, log: (entry: RequestLog) => void): void {
  app.post(path, bodyLimit({ maxSize: maxEventBytes }), async (c) => {
    const started = performance.now();
    let [status, outcome, error]: [number, string, unknown] = [200, '', undefined];
    try {
      outcome = await payments.handleEvent(await c.req.text(), c.req.header('stripe-signature') ?? '');
    } catch (thrown) {
      const forged = thrown instanceof SignatureError;
      [status, outcome, error] = forged
        ? [400, thrown.message, thrown]
        : [500, 'The event could not be processed because of an error on our side. Send it again.', thrown];
    }
    const entry = {
      request_id: requestIdOf(c.req.raw.headers),
      method: 'POST',
      route: path,
      status,
      code: null,
      duration_ms: Math.round(performance.now() - started),
      workspace_id: null,
      credits_charged: 0,
    };
    log(status === 500 ? { ...entry, error } : entry);
    return Response.json({ outcome }, { status, headers: { 'cache-control': 'no-store' } });
  });
}
