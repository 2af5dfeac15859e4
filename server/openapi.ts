import { z } from 'zod';
import { type ErrorRow, errorTable } from '../pipeline/errors.ts';
import { compactProfile } from '../pipeline/records/shortvideo.ts';
import { catalog } from './catalog.ts';
import { accountPaths } from './openapi-account.ts';
import { campaignPaths } from './openapi-campaigns.ts';
import {
  errorResponses,
  headers,
  type Json,
  nullable,
  object,
  parameterObject,
  reference,
  success,
  text,
  truth,
  whole,
  withoutIds,
} from './openapi-parts.ts';
import { workflowEstimateSchema, workflowPaths } from './openapi-workflows.ts';
import type { Parameter } from './parameter.ts';
import {
  cacheMaxAge as cache_max_age,
  cursor,
  estimate,
  fields,
  limit,
  ignoredRegion as region,
  trim,
} from './parameters.ts';
import { dataSchema, parametersOf, type Route, type SourcedRoute } from './route.ts';
import { serviceStatus } from './routes/status.ts';

/** The version that the interface description declares. */
export const api_version = '1.8.0';

const meta = object(
  {
    request_id: text,
    cached: truth,
    credits_charged: { type: 'integer', minimum: 0 },
    credits_remaining: { type: 'integer', minimum: 0 },
    sandbox: truth,
    source: { type: 'string', description: 'the source that answered' },
    retrieved_at: { type: 'string', format: 'date-time', description: 'when the source answered' },
    partial: { type: 'boolean', description: 'the source gave less than the route promises' },
    quality: {
      type: 'object',
      additionalProperties: { enum: ['rounded', 'hidden', 'not_exposed'] },
      description: 'what is not exact: field path (in lists led by the row index) to its state',
    },
    warnings: { type: 'array', items: text },
    cache_age_seconds: { type: 'integer', minimum: 0 },
  },
  ['request_id', 'cached', 'credits_charged', 'credits_remaining', 'sandbox'],
);

const errorSchema = object({
  error: object({
    code: { enum: Object.keys(errorTable) },
    message: text,
    status: whole,
    retryable: truth,
    retry_after_seconds: nullable(whole),
    documentation_url: { type: 'string', format: 'uri' },
    details: { type: 'array', items: object({ parameter: text, message: text }) },
  }),
  meta: object({ request_id: text, credits_charged: { const: 0 }, sandbox: truth }),
});

const estimateSchema = object({
  data: object({
    cost: { type: 'integer', minimum: 0 },
    cached: truth,
    cache_age_seconds: nullable(whole),
    availability: { enum: ['available', 'preview', 'unavailable', 'planned'] },
  }),
  meta: reference('Meta'),
});

/** What several routes take, described once. */
const sharedParameters: Record<string, Parameter> = { cache_max_age, cursor, estimate, fields, limit, region, trim };

/** JSON Schema of everything with an id, from the same zod that checks the records; in an order that no import changes. */
function recordSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (id) => `#/components/schemas/${id}` });
  const sorted = Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([id, schema]) => [id, withoutIds(schema as Json)]));
}

const registeredId = (schema: z.ZodType) => (z.globalRegistry.get(schema) as { id?: string } | undefined)?.id;

