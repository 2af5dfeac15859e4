/** A parameter in the OpenAPI document, with the members that a request needs. */
interface OpenApiParameter {
  name: string;
  in: 'query' | 'header';
  required: boolean;
  description: string;
  example?: unknown;
  schema: { enum?: unknown[] };
}

interface Operation {
  summary: string;
  description: string;
  tags: [string];
  /** Empty when the route needs no key. */
  security?: unknown[];
  parameters?: (OpenApiParameter | { $ref: string })[];
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
}

export interface OpenApiDocument {
  info: { version: string };
  servers: [{ url: string }];
  paths: Record<string, { get: Operation }>;
  components: { parameters: Record<string, OpenApiParameter>; schemas: Record<string, unknown> };
}

/**
 * Values that replace examples in the generated requests. The replaced examples name a real account or need URL
 * encoding.
 */
const sandboxValues: Readonly<Record<string, string>> = {
  nasa: 'tidemark.sample',
  tiktok: 'tidemark.sample',
  '@youtube': '@tidemark.sample',
  'https://www.instagram.com/nasa/': 'https://www.instagram.com/tidemark.sample/',
  'https://www.tiktok.com/@tiktok': 'https://www.tiktok.com/@tidemark.sample',
  'https://www.youtube.com/@youtube': 'https://www.youtube.com/@tidemark.sample',
  'tide pools': 'tide',
  'Tidemark Sample': 'Tidemark',
};
/** Number of fields in the example of the parameter `fields`. */
const exampleFields = 3;

interface Line {
  parameter: OpenApiParameter;
  value: string;
  enabled: boolean;
}

/** Returns a request in the file format of the API client Bruno. `seq`: the position of the request in its folder. */
export function requestText(document: OpenApiDocument, path: string, seq: number, name: string): string {
  const operation = operationOf(document, path);
  const lines = linesOf(document, operation);
  const sent = lines.filter(({ enabled }) => enabled).map(({ parameter, value }) => `${parameter.name}=${value}`);
  const query = lines.map(({ parameter, value, enabled }) => `${enabled ? '' : '~'}${parameter.name}: ${value}`.trim());
  const url = `{{baseUrl}}${path}${sent.length > 0 ? `?${sent.join('&')}` : ''}`;
  const auth = operation.security?.length === 0 ? 'none' : 'inherit';
  return [
    block('meta', [`name: ${name}`, 'type: http', `seq: ${seq}`]),
    block('get', [`url: ${url}`, 'body: none', `auth: ${auth}`]),
    ...(query.length > 0 ? [block('params:query', query)] : []),
    block('docs', docsOf(operation, lines)),
  ].join('\n');
}

/** Returns a block in Bruno's file format with indented lines. */
export function block(name: string, lines: readonly string[]): string {
  return `${name} {\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n}\n`;
}

function operationOf(document: OpenApiDocument, path: string): Operation {
  const operation = document.paths[path]?.get;
  if (!operation) throw new Error(`docs/openapi.json has no path ${path}.`);
  return operation;
}

/**
 * Returns a line for each parameter. Required parameters are enabled. If only one of several parameters may be sent,
 * the first of them is enabled.
 */
function linesOf(document: OpenApiDocument, operation: Operation): Line[] {
  const all = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
  const parameters = all.filter((parameter) => parameter.in === 'query');
  const alternative = parameters.find(({ description }) => description.startsWith('Send exactly one of'));
  return parameters.map((parameter) => ({
    parameter,
    value: parameter.name === 'fields' ? fieldsOf(document, operation, parameter) : exampleOf(parameter),
    enabled: parameter.required || parameter === alternative,
  }));
}

function resolved(document: OpenApiDocument, parameter: OpenApiParameter | { $ref: string }): OpenApiParameter {
  if (!('$ref' in parameter)) return parameter;
  const shared = document.components.parameters[lastName(parameter.$ref)];
  if (!shared) throw new Error(`docs/openapi.json has no parameter ${parameter.$ref}.`);
  return shared;
}

const lastName = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1);

function exampleOf({ example, schema }: OpenApiParameter): string {
  const first = Array.isArray(example) ? example[0] : (example ?? schema.enum?.[0] ?? '');
  return sandboxValues[String(first)] ?? String(first);
}

/**
 * Returns the names of the first fields of a route's record. For a spreadsheet route, returns the documented example,
 * because its fields are columns.
 */
function fieldsOf(document: OpenApiDocument, operation: Operation, parameter: OpenApiParameter): string {
  const answer = operation.responses['200']?.content?.['application/json']?.schema;
  const schema = JSON.stringify(operation.tags[0] === 'workflows' ? null : (answer ?? null));
  const name = /#\/components\/schemas\/(\w+)/.exec(schema)?.[1];
  const record = name === undefined ? null : (document.components.schemas[name] as { properties: object });
  if (record === null) return exampleOf(parameter);
  return Object.keys(record.properties).slice(0, exampleFields).join(',');
}

function docsOf({ summary, description, tags, responses }: Operation, lines: readonly Line[]): string[] {
  const parameters = lines.map(
    ({ parameter }) => `- \`${parameter.name}\`${parameter.required ? ' (required)' : ''}: ${parameter.description}`,
  );
  const isData = !['account', 'workflows', 'status'].includes(tags[0]) && '200' in responses;
  const scenario = 'A development key gets a fixed sample, and errors for reserved identifiers: see docs/sandbox.md.';
  return [
    `# ${summary}`,
    '',
    description,
    ...(parameters.length > 0 ? ['', '## Parameters', '', ...parameters] : []),
    ...(isData ? ['', scenario] : []),
  ];
}
