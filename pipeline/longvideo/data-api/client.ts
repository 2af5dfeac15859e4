import { setTimeout as delay } from 'node:timers/promises';
import type { youtube_v3 } from 'googleapis/build/src/apis/youtube/index.js';
import type { QuotaLedger } from '../../../db/requests/quota.ts';
import type { SourceContext } from '../../collect/collect.ts';
import type { SourcesConfig } from '../../collect/sources.ts';
import { responseChanged, SourceError } from '../../errors.ts';
import { loadOnce } from '../../lazy.ts';
import type { UpstreamAnswer } from '../../network/fetcher.ts';
import { dig, parseJson } from '../../parse/values.ts';
import { officialItems } from '../pages.ts';
import { type DataApiMethod, dataApiMethods, spendBucket, takeUnits, useOf } from './quota.ts';
import { dataApiRefusal } from './refusal.ts';

/** Name of the YouTube Data API as a data source, as in the response field `meta.source`. */
export const dataApiName = 'youtube-data-api';

/** The name and the credentials check that all data sources of the YouTube Data API have in common. */
export const dataApiSource = {
  name: dataApiName,
  credentials: (config: SourcesConfig): boolean => config.youtube_api_key !== null,
} as const;

/**
 * Maximum number of attempts per request to the YouTube Data API: one attempt, and one retry after a temporary failure.
 */
const maxAttempts = 2;

export interface DataApi {
  /**
   * Counts the used YouTube quota of this process. Used only when the context has no counter that all processes share.
   */
  quota: QuotaLedger;
  /** Milliseconds to wait before a failed request is sent again. */
  retry_delay_ms: number;
}

/** The parameters of each API method, as Google's client library declares them. */
interface MethodParams {
  'videos.list': youtube_v3.Params$Resource$Videos$List;
  'channels.list': youtube_v3.Params$Resource$Channels$List;
  'playlists.list': youtube_v3.Params$Resource$Playlists$List;
  'playlistItems.list': youtube_v3.Params$Resource$Playlistitems$List;
  'commentThreads.list': youtube_v3.Params$Resource$Commentthreads$List;
  'comments.list': youtube_v3.Params$Resource$Comments$List;
  'videoCategories.list': youtube_v3.Params$Resource$Videocategories$List;
  'search.list': youtube_v3.Params$Resource$Search$List;
}

type DataApiCall = {
  [M in DataApiMethod]: {
    method: M;
    params: MethodParams[M];
    /**
     * Names of the parameters whose value comes from the customer. If YouTube refuses such a value, the customer gets
     * the error.
     */
    customer_parameters?: readonly string[];
  };
}[DataApiMethod];

/**
 * Calls a list method of the YouTube Data API and returns the items of the answer in their original order; an empty
 * list when nothing was found. Throws a SourceError that depends on the error reasons in the answer. Throws
 * SOURCE_CAPACITY without sending a request when the daily quota is used up.
 */
export async function dataApiItems(api: DataApi, call: DataApiCall, context: SourceContext): Promise<unknown[]> {
  return officialItems(await dataApiAnswer(api, call, context));
}

/**
 * Calls a list method of the YouTube Data API and returns the whole answer, which includes the page tokens. Throws the
 * errors of {@link dataApiItems}.
 */
export async function dataApiAnswer(api: DataApi, call: DataApiCall, context: SourceContext): Promise<unknown> {
  const ledger = context.quota ?? api.quota;
  for (let attempt = 1; ; attempt++) {
    const sentAt = context.now();
    const use = useOf(dataApiName, call.method, context.config, sentAt);
    await takeUnits(ledger, use, sentAt);
    const answer = await sendOnce(call, context);
    if (answer.status === 200) return expectedKind(parseJson(answer.body), call.method);
    const refusal = dataApiRefusal(answer, call.customer_parameters ?? []);
    if (refusal.bucket_spent) throw await spendBucket(ledger, use, sentAt);
    if (!refusal.retry || attempt === maxAttempts) throw refusal.error;
    await pause(api.retry_delay_ms, context.signal);
  }
}

/** The parts of a request that are the same for all calls of a method. */
interface RequestTemplate {
  url: string;
  headers: Headers;
  paramsSerializer: (params: object) => string;
}

/**
 * The resources of Google's client library. Each has a method `list`, which resolves with the answer of the auth
 * client.
 */
type Resources = Record<
  DataApiMethod extends `${infer R}.list` ? R : never,
  { list(params: { part: string[] }): PromiseLike<{ data: RequestTemplate }> }
>;

/**
 * Loads Google's client library and returns a function that gets the request template of a method. Each template is
 * built only once, because building a request takes longer than reading a small answer. Nothing is sent, because the
 * library passes its requests to an auth client, and ours only returns them.
 */
const loadTemplates = loadOnce(async () => {
  const { youtube } = await import('googleapis/build/src/apis/youtube/index.js');
  const auth = { request: async (request: RequestTemplate) => ({ data: request }) };
  const options = { version: 'v3', auth: auth as unknown as NonNullable<youtube_v3.Options['auth']> } as const;
  const resources = youtube(options) as unknown as Resources;
  const templates = new Map<DataApiMethod, RequestTemplate>();
  return async (method: DataApiMethod): Promise<RequestTemplate> => {
    const known = templates.get(method);
    if (known !== undefined) return known;
    const [resource] = method.split('.') as [keyof Resources];
    const { data } = await resources[resource].list({ part: [] });
    templates.set(method, data);
    return data;
  };
});

/**
 * Sends one request to the YouTube Data API. Google's client library provides the URL, the headers and the format of
 * the parameters, and our own HTTP client sends the request. The API key is in a header, so that no URL in a log or an
 * error contains the key.
 */
async function sendOnce({ method, params }: DataApiCall, context: SourceContext): Promise<UpstreamAnswer> {
  const templateOf = await loadTemplates();
  const { url, headers, paramsSerializer } = await templateOf(method);
  const apiKey = context.config.youtube_api_key ?? '';
  const request = {
    url: `${url}?${paramsSerializer(params)}`,
    headers: { ...Object.fromEntries(headers), 'x-goog-api-key': apiKey },
  };
  return context.fetch(request, context.signal);
}

function expectedKind(answer: unknown, method: DataApiMethod): unknown {
  if (dig(answer, 'kind') === dataApiMethods[method].answers) return answer;
  throw responseChanged(`the answer to ${method} has an unexpected kind`);
}

async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(waitMs, undefined, { signal });
  } catch (cause) {
    throw new SourceError('SOURCE_TIMEOUT', { cause });
  }
}
