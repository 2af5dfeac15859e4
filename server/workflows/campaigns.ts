import type { Sql } from 'postgres';
import { z } from 'zod';
import { dayOf } from '../../db/calendar.ts';
import { campaignStatuses, type ListedCampaign, listCampaigns } from '../../db/campaigns/campaigns.ts';
import { frozenReport } from '../../db/campaigns/reports.ts';
import { isId } from '../../db/ids.ts';
import { maxCampaigns } from '../../pipeline/campaigns/campaigns.ts';
import { reportCsv } from '../../pipeline/report/csv.ts';
import { currentReport } from '../../pipeline/report/load.ts';
import type { Report } from '../../pipeline/report/report.ts';
import type { Parameter } from '../data/parameter.ts';
import { readParameters } from '../data/read-parameters.ts';
import { attachmentHeaders } from '../http/attachment.ts';
import { invalidInput, RequestError } from '../http/errors.ts';
import { type Call, jsonReply, type KeyedHandler, type Reply, unchargedMetering } from '../http/reply.ts';

export interface CampaignDeps {
  now: () => Date;
  db: { sql: Sql };
}

export const campaignsParameters: Record<string, Parameter> = {
  status: {
    schema: z.enum(campaignStatuses, { error: `must be one of ${campaignStatuses.join(', ')}` }).optional(),
    description: 'returns only campaigns with this status',
    example: 'active',
  },
};

const idOf = (what: string) => z.string().refine(isId, `must be the ID of ${what}, as the dashboard shows it`);

/** Parameters of the campaign report. `id` is required. */
export const reportParameters: Record<string, Parameter> = {
  id: {
    schema: idOf('a campaign'),
    description: 'ID of a campaign of the workspace',
    example: '0193481a-0000-7000-8000-000000000000',
  },
  report_id: {
    schema: idOf('a report').optional(),
    description: 'ID of a finished weekly report; by default the newest one, or the current week if none is finished',
    example: '',
  },
  format: {
    schema: z.enum(['json', 'csv'], { error: 'must be json or csv' }).default('json'),
    description: 'csv returns one row for each item, then a row of totals',
    example: 'csv',
  },
};

/**
 * Handles `GET /v1/workflows/campaigns`, which returns the campaigns of the workspace, newest first. The request is
 * free.
 */
export function campaignsWorkflow({ db }: CampaignDeps): KeyedHandler {
  return async (call) => {
    requireProduction(call);
    const { values, details } = readParameters(call.query, campaignsParameters);
    if (details.length > 0) throw invalidInput(details);
    const status = (values.status as ListedCampaign['status'] | undefined) ?? null;
    const campaigns = await listCampaigns(db.sql, call.admission.workspace_id, status);
    const pagination = { next_cursor: null, limit: maxCampaigns };
    return freeReply({ items: campaigns.map(toCampaign), pagination }, call);
  };
}

function toCampaign({ campaign_id, created_at, ...campaign }: ListedCampaign) {
  return { id: campaign_id, ...campaign, created_at: created_at.getTime() };
}

/**
 * Handles `GET /v1/workflows/campaign-report`, which returns a finished report exactly as it was stored, or the report
 * of the current week. The request is free.
 */
export function campaignReport({ db, now }: CampaignDeps): KeyedHandler {
  return async (call) => {
    requireProduction(call);
    const { values, details } = readParameters(call.query, reportParameters);
    if (!Object.hasOwn(call.query, 'id')) details.push({ parameter: 'id', message: 'is required' });
    if (details.length > 0) throw invalidInput(details);
    if (call.admission.tier === 'air') throw new RequestError('PAID_ACCESS_REQUIRED');
    const { id, report_id = null, format } = values as { id: string; report_id?: string; format: string };
    const report = await findReport(id, report_id, call, { db, now });
    return format === 'csv' ? csvReply(report, call) : freeReply(report, call);
  };
}

/**
 * Returns the report of the current week, or a finished report as the stored JSON text. Throws RESOURCE_NOT_FOUND when
 * the workspace has no such campaign or report.
 */
async function findReport(
  id: string,
  reportId: string | null,
  call: Call,
  deps: CampaignDeps,
): Promise<Report | string> {
  const { workspace_id, tier } = call.admission;
  const finished = await frozenReport(deps.db.sql, workspace_id, id, { report_id: reportId });
  if (finished !== null) return finished;
  const period = { workspace_id, campaign_id: id, tier, now: deps.now() };
  const current = reportId === null ? await currentReport(deps.db.sql, period) : null;
  if (current) return current;
  const message =
    reportId === null
      ? 'This workspace has no such campaign: check id.'
      : 'This workspace has no such campaign with a finished report of that ID: check id and report_id.';
  throw new RequestError('RESOURCE_NOT_FOUND', { message });
}

function requireProduction({ admission }: Call): void {
  if (admission.kind === 'test') throw new RequestError('PRODUCTION_KEY_REQUIRED');
}

function freeReply(data: object | string, call: Call): Reply {
  return jsonReply(data, call, unchargedMetering(call.admission));
}

function csvReply(found: Report | string, call: Call): Reply {
  const report = typeof found === 'string' ? (JSON.parse(found) as Report) : found;
  const day = dayOf(report.period_start);
  const headers = attachmentHeaders(`campaign-report-${day}`, 'csv');
  return { ...freeReply(report, call), text: () => reportCsv(report), headers };
}
