import type { Sql } from 'postgres';
import { z } from 'zod';
import { campaignStatuses, type ListedCampaign, listCampaigns } from '../../db/campaigns/campaigns.ts';
import { frozenReport } from '../../db/campaigns/reports.ts';
import { isId, maxCampaigns } from '../../pipeline/campaigns/campaigns.ts';
import { reportCsv } from '../../pipeline/report/csv.ts';
import { runningReport } from '../../pipeline/report/load.ts';
import type { Report } from '../../pipeline/report/report.ts';
import type { Parameter } from '../data/parameter.ts';
import { readParameters } from '../data/request.ts';
import { attachmentHeaders } from '../http/attachment.ts';
import { invalidInput, RequestError } from '../http/errors.ts';
import type { Call, KeyedHandler, Reply } from '../http/responses.ts';

export interface CampaignDeps {
  now: () => Date;
  db: { sql: Sql };
}

export const campaignsParameters: Record<string, Parameter> = {
  status: {
    schema: z.enum(campaignStatuses, { error: `must be one of ${campaignStatuses.join(', ')}` }).optional(),
    description: 'campaigns of this state only',
    example: 'active',
  },
};

const rowId = (what: string) => z.string().refine(isId, `must be the id of ${what}, as it is shown there`);

/** Parameters of the campaign report; `id` is required. */
export const reportParameters: Record<string, Parameter> = {
  id: {
    schema: rowId('a campaign'),
    description: 'id of a campaign of the workspace',
    example: '0193481a-0000-7000-8000-000000000000',
  },
  report_id: {
    schema: rowId('a report').optional(),
    description: 'a finished weekly report; without it the newest one, or the running period while there is none',
    example: '',
  },
  format: {
    schema: z.enum(['json', 'csv'], { error: 'must be json or csv' }).default('json'),
    description: 'csv gives one row an item, then the totals row',
    example: 'csv',
  },
};

/** `GET /v1/workflows/campaigns`: the workspace's campaigns, newest first, for pickers; free. */
export function campaignsWorkflow({ db }: CampaignDeps): KeyedHandler {
  return async (call) => {
    requireProduction(call);
    const { values, details } = readParameters(call.query, campaignsParameters);
    if (details.length > 0) throw invalidInput(details);
    const status = (values.status as ListedCampaign['status'] | undefined) ?? null;
    const campaigns = await listCampaigns(db.sql, call.admission.workspace_id, status);
    const pagination = { next_cursor: null, limit: maxCampaigns };
    return freeReply(JSON.stringify({ items: campaigns.map(pickable), pagination }), call);
  };
}

function pickable({ campaign_id, created_at, ...campaign }: ListedCampaign) {
  return { id: campaign_id, ...campaign, created_at: created_at.getTime() };
}

/** `GET /v1/workflows/campaign-report`: the frozen report asked for, byte for byte as it was kept, or the running period; free. */
export function campaignReport({ db, now }: CampaignDeps): KeyedHandler {
  return async (call) => {
    requireProduction(call);
    const { values, details } = readParameters(call.query, reportParameters);
    if (!Object.hasOwn(call.query, 'id')) details.push({ parameter: 'id', message: 'is required' });
    if (details.length > 0) throw invalidInput(details);
    if (call.admission.tier === 'air') throw new RequestError('PAID_ACCESS_REQUIRED');
    const { id, report_id = null, format } = values as { id: string; report_id?: string; format: string };
    const body = await reportText(id, report_id, call, { db, now });
    return format === 'csv' ? csvReply(body, call) : freeReply(body, call);
  };
}

/** JSON text of the report. */
async function reportText(id: string, reportId: string | null, call: Call, deps: CampaignDeps): Promise<string> {
  const { workspace_id, tier } = call.admission;
  const frozen = await frozenReport(deps.db.sql, workspace_id, id, reportId);
  if (frozen !== null) return frozen;
  const question = { workspace_id, campaign_id: id, tier, now: deps.now() };
  const running = reportId === null ? await runningReport(deps.db.sql, question) : null;
  if (running) return JSON.stringify(running);
  const message = `This workspace has no such campaign${reportId === null ? '' : ' with a finished report of that id'}.`;
  throw new RequestError('RESOURCE_NOT_FOUND', { message });
}

function requireProduction({ admission }: Call): void {
  if (admission.kind === 'test') throw new RequestError('PRODUCTION_KEY_REQUIRED');
}

function freeReply(data: string, { request_id, admission }: Call): Reply {
  const sum = { cached: false, credits_charged: 0, credits_remaining: admission.balance };
  const meta = JSON.stringify({ request_id, ...sum, sandbox: false });
  return { body: `{"data":${data},"meta":${meta}}`, ...sum };
}

function csvReply(body: string, { admission }: Call): Reply {
  const report = JSON.parse(body) as Report;
  const day = new Date(report.period_start).toISOString().slice(0, 10);
  return {
    body: reportCsv(report),
    headers: attachmentHeaders(`campaign-report-${day}`, 'csv'),
    cached: false,
    credits_charged: 0,
    credits_remaining: admission.balance,
  };
}
