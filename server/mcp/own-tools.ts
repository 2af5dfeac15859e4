import { catalog } from '../data/catalog.ts';
import { parametersOf } from '../data/route.ts';
import { invalidInput } from '../http/errors.ts';
import { nearest } from '../http/nearest.ts';
import { type Json, textType } from '../openapi/parts.ts';
import { campaignsParameters, reportParameters } from '../workflows/campaigns.ts';
import { workflows } from '../workflows/catalog.ts';
import { ownArguments, readArguments } from './arguments.ts';
import { costOf, estimateData, workflowParameters } from './cost.ts';
import { answerSchema, argumentSchemas, tableData } from './schemas.ts';
import type { Arguments, McpTool, ToolTarget } from './tool.ts';

const { projection } = ownArguments as { projection: Json };
const none = Object.freeze({});

/** MCP tool that returns the credit balance (`GET /v1/credit/balance`). */
export const credits: McpTool = {
  name: 'credits',
  title: 'Credits left',
  description: 'Returns the credits left, the workspace that owns them, and the monthly cap of this key. Free.',
  parameters: none,
  required: [],
  output: answerSchema({
    credits_remaining: { type: 'integer' },
    workspace: textType,
    tier: textType,
    key: { type: 'object' },
  }),
  open_world: false,
  target: () => ({ path: '/v1/credit/balance', query: {} }),
};

const trackedWorkflow = workflows.find(({ path }) => path === '/v1/workflows/tracked');
if (!trackedWorkflow) throw new Error('The catalog has no route /v1/workflows/tracked.');

/** MCP tool that returns the history of tracked items (`GET /v1/workflows/tracked`). */
export const trackedItemsTool: McpTool = {
  name: 'tracked_items',
  title: trackedWorkflow.summary,
  description: `${trackedWorkflow.description} Free.`,
  parameters: { ...workflowParameters(trackedWorkflow), projection },
  required: [trackedWorkflow.required],
  output: answerSchema(tableData),
  open_world: false,
  target: (query) => ({ path: '/v1/workflows/tracked', query }),
};

const { format: _, ...reportArguments } = reportParameters;

/**
 * MCP tool that lists the campaigns (`GET /v1/workflows/campaigns`), or returns the report of one campaign when an id
 * is given (`GET /v1/workflows/campaign-report`).
 */
export const campaignReportTool: McpTool = {
  name: 'campaign_report',
  title: 'Campaigns and their weekly reports',
  description:
    'Without id: the campaigns of the workspace. With id: the newest finished weekly report, or the current week. projection minimal omits items and series. Times are Unix milliseconds; period_end is exclusive. Free. Needs a production key; reports also the tier Pro or higher.',
  parameters: {
    ...argumentSchemas(reportArguments),
    ...argumentSchemas(campaignsParameters),
    projection,
  },
  required: [],
  output: answerSchema({ items: { type: 'array' }, totals: { type: 'object' }, notes: { type: 'array' } }),
  open_world: false,
  target: (query) => {
    const report = 'id' in query || 'report_id' in query;
    return { path: report ? '/v1/workflows/campaign-report' : '/v1/workflows/campaigns', query };
  },
};

/** Creates an MCP tool that estimates the cost of a call to one of the tools in `chargedTools`. */
export function estimateOf(chargedTools: readonly McpTool[]): McpTool {
  const names = chargedTools.map(({ name }) => name);
  return {
    name: 'estimate',
    title: 'Estimate the cost of a call',
    description: 'Returns what a call of another tool would cost now, and whether its answer is cached. Free.',
    parameters: {
      tool: { type: 'string', enum: names },
      arguments: { type: 'object', description: 'the arguments of that tool' },
    },
    required: ['tool', 'arguments'],
    output: answerSchema(estimateData),
    open_world: false,
    objects: ['arguments'],
    target: (args, input) => {
      const tool = chargedTools.find(({ name }) => name === args.tool?.[0]);
      if (!tool) throw invalidInput([{ parameter: 'tool', message: `must be one of ${names.join(', ')}` }]);
      const inner = readObject('arguments', input.arguments);
      const { values } = readArguments(tool, inner);
      const target = tool.target(values, inner);
      if (target.path === null) return target;
      return { path: target.path, query: { ...target.query, estimate: ['true'] } };
    },
  };
}

function readObject(parameter: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalidInput([{ parameter, message: 'must be an object' }]);
}

interface Listed {
  path: string;
  summary: string;
  cost: string;
  parameters: string[];
  /** Parameters that a call must send beside one identifier. */
  required?: string[];
}

const listed: readonly Listed[] = [
  ...catalog.map((route) => ({
    path: route.path,
    summary: route.summary,
    cost: costOf(route),
    parameters: Object.keys({ ...route.identifiers, ...parametersOf(route) }),
    ...(route.required ? { required: Object.keys(route.required) } : {}),
  })),
  ...workflows.map(({ path, summary, price, parameters }) => {
    return { path, summary, cost: price, parameters: Object.keys(parameters) };
  }),
];

/** MCP tool that lists the routes of the API, or calls one route by its path. */
export const routesTool: McpTool = {
  name: 'routes',
  title: 'List or call any route',
  description:
    'Without path: lists the routes with cost, availability and parameters, free; about filters them by a word. With path and parameters: calls that route at the listed cost, even when no other tool covers it. Planned routes return an error and are free.',
  parameters: {
    about: { type: 'string', description: 'only routes with this word in path or summary' },
    path: { type: 'string', description: 'path of the route to call, such as /v1/photo/profile' },
    parameters: { type: 'object', description: 'parameters of the route to call' },
    ...ownArguments,
  },
  required: [],
  output: answerSchema({ routes: { type: 'array' } }),
  open_world: true,
  objects: ['parameters'],
  target: (args, input) => (args.path ? routeTarget(args.path[0] ?? '', input) : { path: null, data: routeList(args) }),
};

function routeList({ about }: Arguments): Json {
  const word = about?.[0]?.toLowerCase() ?? '';
  const routes = listed.filter(({ path, summary }) => `${path} ${summary}`.toLowerCase().includes(word));
  if (routes.length > 0) return { routes };
  throw invalidInput([{ parameter: 'about', message: 'matches no route: leave it out to list all' }]);
}

function routeTarget(path: string, input: Readonly<Record<string, unknown>>): ToolTarget {
  const route = listed.find((row) => row.path === path);
  if (!route) {
    const near = nearest(
      path.slice(0, 100),
      listed.map((row) => row.path),
    );
    const advice = near ? `did you mean ${near}?` : 'leave it out to list all routes';
    throw invalidInput([{ parameter: 'path', message: `is not a route: ${advice}` }]);
  }
  const inner = readObject('parameters', input.parameters ?? {});
  if ('format' in inner)
    throw invalidInput([{ parameter: 'format', message: 'is not supported here: leave it out, the answer is JSON' }]);
  // Without this refusal, these arguments would have no effect, and a repeated call would be charged again.
  const misplaced = Object.keys(ownArguments).find((name) => name in inner);
  if (misplaced) throw invalidInput([{ parameter: misplaced, message: 'send it beside parameters, not inside' }]);
  const parameters = Object.fromEntries(Object.keys(inner).map((name) => [name, parameterSchema(name)]));
  return { path, query: readArguments({ ...routesTool, parameters, required: [], objects: [] }, inner).values };
}

const repeatedParameters = ['url', 'item'];
const parameterSchema = (name: string): Json => ({
  type: repeatedParameters.includes(name) ? ['string', 'array'] : 'string',
});
