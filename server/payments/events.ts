import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { answerRequest, type WriteLog } from '../http/request-log.ts';
import { OrderError, type Payments, SignatureError } from './payments.ts';

const maxEventBytes = 512 * 1024;
const path = '/payments/stripe';

/**
 * Mounts the endpoint that Stripe posts its events to. An event without a valid signature gets 400. When processing fails it
 * gets 500, so that Stripe sends the event again. An order that contradicts the packs gets 422, which Stripe shows to the operator.
 */
export function mountPaymentEvents(app: Hono, payments: Payments, log: WriteLog): void {
  const tooLarge = `An event can have at most ${maxEventBytes / 1024} kB.`;
  app.post(path, bodyLimit({ maxSize: maxEventBytes, onError: () => answer(tooLarge, 413) }), (c) =>
    answerRequest({
      request: c.req.raw,
      route: path,
      log,
      answer: async () =>
        answer(await payments.handleEvent(await c.req.text(), c.req.header('stripe-signature') ?? ''), 200),
      failed: (error) => {
        if (error instanceof SignatureError) return answer(error.message, 400);
        return error instanceof OrderError ? answer(error.message, 422) : answer(failed, 500);
      },
    }),
  );
}

const failed = 'The event could not be processed because of an error on our side. Send it again.';

function answer(outcome: string, status: number): Response {
  return Response.json({ outcome }, { status, headers: { 'cache-control': 'no-store' } });
}
