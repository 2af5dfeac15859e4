import { z } from 'zod';
import { csvOf } from '../../pipeline/csv.ts';
import { type Platform, platforms } from '../../pipeline/profile-address.ts';
import { type Cell, type ProfileColumn, profileColumns } from '../../pipeline/profile-row.ts';
import type { CursorSeal } from '../cursor.ts';
import { invalidInput } from '../errors.ts';
import type { Meter } from '../meter.ts';
import { nearest } from '../nearest.ts';
import type { Parameter } from '../parameter.ts';
import { cacheMaxAge } from '../parameters.ts';
import { type AnsweredRow, profileRow } from '../profile-workflow.ts';
import type { Call, KeyedHandler, Reply } from '../replies.ts';
import { readParameters } from '../request.ts';
import { idempotencyKeyOf } from './data.ts';

export const max_urls = 50;
const rows_at_once = 10;
/** Below the 30 seconds that a spreadsheet gives a formula. */
const deadline_ms = 24_000;

/** Parameters of the profile workflow beside `url`, which may be sent up to 50 times. */
export const profileWorkflowParameters: Record<string, Parameter> = {
  platform: {
    schema: z.enum(platforms, { error: `must be one of ${platforms.join(', ')}` }).optional(),
    description: 'the platform of handles sent as url',
    example: 'photo',
  },
  format: {
    schema: z.enum(['json', 'csv'], { error: 'must be json or csv' }).default('json'),
    description: 'csv gives the same rows as CSV',
    example: 'csv',
  },
  fields: {
    schema: z.string().max(1_000, 'must be at most 1000 characters').optional(),
    description: 'comma list of columns, in the order wanted',
    example: 'username,followers',
  },
  fresh: {
    schema: z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .default('false')
      .transform((value) => value === 'true'),
    description: 'true asks for fresh data',
    example: 'true',
  },
  cache_max_age: { ...cacheMaxAge, description: 'oldest cached answer to accept, 1d when not sent', example: '7d' },
};

export interface WorkflowDeps {
  meter: Meter;
  cursors: CursorSeal;
}

interface WorkflowRequest {
  urls: string[];
  platform: Platform | null;
  columns: readonly ProfileColumn[];
  csv: boolean;
  cache_max_age: string | null;
}

/** `GET /v1/workflows/profile`: one row for each `url`, in order. */
export function profileWorkflow(deps: WorkflowDeps): KeyedHandler {
  return async (call) => {
    const request = readWorkflow(call);
    const answered = await answerRows(request, call, deps);
    const rows = answered.map(({ row }) => request.columns.map((column) => row[column]));
    return request.csv ? csvReply(request, rows, answered, call) : jsonReply(request, rows, answered, call);
  };
}

function readWorkflow({ query }: Call): WorkflowRequest {
  const { url: urls = [], ...rest } = query;
  const { values, details } = readParameters(rest, profileWorkflowParameters);
  if (urls.length === 0 || urls.length > max_urls) {
    details.push({ parameter: 'url', message: `send 1 to ${max_urls} profile URLs, each as its own url=` });
  }
  if (values.fresh === true && values.cache_max_age !== undefined) {
    details.push({ parameter: 'fresh', message: 'must not be combined with cache_max_age' });
  }
  const columns =
    typeof values.fields === 'string' ? values.fields.split(',').map((name) => name.trim()) : profileColumns;
  for (const column of columns) {
    if (isColumn(column)) continue;
    const near = nearest(column, profileColumns);
    details.push({ parameter: 'fields', message: `${column} is not a column${near ? `: did you mean ${near}?` : ''}` });
  }
  if (details.length > 0) throw invalidInput(details);
  return {
    urls,
    platform: (values.platform as Platform | undefined) ?? null,
    columns: columns.filter(isColumn),
    csv: values.format === 'csv',
    cache_max_age: values.fresh === true ? null : ((values.cache_max_age as string | undefined) ?? '1d'),
  };
}

const isColumn = (name: string): name is ProfileColumn => (profileColumns as readonly string[]).includes(name);

/** A few rows at a time, all within one deadline; the same URL twice is fetched and charged once. */
async function answerRows(request: WorkflowRequest, call: Call, deps: WorkflowDeps): Promise<AnsweredRow[]> {
  const { admission, request_id, headers } = call;
  const { platform, cache_max_age } = request;
  const key = idempotencyKeyOf(headers);
  const signal = AbortSignal.timeout(deadline_ms);
  const answers = new Map<string, AnsweredRow>();
  const waiting = new Set(request.urls).values();
  const worker = async () => {
    for (const url of waiting) {
      const idempotency_key = key === null ? null : `${key}#${request.urls.indexOf(url)}`;
      const asked = { url, platform, cache_max_age, admission, request_id, idempotency_key, signal };
      answers.set(url, await profileRow(asked, deps.meter, deps.cursors));
    }
  };
  await Promise.all(Array.from({ length: rows_at_once }, worker));
  return request.urls.map((url, index) => {
    const answer = answers.get(url) as AnsweredRow;
    const repeated = request.urls.indexOf(url) < index && answer.row.status === 'OK';
    return repeated ? { ...answer, row: { ...answer.row, cached: true, credits_charged: 0 } } : answer;
  });
}

function totals(answered: AnsweredRow[], call: Call) {
  const balances = answered.map((row) => row.credits_remaining).filter((balance) => balance !== null);
  return {
    cached: answered.every(({ row }) => row.cached === true),
    credits_charged: answered.reduce((sum, { row }) => sum + Number(row.credits_charged), 0),
    credits_remaining: balances.length > 0 ? Math.min(...balances) : call.admission.balance,
  };
}

function jsonReply({ columns }: WorkflowRequest, rows: Cell[][], answered: AnsweredRow[], call: Call): Reply {
  const sum = totals(answered, call);
  const meta = { request_id: call.request_id, ...sum, sandbox: call.admission.kind === 'test' };
  return { body: JSON.stringify({ data: { columns, rows }, meta }), ...sum };
}

function csvReply({ columns }: WorkflowRequest, rows: Cell[][], answered: AnsweredRow[], call: Call): Reply {
  const body = csvOf(columns, rows);
  const headers = { 'content-disposition': 'attachment; filename="profiles.csv"' };
  return { body, content_type: 'text/csv; charset=utf-8', headers, ...totals(answered, call) };
}
