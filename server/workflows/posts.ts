import { postColumns } from '../../pipeline/rows/post-row.ts';
import type { KeyedHandler } from '../http/responses.ts';
import { postsWorkflowParameters } from './parameters.ts';
import { estimatePosts, newestPosts } from './posts-rows.ts';
import type { WorkflowDeps } from './rows.ts';
import { addressOf, callerOf, estimateReply, readTable, tableReply } from './table.ts';

/** Handles `GET /v1/workflows/posts`: the newest posts of one profile, one row each. A failure is one row. */
export function postsWorkflow(deps: WorkflowDeps): KeyedHandler {
  return async (call) => {
    const request = readTable(call.query, postsWorkflowParameters, 'url', postColumns);
    const { url, limit } = request.values as { url: string; limit: number };
    const input = { ...addressOf(url, request), limit };
    const { kind, balance } = call.admission;
    if (request.estimate) return estimateReply(await estimatePosts(input, kind === 'test', deps), call);
    const answered = await newestPosts(input, callerOf(call), deps);
    const creditsRemaining = answered.credits_remaining ?? balance;
    return tableReply(request, { ...answered, credits_remaining: creditsRemaining }, 'posts', call);
  };
}
