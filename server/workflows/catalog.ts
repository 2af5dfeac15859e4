import { postColumns } from '../../pipeline/rows/post-row.ts';
import { profileColumns } from '../../pipeline/rows/profile-row.ts';
import { trackedColumns } from '../../pipeline/tracking/tracked-row.ts';
import type { Parameter } from '../data/parameter.ts';
import { sourcedRoute } from '../data/sourced-route.ts';
import type { KeyedHandler } from '../http/reply.ts';
import { postWorkflow, profileWorkflow } from './by-address.ts';
import {
  postsWorkflowParameters,
  postWorkflowParameters,
  profileWorkflowParameters,
  trackedWorkflowParameters,
} from './parameters.ts';
import { postsWorkflow } from './posts.ts';
import type { WorkflowDeps } from './rows.ts';
import { trackedWorkflow } from './tracked.ts';
import type { TrackedDeps } from './tracked-rows.ts';

/** A spreadsheet route, which answers with columns and rows. */
export interface Workflow {
  path: `/v1/workflows/${string}`;
  summary: string;
  /** The price in words. */
  price: string;
  description: string;
  /** Name of the required parameter. */
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
    price: 'one profile for each row',
    description:
      'One row for each url, in order. A row costs as much as one profile; a cached row is free. A row that fails has its code in the column status and never fails the others.',
    required: 'url',
    parameters: profileWorkflowParameters,
    columns: profileColumns,
    handler: profileWorkflow,
  },
  {
    path: '/v1/workflows/posts',
    summary: 'Newest posts of a profile as rows',
    price: `${cost.list} credits for each profile, ${cost.long_list} on YouTube`,
    description: `One row for each post, in the order of the source: newest first, after any pinned posts. The first row carries the cost of the list; an account without posts has no rows. A failure is one row with its code in the column status. It costs as much as the list of the platform, and nothing while the list is cached. A YouTube channel without its id is looked up first (${cost.channel} more, free for a day); without the credits for both, no source is asked.`,
    required: 'url',
    parameters: postsWorkflowParameters,
    columns: postColumns,
    handler: postsWorkflow,
  },
  {
    path: '/v1/workflows/post',
    summary: 'Posts and videos as rows',
    price: 'one post for each row',
    description:
      'One row for each url, in order. A row costs as much as one post; a cached row is free. A row that fails has its code in the column status and never fails the others.',
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
      'One row for each observation and metric, oldest first, of items that the workspace of the key tracks. A day without an observation has no row. A value that was hidden or not exposed is null, and the column quality says which. An unknown item is one row with RESOURCE_NOT_FOUND. meta.warnings says what was left out. A development key gets a fixed sample.',
    required: 'item',
    parameters: trackedWorkflowParameters,
    columns: trackedColumns,
    handler: trackedWorkflow,
  },
];
