import { postColumns, profileColumns } from '../../pipeline/rows/columns.ts';
import { trackedColumns } from '../../pipeline/tracking/tracked-row.ts';
import type { Parameter } from '../data/parameter.ts';
import { sourcedRoute } from '../data/sourced-route.ts';
import type { KeyedHandler } from '../http/reply.ts';
import type { WorkflowDeps } from './answer-rows.ts';
import { postWorkflow, profileWorkflow } from './by-address.ts';
import {
  postsWorkflowParameters,
  postWorkflowParameters,
  profileWorkflowParameters,
  trackedWorkflowParameters,
} from './parameters.ts';
import { postsWorkflow } from './posts.ts';
import { trackedWorkflow } from './tracked.ts';
import type { TrackedDeps } from './tracked-rows.ts';

/** A spreadsheet route, which answers with columns and rows. */
export interface Workflow {
  path: `/v1/workflows/${string}`;
  summary: string;
  /** The price of a request in words. */
  price: string;
  description: string;
  /** Name of the only required parameter. */
  required: string;
  parameters: Record<string, Parameter>;
  columns: readonly string[];
  handler: (deps: WorkflowDeps & TrackedDeps) => KeyedHandler;
}

const cost = {
  list: sourcedRoute('/v1/photo/posts').cost,
  long_list: sourcedRoute('/v1/longvideo/channel/videos').cost,
  channel: sourcedRoute('/v1/longvideo/channel').cost,
};

/** Lists every spreadsheet route. Routing, OpenAPI, documentation and MCP tools are made from this list. */
export const workflows: readonly Workflow[] = [
  {
    path: '/v1/workflows/profile',
    summary: 'Profiles as rows for a spreadsheet',
    price: '1 credit for each profile with new data',
    description:
      'One row for each url, in order. A cached row is free. When a profile fails, its row has the error code in the column status, costs nothing, and the other rows are not affected.',
    required: 'url',
    parameters: profileWorkflowParameters,
    columns: profileColumns,
    handler: profileWorkflow,
  },
  {
    path: '/v1/workflows/posts',
    summary: 'Newest posts of a profile as rows',
    price: `${cost.list} credits for a list with new data, ${cost.long_list} on YouTube`,
    description: `One row for each post: pinned posts first, then newest first. One charge pays for the whole list and is shown in the first row; a cached list is free. An account without posts has no rows. A failure is one row with the error code in the column status. For a YouTube URL without a channel ID, the channel is looked up first: this costs ${cost.channel} more, and is then free for a day. When the credits do not cover both, nothing is fetched or charged.`,
    required: 'url',
    parameters: postsWorkflowParameters,
    columns: postColumns,
    handler: postsWorkflow,
  },
  {
    path: '/v1/workflows/post',
    summary: 'Posts and videos as rows',
    price: '1 credit for each post with new data',
    description:
      'One row for each url, in order. A cached row is free. When a post fails, its row has the error code in the column status, costs nothing, and the other rows are not affected.',
    required: 'url',
    parameters: postWorkflowParameters,
    columns: postColumns,
    handler: postWorkflow,
  },
  {
    path: '/v1/workflows/tracked',
    summary: 'History of tracked items as rows',
    price: 'free',
    description:
      'The stored numbers of items that your workspace tracks: one row for each observation and metric, oldest first. A day without an observation has no row. A hidden or not exposed value is null, and the column quality says which. An item that is not tracked gets one row with RESOURCE_NOT_FOUND. A development key gets a fixed sample.',
    required: 'item',
    parameters: trackedWorkflowParameters,
    columns: trackedColumns,
    handler: trackedWorkflow,
  },
];
