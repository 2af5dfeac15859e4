import type { CompactProfile, ShortvideoProfile } from '../../pipeline/records/shortvideo.ts';
import { compactProfile } from '../../pipeline/shortvideo/compact.ts';
import type { Metered } from './meter.ts';
import type { DataRequest } from './request.ts';
import { select, trimmed } from './selection.ts';

/**
 * Returns the body of a successful answer of a data route. The stored JSON text of the answer is inserted unchanged. It is parsed only when
 * the request has the parameter fields, trim or format=compact.
 */
export function answerBody(request: DataRequest, metered: Metered, requestId: string, now: Date): string {
  if (request.compact) return JSON.stringify(compactOf(metered.answer.body));
  const { answer, metering, sandbox } = metered;
  const { cached, credits_charged, credits_remaining } = metering;
  const id = JSON.stringify(requestId);
  const cost = `"cached":${cached},"credits_charged":${credits_charged},"credits_remaining":${credits_remaining}`;
  const meta = withWarnings(answer.meta, request.warnings).slice(1, -1);
  const age = ageSeconds(metered, now);
  const head = `"request_id":${id},${cost},"sandbox":${sandbox}`;
  return `{"data":${dataText(request, answer.body)},"meta":{${head},${meta},"cache_age_seconds":${age}}}`;
}

/** Returns the `meta` of a stored answer with the warnings of this request added. */
function withWarnings(meta: string, warnings: readonly string[]): string {
  if (warnings.length === 0) return meta;
  const stored = JSON.parse(meta) as { warnings: string[] };
  return JSON.stringify({ ...stored, warnings: [...stored.warnings, ...warnings] });
}

/** Returns the number of whole seconds since the source answered. It is 0 for a sandbox sample. */
export function ageSeconds({ answer, sandbox }: Pick<Metered, 'answer' | 'sandbox'>, now: Date): number {
  return sandbox ? 0 : Math.max(0, Math.floor((now.getTime() - answer.retrieved_at.getTime()) / 1000));
}

function dataText(request: DataRequest, body: string): string {
  const { selection, route, trim } = request;
  if (!selection && !trim) return body;
  const { [route.container]: record, ...rest } = JSON.parse(body) as Record<string, unknown>;
  const selected = selection ? select(record, selection) : record;
  return JSON.stringify({ [route.container]: trim ? trimmed(selected) : selected, ...rest });
}

function compactOf(body: string): CompactProfile {
  return compactProfile((JSON.parse(body) as { profile: ShortvideoProfile }).profile);
}

interface Page {
  record: unknown;
  next_cursor: string | null;
  limit: number;
}

/** Returns `data` as JSON text: the record under its key, such as `profile`, or the rows under `items` with their pagination. */
export function dataOf(request: DataRequest, page: Page): string {
  const { container } = request.route;
  if (container !== 'items') return JSON.stringify({ [container]: page.record });
  return JSON.stringify({ items: page.record, pagination: { next_cursor: page.next_cursor, limit: page.limit } });
}
