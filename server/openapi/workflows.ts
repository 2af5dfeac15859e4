import { estimateMediaType } from '../http/media-types.ts';
import { type Workflow, workflows } from '../workflows/catalog.ts';
import { errorResponses, keyedStatuses, success, tableHeaders } from './headers.ts';
import {
  idempotencyKeyReference,
  type Json,
  object,
  parameterObject,
  reference,
  textType,
  truthType,
} from './parts.ts';

const count = { type: 'integer', minimum: 0 };
const cell = { oneOf: [textType, { type: 'number' }, truthType, { type: 'null' }] };

/** OpenAPI schema of the answer of a spreadsheet route to a request with `estimate=true`. */
export const workflowEstimateSchema = object({
  data: object({
    rows: { ...count, description: 'maximum number of rows in the answer' },
    cached_rows: { ...count, description: 'cached rows, which are free' },
    cost: { ...count, description: 'maximum cost in credits' },
    unreadable_rows: { ...count, description: 'rows with an invalid URL, which are free' },
  }),
  meta: reference('Meta'),
});

/** Returns the OpenAPI paths of the spreadsheet routes, which answer with columns and rows. */
export function workflowPaths(): Json {
  return Object.fromEntries(workflows.map((workflow) => [workflow.path, { get: operation(workflow) }]));
}

function operation(workflow: Workflow): Json {
  const { path, summary, description, parameters, required } = workflow;
  const name = path.slice('/v1/workflows/'.length);
  const hasEstimate = Object.hasOwn(parameters, 'estimate');
  const others = {
    ...(hasEstimate ? { [estimateMediaType]: { schema: reference('WorkflowCostEstimate') } } : {}),
    'text/csv': { schema: textType },
  };
  return {
    operationId: `get${name[0]?.toUpperCase()}${name.slice(1)}Workflow`,
    summary,
    description,
    tags: ['workflows'],
    parameters: [
      ...Object.entries(parameters).map(([parameter, row]) => parameterObject(parameter, row, parameter === required)),
      ...(hasEstimate ? [idempotencyKeyReference] : []),
    ],
    responses: {
      ...success(
        'columns and rows',
        answerSchema(workflow),
        hasEstimate ? { headers: tableHeaders, others } : { others },
      ),
      ...errorResponses([400, ...keyedStatuses]),
    },
  };
}

function answerSchema({ columns }: Workflow): Json {
  return object({
    data: object({
      columns: { type: 'array', items: { enum: columns } },
      rows: { type: 'array', items: { type: 'array', items: cell } },
    }),
    meta: reference('Meta'),
  });
}
