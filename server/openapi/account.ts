import { errorResponses, keyedStatuses, success } from './headers.ts';
import { type Json, nullable, object, reference, text, whole } from './parts.ts';

const count = { type: 'integer', minimum: 0 };

const key = object({
  kind: { enum: ['live', 'test', 'sheet'] },
  name: text,
  last_four: { type: 'string', description: 'last four characters of the key' },
  monthly_cap: { ...nullable(count), description: 'credits that a UTC month may cost through this key' },
  cap_used: { ...nullable(count), description: 'credits of this UTC month; null without a cap' },
});

const balance = object({
  data: object({
    credits_remaining: whole,
    workspace: { type: 'string', description: 'name of the workspace whose credits the key spends' },
    tier: { enum: ['air', 'pro', 'pro_max', 'ultra'] },
    key,
  }),
  meta: reference('Meta'),
});

/** The route of the balance. */
export function accountPaths(): Json {
  return {
    '/v1/credit/balance': {
      get: {
        operationId: 'getCreditBalance',
        summary: 'Credits left, and whose they are',
        description: 'Free; every kind of key. The key itself is never shown.',
        tags: ['account'],
        responses: { ...success('the balance', balance), ...errorResponses([400, ...keyedStatuses]) },
      },
    },
  };
}
