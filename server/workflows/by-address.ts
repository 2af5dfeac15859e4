import { postColumns, profileColumns } from '../../pipeline/rows/columns.ts';
import type { Parameter } from '../data/parameter.ts';
import { type Call, estimateReply, type KeyedHandler, sumCredits } from '../http/reply.ts';
import {
  type AnsweredRow,
  answerRows,
  estimateRows,
  type WorkflowDeps,
  type WorkflowRow,
  type WorkflowRowKind,
} from './answer-rows.ts';
import { postWorkflowParameters, profileWorkflowParameters } from './parameters.ts';
import { postsByAddress } from './post-rows.ts';
import { profileRows } from './profile-rows.ts';
import { type AnsweredTable, callerOf, readTable, requestedAddress, tableReply } from './table.ts';

/** Handles `GET /v1/workflows/profile`, which returns one row for each `url`, in the order of the request. */
export function profileWorkflow(deps: WorkflowDeps): KeyedHandler {
  return rowsByAddress(profileRows, profileColumns, profileWorkflowParameters, 'profiles', deps);
}

/** Handles `GET /v1/workflows/post`, which returns one row for each `url`, in the order of the request. */
export function postWorkflow(deps: WorkflowDeps): KeyedHandler {
  return rowsByAddress(postsByAddress, postColumns, postWorkflowParameters, 'posts', deps);
}

function rowsByAddress<R extends WorkflowRow>(
  kind: WorkflowRowKind<R>,
  columns: readonly string[],
  parameters: Record<string, Parameter>,
  filename: string,
  deps: WorkflowDeps,
): KeyedHandler {
  return async (call) => {
    const request = readTable(call.query, parameters, 'url', columns);
    const addresses = (request.values.url as string[]).map((url) => requestedAddress(url, request));
    if (request.estimate) {
      const sandbox = call.admission.kind === 'test';
      return estimateReply(await estimateRows(addresses, kind, sandbox, deps), call);
    }
    const answered = await answerRows(addresses, kind, callerOf(call), deps);
    return tableReply(request, tableOf(answered, call), filename, call, deps.now());
  };
}

function tableOf(answered: readonly AnsweredRow<WorkflowRow>[], { admission }: Call): AnsweredTable {
  const balances = answered.map((row) => row.credits_remaining).filter((balance) => balance !== null);
  const times = answered.map(({ row }) => row.retrieved_at).filter((time) => typeof time === 'string');
  return {
    rows: answered.map(({ row }) => row),
    ...(times.length > 0 && { retrieved_at: new Date(times.toSorted()[0] as string) }),
    metering: {
      cached: answered.every(({ row }) => row.cached === true),
      ...sumCredits(answered.map(({ row }) => row.credits_charged as number | null)),
      credits_remaining: balances.length > 0 ? Math.min(...balances) : admission.balance,
    },
  };
}
