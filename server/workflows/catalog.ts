import { postColumns } from '../../pipeline/rows/post-row.ts';
import { profileColumns } from '../../pipeline/rows/profile-row.ts';
import { trackedColumns } from '../../pipeline/tracking/tracked-row.ts';
import type { Parameter } from '../data/parameter.ts';
import type { KeyedHandler } from '../http/responses.ts';
import { postWorkflow, profileWorkflow } from './by-address.ts';
import {
  postsWorkflowParameters,
  postWorkflowParameters,
  profileWorkflowParameters,
  trackedWorkflowParameters,
} from './parameters.ts';
import { postsWorkflow } from './posts.ts';
import { sourcedRoute } from './profile-rows.ts';
import type { WorkflowDeps } from './rows.ts';
import { trackedWorkflow } from './tracked.ts';
import type { TrackedDeps } from './tracked-rows.ts';

/** A route that answers with columns and rows. */
export interface Workflow {
  path: `/v1/workflows/${string}`;
  summary: string;
  /** What it costs, in words. */
  price: string;
  description: string;
  /** The parameter that must be sent. */
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

/** Every workflow whose answer is columns and rows: routing, OpenAPI and docs are loops over it. */
export const workflows: readonly Workflow[] = [
  {
    path: '/v1/workflows/profile',
    summary: 'Profiles as rows for a spreadsheet',
    price: 'one profile a row',
    description:
      'One row for each url, in order. One profile each; a cached row is free. A bad row carries its code in the column status and never fails the others.',
    required: 'url',
    parameters: profileWorkflowParameters,
    columns: profileColumns,
    handler: profileWorkflow,
  },
  {
    path: '/v1/workflows/posts',
    summary: 'Newest posts of a profile as rows',
    price: `${cost.list} credits a profile, long videos ${cost.long_list}`,
    description: `One row for each post as the source orders them: newest first, though pinned ones may stand before. What the list cost stands in the first row; an account without posts has no rows. A failure is one row with its code in the column status. Costs what the list of the platform costs, nothing while it is cached. A channel that is not named by its id is looked up first (${cost.channel} more, free for a day); without the credits for both nothing is asked.`,
    required: 'url',
    parameters: postsWorkflowParameters,
    columns: postColumns,
    handler: postsWorkflow,
  },
  {
    path: '/v1/workflows/post',
    summary: 'Posts and videos as rows',
    price: 'one post a row',
    description:
      'One row for each url, in order. One post each; a cached row is free. A bad row carries its code in the column status and never fails the others.',
    required: 'url',
    parameters: postWorkflowParameters,
    columns: postColumns,
    handler: postWorkflow,
  },
  {
    path: '/v1/workflows/tracked',
    summary: 'What tracking observed, as rows',
    price: 'free',
    description:
      'One row for each observation and metric, oldest first, of items that the workspace of the key tracks. A day without an observation has no row; a value that was hidden or not exposed is null and says so in the column quality. An unknown item is one row with RESOURCE_NOT_FOUND. meta.warnings says what was cut. A development key gets a fixed sample.',
    required: 'item',
    parameters: trackedWorkflowParameters,
    columns: trackedColumns,
    handler: trackedWorkflow,
  },
];
