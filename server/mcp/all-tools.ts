import { catalog } from '../data/catalog.ts';
import { parametersOf, type SourcedRoute } from '../data/route.ts';
import type { Json } from '../openapi/parts.ts';
import { type Workflow, workflows } from '../workflows/catalog.ts';
import { ownArguments } from './arguments.ts';
import { costOf, estimateData, workflowParameters } from './cost.ts';
import { campaignReportTool, credits } from './own-tools.ts';
import { answerSchema, argumentSchemas, fullOutput, tableData } from './schemas.ts';
import type { McpTool } from './tool.ts';

/** Returns the tool name for a path, such as `photo_profile` for `/v1/photo/profile`. */
const nameOf = (path: string) => path.split('/').slice(2).join('_').replaceAll('-', '_');

/**
 * API parameters that the MCP tools leave out: alternative names of identifiers, and `format`, because it changes the
 * schema of the answer.
 */
const omitted = new Set(['hashtag', 'q', 'channelId', 'format']);

function routeTool(route: SourcedRoute): McpTool {
  const { path, summary, identifiers, required = {} } = route;
  const names = Object.keys(identifiers).filter((name) => !omitted.has(name) || Object.keys(identifiers).length === 1);
  const oneOf = names.length > 1 ? ` Send exactly one of ${names.join(', ')}.` : '';
  const all = Object.entries({ ...identifiers, ...parametersOf(route) });
  const included = all.filter(([name]) => names.includes(name) || !omitted.has(name));
  return {
    name: nameOf(path),
    title: summary,
    description: `${summary}. Costs ${costOf(route)}.${oneOf}`,
    parameters: {
      ...argumentSchemas(Object.fromEntries(included)),
      ...ownArguments,
    },
    required: [...(names.length === 1 ? names : []), ...Object.keys(required)],
    output: fullOutput(route),
    open_world: true,
    target: (query) => ({ path, query }),
  };
}

/**
 * JSON Schema of the field `rows` in the answer of a tool. An answer with data has a list of rows. An estimate has the
 * number of rows.
 */
const rowsOrNumber: Json = { type: ['array', 'integer'] };

function workflowTool(workflow: Workflow): McpTool {
  const { path, summary, description, price, required, parameters } = workflow;
  const estimate = parameters.estimate && argumentSchemas({ estimate: parameters.estimate });
  const paid: Record<string, Json> = estimate ? { ...estimate, ...ownArguments } : {};
  return {
    name: nameOf(path),
    title: summary,
    description: `${description} Costs: ${price}.`,
    parameters: { ...workflowParameters(workflow), ...ownArguments, ...paid },
    required: [required],
    output: answerSchema(estimate ? { ...tableData, ...estimateData, rows: rowsOrNumber } : tableData),
    open_world: estimate !== undefined,
    target: (query) => ({ path, query }),
  };
}

/**
 * The long list of MCP tools, for clients that accept many tools. Each route that is not planned has its own tool with
 * its own schema.
 */
export const allTools: readonly McpTool[] = [
  ...catalog.flatMap((route) => (route.availability === 'planned' ? [] : [routeTool(route)])),
  ...workflows.map(workflowTool),
  campaignReportTool,
  credits,
];
