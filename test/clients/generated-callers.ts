/** The results of a few calls to the server through a generated client. */
export interface CallerResult {
  username: string | null | undefined;
  /** The field names of a record that was requested with `fields` and `trim`. */
  fields: string[];
  rows: number;
  cost: number;
  status: number;
}

export interface Generator {
  name: string;
  /** Returns the command line that generates the client. */
  command: (document: string, folder: string) => string[];
  /**
   * Source of a module that calls the server through the generated client. The module is compiled, so the client must
   * declare a type for everything that the module reads.
   */
  caller: string;
}

const sample = `'tidemark.sample'`;

export const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    command: (document, folder) => ['openapi-typescript', document, '-o', `${folder}/schema.ts`],
    caller: `
import createClient from 'openapi-fetch';
import type { paths } from './schema';

export async function call(baseUrl: string, key: string) {
  const options = { baseUrl, headers: { 'x-api-key': key } };
  const client = createClient<paths, 'application/json'>(options);
  const estimates = createClient<paths, 'application/json-estimate+json'>(options);
  const whole = await client.GET('/v1/photo/profile', { params: { query: { handle: ${sample} } } });
  const narrow = await client.GET('/v1/photo/profile', {
    params: { query: { handle: ${sample}, fields: 'followers', trim: true } },
  });
  const list = await client.GET('/v1/photo/posts', { params: { query: { handle: ${sample}, limit: 5 } } });
  const estimate = await estimates.GET('/v1/photo/posts', { params: { query: { handle: ${sample}, estimate: true } } });
  const missing = await client.GET('/v1/photo/profile', { params: { query: { handle: 'sandbox_404' } } });
  const cost: number | undefined = estimate.data?.data.cost;
  const status: number | undefined = missing.error?.error.status;
  const username: string | null | undefined = whole.data?.data.profile.username;
  const fields = Object.keys(narrow.data?.data.profile ?? {});
  return { username, fields, rows: list.data?.data.items.length, cost, status };
}
`,
  },
  {
    name: '@hey-api/openapi-ts',
    command: (document, folder) => ['openapi-ts', '-i', document, '-o', folder, '--no-log-file', '-s'],
    caller: `
import { createClient, createConfig } from './client';
import { getV1PhotoPosts, getV1PhotoProfile } from './sdk.gen';
import type { CostEstimate } from './types.gen';

export async function call(baseUrl: string, key: string) {
  const client = createClient(createConfig({ baseUrl, auth: key }));
  const whole = await getV1PhotoProfile({ client, query: { handle: ${sample} } });
  const narrow = await getV1PhotoProfile({ client, query: { handle: ${sample}, fields: 'followers', trim: true } });
  const list = await getV1PhotoPosts({ client, query: { handle: ${sample}, limit: 5 } });
  const estimate = await getV1PhotoPosts({ client, query: { handle: ${sample}, estimate: true } });
  const missing = await getV1PhotoProfile({ client, query: { handle: 'sandbox_404' } });
  const { cost } = (estimate.data as unknown as CostEstimate).data;
  const status: number | undefined = missing.error?.error.status;
  const username: string | null | undefined = whole.data?.data.profile.username;
  const fields = Object.keys(narrow.data?.data.profile ?? {});
  return { username, fields, rows: list.data?.data.items.length, cost, status };
}
`,
  },
  {
    name: 'openapi-typescript-codegen',
    command: (document, folder) => ['openapi', '--input', document, '--output', folder, '--useOptions'],
    caller: `
import { ApiError, type CostEstimate, OpenAPI, PhotoService } from './index';

export async function call(baseUrl: string, key: string) {
  OpenAPI.BASE = baseUrl;
  OpenAPI.HEADERS = { 'x-api-key': key };
  const whole = await PhotoService.getV1PhotoProfile({ handle: ${sample} });
  const narrow = await PhotoService.getV1PhotoProfile({ handle: ${sample}, fields: 'followers', trim: true });
  const list = await PhotoService.getV1PhotoPosts({ handle: ${sample}, limit: 5 });
  const estimate = await PhotoService.getV1PhotoPosts({ handle: ${sample}, estimate: true });
  const missing: unknown = await PhotoService.getV1PhotoProfile({ handle: 'sandbox_404' }).catch((error) => error);
  const { cost } = (estimate as unknown as CostEstimate).data;
  const status = missing instanceof ApiError ? missing.status : 0;
  const username: string | null | undefined = whole.data.profile.username;
  return { username, fields: Object.keys(narrow.data.profile), rows: list.data.items.length, cost, status };
}
`,
  },
];
