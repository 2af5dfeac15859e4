import { csvOf } from '../../pipeline/rows/csv.ts';
import type { Platform } from '../../pipeline/rows/profile-address.ts';
import { idempotencyKeyOf } from '../data/handler.ts';
import type { Parameter } from '../data/parameter.ts';
import { type Query, readParameters } from '../data/request.ts';
import { attachmentHeaders } from '../http/attachment.ts';
import { type ErrorDetail, invalidInput } from '../http/errors.ts';
import { estimateMediaType } from '../http/media-types.ts';
import { nearest } from '../http/nearest.ts';
import type { Call, Reply } from '../http/responses.ts';
import type { AskedAddress, Asking, Estimate, Row } from './rows.ts';

/** Below the 30 seconds that a spreadsheet gives a formula. */
const deadlineMs = 24_000;

/** A request for a table, read and checked. */
export interface TableRequest {
  values: Record<string, unknown>;
  /** The columns wanted, in that order. */
  columns: readonly string[];
  csv: boolean;
  estimate: boolean;
}

/** Reads the parameters of a workflow; throws INVALID_INPUT naming every bad one. */
export function readTable(
  query: Query,
  parameters: Record<string, Parameter>,
  required: string,
  known: readonly string[],
): TableRequest {
  const { values, details } = readParameters(query, parameters);
  if (!Object.hasOwn(query, required)) details.push({ parameter: required, message: missing(parameters[required]) });
  if (values.fresh === true && values.cache_max_age !== undefined) {
    details.push({ parameter: 'fresh', message: 'must not be combined with cache_max_age' });
  }
  const columns = typeof values.fields === 'string' ? values.fields.split(',').map((name) => name.trim()) : known;
  details.push(...columnProblems(columns, known));
  if (details.length > 0) throw invalidInput(details);
  return { values, columns, csv: values.format === 'csv', estimate: values.estimate === true };
}

function missing(parameter: Parameter | undefined): string {
  return parameter?.repeated ? `is required, 1 to ${parameter.repeated} times` : 'is required';
}

function columnProblems(columns: readonly string[], known: readonly string[]): ErrorDetail[] {
  return columns
    .filter((column) => !known.includes(column))
    .map((column) => {
      const near = nearest(column, known);
      const wrong = column === '' ? 'must be a comma list of columns' : `${column} is not a column`;
      return { parameter: 'fields', message: near ? `${wrong}: did you mean ${near}?` : wrong };
    });
}

/** An address of the request with what the request says of all of them. */
export function addressOf(url: string, { values }: TableRequest): AskedAddress {
  const cacheMaxAge = values.fresh === true ? null : ((values.cache_max_age as string | undefined) ?? '1d');
  return { url, platform: (values.platform as Platform | undefined) ?? null, cache_max_age: cacheMaxAge };
}

/** Who asks the sources of the rows, all within one deadline. */
export function askingOf({ admission, request_id, headers, signal: wished }: Call): Asking {
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = wished ? AbortSignal.any([wished, deadline]) : deadline;
  return { admission, request_id, idempotency_key: idempotencyKeyOf(headers), signal };
}

/** Rows with what they cost together. */
export interface Table {
  rows: readonly Row[];
  cached: boolean;
  credits_charged: number;
  credits_remaining: number;
  /** What is to be said of the table as a whole. */
  warnings?: string[];
}

/** The table as the request wants it: JSON, or CSV under a file name. */
export function tableReply({ columns, csv }: TableRequest, table: Table, filename: string, call: Call): Reply {
  const cells = table.rows.map((row) => columns.map((column) => row[column]));
  const { cached, credits_charged, credits_remaining, warnings } = table;
  const sum = { cached, credits_charged, credits_remaining };
  if (csv) {
    return { body: csvOf(columns, cells), headers: attachmentHeaders(filename, 'csv'), ...sum };
  }
  const meta = { request_id: call.request_id, ...sum, sandbox: call.admission.kind === 'test', warnings };
  return { body: JSON.stringify({ data: { columns, rows: cells }, meta }), ...sum };
}

/** What a table would cost; it is free to ask. */
export function estimateReply(data: Estimate, { request_id, admission }: Call): Reply {
  const sum = { cached: false, credits_charged: 0, credits_remaining: admission.balance };
  const meta = { request_id, ...sum, sandbox: admission.kind === 'test' };
  const headers = { 'content-type': `${estimateMediaType}; charset=utf-8` };
  return { body: JSON.stringify({ data, meta }), headers, ...sum };
}
