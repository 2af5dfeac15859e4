import { postColumns } from '../../pipeline/rows/columns.ts';
import { estimateReply, type KeyedHandler } from '../http/reply.ts';
import type { WorkflowDeps } from './answer-rows.ts';
import { estimatePosts, newestPosts } from './newest-posts.ts';
import { postsWorkflowParameters } from './parameters.ts';
import { callerOf, readTable, requestedAddress, tableReply } from './table.ts';

/**
 * Handles `GET /v1/workflows/posts`, which returns the newest posts of one profile, one row each. When the posts cannot
 * be fetched, the answer is one row with the error.
 */
export function postsWorkflow(deps: WorkflowDeps): KeyedHandler {
  return async (call) => {
    const request = readTable(call.query, postsWorkflowParameters, 'url', postColumns);
    const { url, limit } = request.values as { url: string; limit: number };
    const input = { ...requestedAddress(url, request), limit };
    const sandbox = call.admission.kind === 'test';
    if (request.estimate) return estimateReply(await estimatePosts(input, sandbox, deps), call);
    return tableReply(request, await newestPosts(input, callerOf(call), deps), 'posts', call, deps.now());
  };
}
