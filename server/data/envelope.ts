import { listData } from '../../pipeline/collect/list-page.ts';
import { dataIn, metaIn } from '../../pipeline/collect/stored-answer.ts';
import type { CompactProfile, ShortvideoProfile } from '../../pipeline/records/shortvideo.ts';
import { toCompactProfile } from '../../pipeline/shortvideo/compact.ts';
import type { AnswerObject } from '../http/reply.ts';
import type { Metered } from './meter.ts';
import type { DataRequest } from './request.ts';
import { selectFields, trimmed } from './selection.ts';

/**
 * Returns the body of a successful answer of a data route. The JSON text of the answer is inserted unchanged, except
 * when the request has the parameter fields, trim or format=compact.
 */
export function answerBody(request: DataRequest, metered: Metered, requestId: string, now: Date): string {
  if (request.compact) return JSON.stringify(compactOf(metered));
  const { answer, metering, sandbox } = metered;
  const { cached, credits_charged, credits_remaining } = metering;
  const id = JSON.stringify(requestId);
  const cost = `"cached":${cached},"credits_charged":${credits_charged},"credits_remaining":${credits_remaining}`;
  const meta = withWarnings(answer.meta, request.warnings).slice(1, -1);
  const age = ageSeconds(metered, now);
  const head = `"request_id":${id},${cost},"sandbox":${sandbox}`;
  return `{"data":${dataText(request, metered)},"meta":{${head},${meta},"cache_age_seconds":${age}}}`;
}

/**
 * Returns a successful answer of a data route as an object, with the same members as {@link answerBody}.
 * `format=compact` has no effect, because only HTTP answers support it.
 */
export function answerObject(request: DataRequest, metered: Metered, requestId: string, now: Date): AnswerObject {
  const { metering, sandbox } = metered;
  const { cached, credits_charged, credits_remaining } = metering;
  const { warnings, ...stored } = metaIn(metered);
  return {
    data: shownData(request, metered),
    meta: {
      ...{ request_id: requestId, cached, credits_charged, credits_remaining, sandbox },
      ...{ ...stored, warnings: [...warnings, ...request.warnings] },
      cache_age_seconds: ageSeconds(metered, now),
    },
  };
}

/** Returns the `meta` of an answer with the warnings of this request added. */
function withWarnings(meta: string, warnings: readonly string[]): string {
  if (warnings.length === 0) return meta;
  const stored = JSON.parse(meta) as { warnings: string[] };
  return JSON.stringify({ ...stored, warnings: [...stored.warnings, ...warnings] });
}

/** Returns the age of an answer in seconds. The age of a sandbox sample is 0. */
export function ageSeconds({ answer, sandbox }: Pick<Metered, 'answer' | 'sandbox'>, now: Date): number {
  return sandbox ? 0 : secondsSince(answer.retrieved_at, now);
}

/** Returns the whole seconds since a source answered, and 0 for a time in the future. */
export function secondsSince(retrievedAt: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - retrievedAt.getTime()) / 1000));
}

function dataText(request: DataRequest, metered: Metered): string {
  if (!request.selection && !request.trim) return metered.answer.body;
  return JSON.stringify(shownData(request, metered));
}

/** Returns `data` with only the selected fields. When the request has `trim`, empty values are left out too. */
function shownData({ selection, route, trim }: DataRequest, metered: Metered): Record<string, unknown> {
  const data = dataIn(metered);
  if (!selection && !trim) return data;
  const { [route.container]: record, ...rest } = data;
  const selected = selection ? selectFields(record, selection) : record;
  return { [route.container]: trim ? trimmed(selected) : selected, ...rest };
}

function compactOf(metered: Metered): CompactProfile {
  return toCompactProfile((dataIn(metered) as { profile: ShortvideoProfile }).profile);
}

interface Page {
  record: unknown;
  next_cursor: string | null;
  limit: number;
}

/** Returns `data`: the record under its key, such as `profile`, or the rows under `items` with their pagination. */
export function dataOf(request: DataRequest, page: Page): Record<string, unknown> {
  const { container } = request.route;
  if (container !== 'items') return { [container]: page.record };
  return listData(page.record, page);
}