/** A reference to the record of a route, by the id of its schema. */
function recordReference(schema: z.ZodType): Json {
  if (schema instanceof z.ZodNullable) return recordReference(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return { type: 'array', items: recordReference(schema.element as z.ZodType) };
  const id = registeredId(schema);
  return id ? reference(id) : withoutIds(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Json);
}

function parametersObject(route: Route): Json[] {
  const identifiers = Object.entries(route.identifiers);
  const alone = identifiers.length === 1;
  const oneOf = `Send exactly one of ${identifiers.map(([name]) => name).join(', ')}: `;
  return [
    ...identifiers.map(([name, parameter]) =>
      parameterObject(name, { ...parameter, description: (alone ? '' : oneOf) + parameter.description }, alone),
    ),
    ...Object.entries(parametersOf(route)).map(([name, parameter]) =>
      sharedParameters[name] === parameter
        ? { $ref: `#/components/parameters/${name}` }
        : parameterObject(name, parameter, Object.hasOwn(route.required ?? {}, name)),
    ),
  ];
}

function successSchema(route: SourcedRoute): Json {
  const data = Object.fromEntries(
    Object.entries(dataSchema(route).shape).map(([name, schema]) => [name, recordReference(schema as z.ZodType)]),
  );
  const full = object({ data: object(data), meta: reference('Meta') });
  const forms = [full, reference('Estimate'), ...(route.compact ? [recordReference(compactProfile)] : [])];
  return { anyOf: forms };
}

const statuses = [...new Set(Object.values(errorTable as Record<string, ErrorRow>).map((row) => row.status))].sort();
const dataStatuses = statuses.filter((status) => status !== 405);

const operationId = (path: string) => `get${path.replace(/[/_](\w)/g, (_, letter: string) => letter.toUpperCase())}`;

function operation(route: Route): Json {
  const planned = route.availability === 'planned';
  const price = planned ? 'Planned: answers 501, never charged.' : `Costs ${route.cost} per successful fresh result.`;
  return {
    operationId: operationId(route.path),
    summary: route.summary,
    description: `${price} Availability: ${route.availability}. Every field is present unless fields or trim narrows the answer.`,
    tags: [route.path.split('/')[2]],
    'x-availability': route.availability,
    'x-credits': route.cost,
    parameters: parametersObject(route),
    responses: {
      ...(planned ? {} : success('the record, an estimate, or the compact form', successSchema(route as SourcedRoute))),
      ...errorResponses(planned ? [401, 429, 501] : dataStatuses),
    },
  };
}

function servicePaths(): Json {
  return { ...accountPaths(), ...workflowPaths(), ...campaignPaths(), '/v1/status': { get: statusOperation() } };
}

function statusOperation(): Json {
  const answers = success('the status', object({ data: recordReference(serviceStatus) }), {}) as {
    200: { content: Json };
  };
  answers[200].content['text/html'] = { schema: text };
  return {
    operationId: 'getStatus',
    summary: 'Health of routes and sources',
    description: 'Free, without a key. Counts fresh live requests only; browsers get it as a page.',
    tags: ['status'],
    security: [],
    responses: { ...answers, 405: errorResponse(405) },
  };
}

/** The OpenAPI 3.1 document, made from the catalog. */
export function openApi(base_url: string): Json {
  const paths = Object.fromEntries(catalog.map((route) => [route.path, { get: operation(route) }]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidemark',
      version: api_version,
      description: 'Normalized public data of a photo, a short-video and a long-video platform under one API key.',
      license: { name: 'Proprietary', url: `${base_url}/docs` },
    },
    servers: [{ url: base_url }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: [
      ...new Set([...catalog.map((route) => route.path.split('/')[2] as string), 'account', 'workflows', 'status']),
    ].map((name) => ({
      name,
      description: `Routes of ${name}`,
    })),
    paths: { ...paths, ...servicePaths() },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      headers,
      parameters: Object.fromEntries(
        Object.entries(sharedParameters).map(([name, parameter]) => [name, parameterObject(name, parameter, false)]),
      ),
      schemas: {
        ...recordSchemas(),
        Meta: meta,
        Error: errorSchema,
        Estimate: estimateSchema,
        WorkflowEstimate: workflowEstimateSchema,
      },
      responses: Object.fromEntries(dataStatuses.map((status) => [`Error${status}`, errorResponse(status)])),
    },
  };
}

function errorResponse(status: number): Json {
  const rows = Object.entries(errorTable as Record<string, ErrorRow>).filter(([, row]) => row.status === status);
  return {
    description: rows.map(([code, row]) => `${code}: ${row.message}`).join(' '),
    content: { 'application/json': { schema: reference('Error') } },
  };
}
