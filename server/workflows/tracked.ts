import type { Metric } from '../../db/schema/metrics.ts';
import { trackedColumns } from '../../pipeline/tracking/tracked-row.ts';
import { type KeyedHandler, unchargedMetering } from '../http/reply.ts';
import { trackedWorkflowParameters } from './parameters.ts';
import { readTable, tableReply } from './table.ts';
import { sampleTable, type TrackedDeps, trackedTable } from './tracked-rows.ts';

/**
 * Handles `GET /v1/workflows/tracked`, which returns the history of tracked items, one row for each metric of each
 * observation. The request is free.
 */
export function trackedWorkflow(deps: TrackedDeps): KeyedHandler {
  return async (call) => {
    const request = readTable(call.query, trackedWorkflowParameters, 'item', trackedColumns);
    const { item, metric = null, days } = request.values as { item: string[]; metric?: Metric[]; days: number };
    const input = { items: item, metrics: metric, days };
    const { admission } = call;
    const sandbox = admission.kind === 'test';
    const answered = await (sandbox ? sampleTable(input, deps) : trackedTable(input, admission, deps));
    return tableReply(request, { ...answered, metering: unchargedMetering(admission) }, 'tracked', call, deps.now());
  };
}
