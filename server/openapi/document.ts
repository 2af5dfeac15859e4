import type { z } from 'zod';
import { errorTable } from '../../pipeline/errors.ts';
import { quantity } from '../../pipeline/quantity.ts';
import { compactProfile } from '../../pipeline/records/shortvideo.ts';
import { catalog } from '../data/catalog.ts';
import { hasLiveData } from '../data/offered.ts';
import type { Parameter } from '../data/parameter.ts';
import {
  cacheMaxAge as cache_max_age,
  cursor,
  estimate,
  fields,
  limit,
  ignoredRegion as region,
  trim,
} from '../data/parameters.ts';
import { dataSchema, parametersOf, type Route, type SourcedRoute } from '../data/route.ts';
import { estimateMediaType } from '../http/media-types.ts';
import { serviceStatus } from '../status/status.ts';
import { accountPaths } from './account.ts';
import { campaignPaths } from './campaigns.ts';
import {
  dataHeaders,
  describedError,
  errorResponses,
  headers,
  keyedStatuses,
  openHeaders,
  success,
} from './headers.ts';
import {
  idempotencyKey,
  idempotencyKeyReference,
  type Json,
  nullable,
  object,
  parameterObject,
  reference,
  textType,
  truthType,
  wholeType,
} from './parts.ts';
import { recordReference, recordSchemas } from './records.ts';
import { workflowEstimateSchema, workflowPaths } from './workflows.ts';

/** Version of the API in the OpenAPI document. */
export const apiVersion = '1.8.0';

const meta = object(
  {
    request_id: textType,
    cached: truthType,
    credits_charged: {
      type: ['integer', 'null'],
      minimum: 0,
      description:
        'null, and no header x-credits-charged, only when a row of a spreadsheet route has CHARGE_UNCONFIRMED',
    },
    credits_remaining: { type: 'integer', minimum: 0 },
    sandbox: truthType,
    source: { type: 'string', description: 'the source that answered' },
    retrieved_at: { type: 'string', format: 'date-time', description: 'when the source answered' },
    partial: {
      type: 'boolean',
      description: 'true when the source returned less than the route promises; warnings says why',
    },
    quality: {
      type: 'object',
      additionalProperties: { enum: ['rounded', 'hidden', 'not_exposed'] },
      description:
        'fields that are not exact: maps the path of a field to rounded, hidden or not_exposed; in lists the path begins with the row index',
    },
    warnings: {
      type: 'array',
      items: textType,
      description:
        'sentences about missing data and parameters without effect; in lists, a sentence about one row begins with a path, such as 0.likes',
    },
    cache_age_seconds: { type: 'integer', minimum: 0 },
  },
  ['request_id', 'cached', 'credits_charged', 'credits_remaining', 'sandbox'],
);

const errorSchema = object({
  error: object({
    code: { enum: Object.keys(errorTable) },
    message: textType,
    status: wholeType,
    retryable: truthType,
    retry_after_seconds: nullable(wholeType),
    documentation_url: { type: 'string', format: 'uri' },
    details: { type: 'array', items: object({ parameter: textType, message: textType }) },
  }),
  meta: object({
    request_id: textType,
    credits_charged: { enum: [0, null], description: 'null only with CHARGE_UNCONFIRMED: not known' },
    sandbox: truthType,
  }),
});

const estimateSchema = object({
  data: object({
    cost: { type: 'integer', minimum: 0 },
    cached: {
      ...truthType,
      description: 'True when a cached answer exists. The request gets it only when `cache_max_age` allows its age.',
    },
    cache_age_seconds: nullable(wholeType),
    availability: { enum: ['available', 'preview', 'unavailable', 'planned'] },
  }),
  meta: reference('Meta'),
});

/**
 * Parameters that several routes share. The OpenAPI document describes each of these parameters once, and the routes
 * refer to the description.
 */
const sharedParameters: Record<string, Parameter> = { cache_max_age, cursor, estimate, fields, limit, region, trim };

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Returns the identifiers that the OpenAPI document lists for a route. When two names are equal in camelCase, only one
 * is listed, because client generators convert names to camelCase.
 */
function shownIdentifiers({ identifiers }: Route): [string, Parameter][] {
  const all = Object.entries(identifiers);
  const shown = all.filter(([name]) => !all.some(([other]) => other !== name && camelCase(other) === name));
  return shown.map(([name, parameter]) => {
    const other = camelCase(name);
    if (other === name || !Object.hasOwn(identifiers, other)) return [name, parameter];
    return [name, { ...parameter, description: `${parameter.description}; ${other} works, too` }];
  });
}

function parametersObject(route: Route): Json[] {
  const identifiers = shownIdentifiers(route);
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
    idempotencyKeyReference,
  ];
}

