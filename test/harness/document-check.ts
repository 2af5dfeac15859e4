import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Exchange } from '../docs/recording-proxy.ts';

interface Documented {
  $ref?: string;
  headers?: Record<string, { $ref?: string; required?: boolean; schema: object }>;
  content?: Record<string, unknown>;
}

export interface ApiDocument {
  paths: Record<string, { get: { responses: Record<string, Documented> } }>;
}

/** Standard HTTP headers, which the OpenAPI document does not describe. */
const standardHeaders = new Set([
  'allow',
  'cache-control',
  'connection',
  'content-disposition',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'referrer-policy',
  'transfer-encoding',
  'vary',
  'content-security-policy',
  'x-content-type-options',
]);

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns a function that lists every difference between an answer to a GET request and the OpenAPI document. */
export function documentCheck(document: ApiDocument): (answer: Exchange) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');

  function resolved<T extends { $ref?: string }>(value: T, pointer: string): [T, string] {
    if (value.$ref === undefined) return [value, pointer];
    const parts = value.$ref.slice(2).split('/');
    const target = parts.reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], document);
    return [target as T, value.$ref];
  }

  function differences(pointer: string, value: unknown, what: string): string[] {
    const validate = ajv.getSchema(`document${pointer}`) as ValidateFunction | undefined;
    if (!validate) return [`${what} has no schema at ${pointer}`];
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      `${what}${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
    );
  }

  function headerProblems(documented: Documented, pointer: string, headers: Headers): string[] {
    const known = Object.entries(documented.headers ?? {});
    const undocumented = [...headers.keys()].filter(
      (name) => !standardHeaders.has(name) && !known.some(([other]) => other.toLowerCase() === name),
    );
    const wrong = known.flatMap(([name, described]) => {
      const [header, headerPointer] = resolved(described, `${pointer}/headers/${escaped(name)}`);
      const value = headers.get(name);
      if (value === null) return header.required ? [`header ${name} is missing`] : [];
      const number = /^\d+$/.test(value) && 'type' in header.schema && header.schema.type === 'integer';
      return differences(`${headerPointer}/schema`, number ? Number(value) : value, `header ${name}`);
    });
    return [...undocumented.map((name) => `header ${name} is not documented`), ...wrong];
  }

  function bodyProblems(documented: Documented, pointer: string, headers: Headers, body: string): string[] {
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    if (!documented.content || !Object.hasOwn(documented.content, type))
      return [`media type ${type} is not documented`];
    const value: unknown = type.includes('json') ? JSON.parse(body) : body;
    return differences(`${pointer}/content/${escaped(type)}/schema`, value, 'body');
  }

  return ({ url, status, headers, body }) => {
    const response = document.paths[url.pathname]?.get.responses[status];
    if (!response) return [`${url.pathname} does not document ${status}`];
    const own = `#/paths/${escaped(url.pathname)}/get/responses/${status}`;
    const [documented, pointer] = resolved(response, own);
    return [...headerProblems(documented, pointer, headers), ...bodyProblems(documented, pointer, headers, body)];
  };
}
