import { csvOf } from '../../pipeline/rows/csv.ts';
import type { Platform } from '../../pipeline/rows/profile-address.ts';
import { secondsSince } from '../data/envelope.ts';
import type { Parameter } from '../data/parameter.ts';
import { readParameters } from '../data/read-parameters.ts';
import { attachmentHeaders } from '../http/attachment.ts';
import { type ErrorDetail, invalidInput } from '../http/errors.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { nearest } from '../http/nearest.ts';
import type { Query } from '../http/query.ts';
import { type Call, jsonReply, type Reply, type ReplyMetering } from '../http/reply.ts';
import type { RequestedAddress, WorkflowCaller, WorkflowRow } from './answer-rows.ts';

/**
 * Maximum milliseconds of a request to a spreadsheet route. This is less than the 30 seconds that Google Sheets waits
 * for a custom function.
 */
const deadlineMs = 24_000;

/** A validated request to a spreadsheet route. */
interface TableRequest {
  values: Record<string, unknown>;
  /** The requested columns in the requested order. */
  columns: readonly string[];
  csv: boolean;
  estimate: boolean;
}

/** Reads and validates the parameters of a spreadsheet route. Throws INVALID_INPUT, which names every bad parameter. */
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
      const wrong = column === '' ? 'must be a comma-separated list of columns' : `${column} is not a column`;
      const advice = near ? `did you mean ${near}?` : 'the reference at /docs/api lists all columns';
      return { parameter: 'fields', message: `${wrong}: ${advice}` };
    });
}

/** Returns one `url` of a request, with the parameters that the request sets for all URLs. */
export function requestedAddress(url: string, { values }: TableRequest): RequestedAddress {
  const cacheMaxAge = values.fresh === true ? null : ((values.cache_max_age as string | undefined) ?? '1d');
  return { url, platform: (values.platform as Platform | undefined) ?? null, cache_max_age: cacheMaxAge };
}

/** Returns the values that all rows of a request share. All rows have the same deadline. */
export function callerOf({ admission, request_id, headers, signal: cancelled }: Call): WorkflowCaller {
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = cancelled ? AbortSignal.any([cancelled, deadline]) : deadline;
  return { admission, request_id, idempotency_key: idempotencyKeyOf(headers), signal };
}

/** The rows of an answer and their total cost. */
export interface AnsweredTable {
  rows: readonly WorkflowRow[];
  metering: ReplyMetering;
  /** When a source sent the oldest of these rows. Missing for rows that no source sent, such as tracked items. */
  retrieved_at?: Date;
  /** Warnings that are about the whole table, not about one row. */
  warnings?: string[];
}

/** Returns the table as JSON, or as a CSV download that is saved as `filename`. */
export function tableReply(
  { columns, csv }: TableRequest,
  table: AnsweredTable,
  filename: string,
  call: Call,
  now: Date,
): Reply {
  const cells = table.rows.map((row) => columns.map((column) => row[column] ?? null));
  const { metering, warnings } = table;
  const reply = jsonReply({ columns, rows: cells }, call, metering, warnings ? { warnings } : {});
  const headers = ageHeader(table, now);
  if (!csv) return { ...reply, headers };
  const text = () => csvOf(columns, cells);
  return { ...reply, text, headers: { ...headers, ...attachmentHeaders(filename, 'csv') } };
}

/** Returns the header Age with the age of the oldest row when all rows come from the cache. */
function ageHeader({ metering, retrieved_at }: AnsweredTable, now: Date): Record<string, string> {
  return metering.cached && retrieved_at ? { age: String(secondsSince(retrieved_at, now)) } : {};
}
