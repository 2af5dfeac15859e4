import type { Metric } from '../../db/tracking/checks.ts';
import { trackedColumns } from '../../pipeline/tracking/tracked-row.ts';
import type { KeyedHandler } from '../http/responses.ts';
import { trackedWorkflowParameters } from './parameters.ts';
import { readTable, tableReply } from './table.ts';
import { sampleTable, type TrackedDeps, trackedTable } from './tracked-rows.ts';

/** `GET /v1/workflows/tracked`: what checks of the workspace's items observed, one row an observation and metric; free. */
export function trackedWorkflow(deps: TrackedDeps): KeyedHandler {
  return async (call) => {
    const request = readTable(call.query, trackedWorkflowParameters, 'item', trackedColumns);
    const {
      item: items,
      metric: metrics = null,
      days,
    } = request.values as {
      item: string[];
      metric?: Metric[];
      days: number;
    };
    const asked = { items, metrics, days };
    const { admission } = call;
    const sandbox = admission.kind === 'test';
    const answered = await (sandbox ? sampleTable(asked, deps) : trackedTable(asked, admission, deps));
    const sum = { cached: false, credits_charged: 0, credits_remaining: admission.balance };
    return tableReply(request, { ...answered, ...sum }, 'tracked', call);
  };
}
