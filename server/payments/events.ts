import type { Hono } from 'hono';
import { asRequestError, RequestError } from '../http/errors.ts';
import { answerRequest } from '../http/handle-request.ts';
import type { ReplyDeps } from '../http/keyed.ts';
import { limitBody } from '../http/limit-body.ts';
import { errorResponse } from '../http/responses.ts';
import { OrderError } from './event-shapes.ts';
import { type Payments, SignatureError } from './payments.ts';

const maxEventBytes = 512 * 1024;
const path = '/payments/stripe';

interface PaymentEventDeps extends Pick<ReplyDeps, 'base_url' | 'requests_per_minute' | 'now' | 'log'> {
  payments: Payments;
}

/**
 * Adds the endpoint to which Stripe posts its events. After an error, Stripe posts the event again later. An event that
 * cannot be read, or whose credits differ from the pack, gets 422, which Stripe shows to the operator.
 */
export function mountPaymentEvents(app: Hono, deps: PaymentEventDeps): void {
  app.post(path, (c) =>
    answerRequest({
      request: c.req.raw,
      route: path,
      log: deps.log,
      async answer() {
        await limitBody(c, maxEventBytes);
        const signature = c.req.header('stripe-signature') ?? '';
        const outcome = await deps.payments.handleEvent(await c.req.text(), signature);
        return outcomeResponse(outcome, 200);
      },
      failed: (error, { request_id }) =>
        error instanceof OrderError
          ? outcomeResponse(error.message, 422)
          : errorResponse(eventError(error), request_id, null, deps),
    }),
  );
}

function outcomeResponse(outcome: string, status: number): Response {
  return Response.json({ outcome }, { status, headers: { 'cache-control': 'no-store' } });
}

function eventError(error: unknown): RequestError {
  return error instanceof SignatureError
    ? new RequestError('INVALID_INPUT', { message: error.message })
    : asRequestError(error);
}