function dataResponse(route: SourcedRoute): Json {
  const data = Object.fromEntries(
    Object.entries(dataSchema(route).shape).map(([name, schema]) => [name, recordReference(schema as z.ZodType)]),
  );
  const full = object({ data: object(data), meta: reference('Meta') });
  const schema = route.compact ? { anyOf: [full, recordReference(compactProfile)] } : full;
  const others = { [estimateMediaType]: { schema: reference('CostEstimate') } };
  return success('the record, or the maximum cost when estimate=true', schema, { headers: dataHeaders, others });
}

const statuses = [...new Set(Object.values(errorTable).map((row) => row.status))].sort();
/** HTTP statuses of the errors of data routes. The status 413 is left out, because a GET has no body. */
const dataStatuses = statuses.filter((status) => status !== 405 && status !== 413);

const operationId = (path: string) => `get${path.replace(/[/_](\w)/g, (_, letter: string) => letter.toUpperCase())}`;

const liveData = (route: Route) =>
  hasLiveData(route) ? '' : ' No live data: a production key gets error 503 and is not charged.';

function operation(route: Route): Json {
  const planned = route.availability === 'planned';
  const price = `Costs ${quantity(route.cost, 'credit')} per successful answer with new data; cached answers and errors are free.`;
  const fields =
    'An answer with status 200 contains all fields of the schema, unless the request has the parameter fields or trim.';
  return {
    operationId: operationId(route.path),
    summary: route.summary,
    description: planned
      ? 'Availability: planned. This route does not work yet: requests to it fail with error 501 and are not charged.'
      : `${price} Availability: ${route.availability}.${liveData(route)} ${fields}`,
    tags: [route.path.split('/')[2]],
    'x-availability': route.availability,
    'x-credits': route.cost,
    parameters: parametersObject(route),
    responses: {
      ...(planned ? {} : dataResponse(route as SourcedRoute)),
      ...errorResponses(planned ? [501, ...keyedStatuses] : dataStatuses),
    },
  };
}

function servicePaths(): Json {
  return { ...accountPaths(), ...workflowPaths(), ...campaignPaths(), '/v1/status': { get: statusOperation() } };
}

/** Returns the schemas of everything that `data` can contain, over all routes. */
function answeredSchemas(): z.ZodType[] {
  const sourced = catalog.filter((route) => route.availability !== 'planned');
  const records = sourced.flatMap((route) => Object.values(dataSchema(route).shape) as z.ZodType[]);
  return [...records, compactProfile, serviceStatus];
}

function statusOperation(): Json {
  const answer = object({ data: recordReference(serviceStatus) });
  return {
    operationId: 'getStatus',
    summary: 'Health of routes and sources',
    description: 'Free, without a key. Counts requests that fetched new data. A browser gets a page instead of JSON.',
    tags: ['status'],
    security: [],
    responses: {
      ...success('the status', answer, { headers: openHeaders, others: { 'text/html': { schema: textType } } }),
      ...Object.fromEntries(
        [405, 431, 500, 503].map((status) => [
          status,
          { ...describedError(status, describedErrors(status)), headers: openHeaders },
        ]),
      ),
    },
  };
}

const tagDescriptions: Readonly<Record<string, string>> = {
  photo: 'Instagram',
  shortvideo: 'TikTok',
  longvideo: 'YouTube',
  adlibrary: 'Meta Ad Library',
  microblog: 'X (planned)',
  account: 'Balance',
  workflows: 'Rows for spreadsheets, campaigns and reports',
  status: 'Health of the service',
};

/** Returns the OpenAPI 3.1 document. */
export function openApi(baseUrl: string): Json {
  const paths = Object.fromEntries(catalog.map((route) => [route.path, { get: operation(route) }]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidemark',
      version: apiVersion,
      description:
        'Normalized public data from Instagram (photo), TikTok (shortvideo), YouTube (longvideo) and the Meta Ad Library (adlibrary), with one API key.',
      license: { name: 'Proprietary', url: `${baseUrl}/docs` },
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: [
      ...new Set([...catalog.map((route) => route.path.split('/')[2] as string), 'account', 'workflows', 'status']),
    ].map((name) => ({ name, description: tagDescriptions[name] ?? `Routes of ${name}` })),
    paths: { ...paths, ...servicePaths() },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      headers,
      parameters: sharedParameterObjects(),
      schemas: {
        ...recordSchemas(answeredSchemas()),
        Meta: meta,
        Error: errorSchema,
        CostEstimate: estimateSchema,
        WorkflowCostEstimate: workflowEstimateSchema,
      },
      responses: Object.fromEntries(
        dataStatuses.map((status) => [`Error${status}`, describedError(status, describedErrors(status))]),
      ),
    },
  };
}

function sharedParameterObjects(): Json {
  const all = Object.entries(sharedParameters).map(([name, parameter]) => [
    name,
    parameterObject(name, parameter, false),
  ]);
  return { ...Object.fromEntries(all), idempotency_key: idempotencyKey };
}

/** Returns a text that lists all error codes of an HTTP status with their messages. */
function describedErrors(status: number): string {
  const rows = Object.entries(errorTable).filter(([, row]) => row.status === status);
  return rows.map(([code, row]) => `${code}: ${row.message}`).join(' ');
}
