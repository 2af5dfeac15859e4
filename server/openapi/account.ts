import { tierNames } from '../../db/tier.ts';
import { errorResponses, keyedStatuses, success } from './headers.ts';
import { type Json, nullable, object, reference, textType, wholeType } from './parts.ts';

const count = { type: 'integer', minimum: 0 };

const key = object({
  kind: { enum: ['live', 'test', 'sheet'] },
  name: textType,
  last_four: { type: 'string', description: 'last four characters of the key' },
  monthly_cap: {
    ...nullable(count),
    description: 'credits that this key may spend in a UTC month; null without a cap',
  },
  cap_used: {
    ...nullable(count),
    description: 'credits that this key and the keys that it replaced have spent in this UTC month; null without a cap',
  },
});

const balance = object({
  data: object({
    credits_remaining: wholeType,
    workspace: { type: 'string', description: 'name of the workspace that pays for requests with this key' },
    tier: { enum: [...tierNames] },
    key,
  }),
  meta: reference('Meta'),
});

/** Returns the OpenAPI path of the credit balance. */
export function accountPaths(): Json {
  return {
    '/v1/credit/balance': {
      get: {
        operationId: 'getCreditBalance',
        summary: 'Credits left in the workspace',
        description: 'Free, with any kind of key. The answer never contains the key itself.',
        tags: ['account'],
        responses: { ...success('the balance', balance), ...errorResponses([400, ...keyedStatuses]) },
      },
    },
  };
}
