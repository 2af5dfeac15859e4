import { campaignStatuses } from '../../db/campaigns/campaigns.ts';
import { metrics } from '../../db/schema/metrics.ts';
import type { Parameter } from '../data/parameter.ts';
import { campaignsParameters, reportParameters } from '../workflows/campaigns.ts';
import { errorResponses, keyedStatuses, success } from './headers.ts';
import { type Json, nullable, object, parameterObject, reference, textType, truthType, wholeType } from './parts.ts';

const number = { type: 'number' };
const count = { type: 'integer', minimum: 0 };
const moment = { type: 'integer', description: 'Unix milliseconds' };
const uuid = { type: 'string', format: 'uuid' };
const day = { type: 'string', format: 'date' };
const list = (items: Json): Json => ({ type: 'array', items });
const status = { enum: campaignStatuses };

const byMetric = (schema: Json): Json => ({
  type: 'object',
  propertyNames: { enum: metrics },
  additionalProperties: schema,
});

const change = {
  start: nullable(count),
  end: nullable(count),
  change: nullable(wholeType),
  change_percent: nullable(number),
};
const value = object({ ...change, quality: { enum: ['exact', 'rounded', 'hidden', 'not_exposed', null] } });
const missing = { items: count, items_missing: count };
const sumQuality = { enum: ['exact', 'rounded', null] };
const total = object({ ...change, ...missing, quality: sumQuality });
const rate = { name: textType, formula: textType, percent: nullable(number) };
const gap = object({ from: moment, to: moment, cause: textType });

const item = object({
  item_id: uuid,
  platform: textType,
  kind: textType,
  url: textType,
  name: nullable(textType),
  first_observed_at: nullable(moment),
  last_observed_at: nullable(moment),
  status: { enum: ['active', 'paused', 'identity_changed'] },
  gaps: list(gap),
  metrics: byMetric(value),
  rates: list(object(rate)),
});

const point = object({ at: moment, value: nullable(count), ...missing, quality: sumQuality });

const report = object({
  report_id: nullable(uuid),
  final: truthType,
  campaign: object({ id: uuid, name: textType, status }),
  report_name: nullable(textType),
  period_start: moment,
  period_end: { ...moment, description: 'Unix milliseconds, exclusive' },
  generated_at: moment,
  history_days: count,
  partial_period: truthType,
  coverage: object({ expected_observations: count, observations: count, items: count, items_never_observed: count }),
  totals: byMetric(total),
  by_platform: list(
    object({ platform: textType, items: count, totals: byMetric(total), rates: list(object({ ...rate, ...missing })) }),
  ),
  items: list(item),
  series: list(
    object({ platform: textType, metric: { enum: metrics }, step: { enum: ['day', 'week'] }, points: list(point) }),
  ),
  notes: list(textType),
  method: textType,
});

const campaign = object({
  id: uuid,
  name: textType,
  status,
  report_name: nullable(textType),
  starts_on: day,
  ends_on: nullable(day),
  created_at: moment,
  items: count,
  newest_report_id: nullable(uuid),
});

const answerSchema = (data: Json): Json => object({ data, meta: reference('Meta') });

/** Returns the OpenAPI paths of campaigns and their reports. */
export function campaignPaths(): Json {
  const pagination = object({ next_cursor: { type: 'null' }, limit: count });
  return {
    '/v1/workflows/campaigns': {
      get: {
        operationId: 'getCampaigns',
        summary: 'The campaigns of the workspace',
        description: 'Free; needs a production key. Newest first.',
        tags: ['workflows'],
        parameters: [parameterObject('status', campaignsParameters.status as Parameter, false)],
        responses: {
          ...success('the campaigns', answerSchema(object({ items: list(campaign), pagination }))),
          ...errorResponses([400, ...keyedStatuses]),
        },
      },
    },
    '/v1/workflows/campaign-report': { get: reportOperation() },
  };
}

function reportOperation(): Json {
  const successes = success('the report', answerSchema(report), { others: { 'text/csv': { schema: textType } } });
  return {
    operationId: 'getCampaignReport',
    summary: 'A weekly report of a campaign',
    description:
      'Free; needs a production key, and the tier Pro or higher. Without report_id you get the newest finished week. Until the first week is finished, you get the current week so far. A finished report never changes. Times are Unix milliseconds.',
    tags: ['workflows'],
    parameters: Object.entries(reportParameters).map(([name, parameter]) =>
      parameterObject(name, parameter, name === 'id'),
    ),
    responses: { ...successes, ...errorResponses([400, 402, 404, ...keyedStatuses]) },
  };
}
