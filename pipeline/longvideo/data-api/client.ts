import { setTimeout as delay } from 'node:timers/promises';
import type { youtube_v3 } from 'googleapis/build/src/apis/youtube/index.js';
import type { QuotaLedger } from '../../../db/requests/quota.ts';
import type { SourceContext } from '../../collect/collect.ts';
import { SourceError } from '../../errors.ts';
import { loadOnce } from '../../lazy.ts';
import type { UpstreamAnswer } from '../../network/fetcher.ts';
import { dig, parseJson } from '../../parse/values.ts';
import { officialItems } from '../pages.ts';
import { type DataApiMethod, dataApiMethods, spendBucket, takeUnits, useOf } from './quota.ts';
import { dataApiRefusal } from './refusal.ts';

/** Name of the YouTube Data API as a data source, as in the response field `meta.source`. */
export const dataApiName = 'youtube-data-api';

/**
 * Maximum number of attempts per request to the YouTube Data API: the first one, and one retry after a temporary
 * failure.
 */
const maxAttempts = 2;

export interface DataApi {
  /**
   * Counter of the used YouTube quota in this process. It is used for requests whose context has no counter that all
   * processes share.
   */
  quota: QuotaLedger;
  /** Milliseconds to wait before a failed request is sent again. */
  retry_delay_ms: number;
}

interface DataApiCall {
  method: DataApiMethod;
  /** Builds the request with Google's official client library. It is called once for each attempt. */
  build: (youtube: youtube_v3.Youtube) => PromiseLike<{ data: unknown }>;
  /**
   * Names of the request parameters whose value comes from the customer. If YouTube refuses such a value, the customer
   * gets the error.
   */
  customer_parameters?: readonly string[];
}

/**
 * Calls a list method of the YouTube Data API and returns the items in the answer, in their order; empty when nothing
 * was found. Throws a SourceError that depends on the error reasons in the answer. Throws SOURCE_CAPACITY without
 * sending a request when the daily quota is used up.
 */
export async function dataApiItems(api: DataApi, call: DataApiCall, context: SourceContext): Promise<unknown[]> {
  return officialItems(await dataApiAnswer(api, call, context));
}

/**
 * Calls a list method of the YouTube Data API and returns the whole answer, which also has the page tokens. Throws the
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

/** A request in the form in which Google's client library passes it to its auth client. */
interface UnsentRequest {
  url: string;
  params: object;
  paramsSerializer: (params: object) => string;
  headers: Headers;
}

/**
 * Loads Google's client library. Each of its methods returns the request that it has built and sends nothing, because
 * an auth client sends all requests, and ours returns them. The HTTP client of the library would copy each request,
 * which takes longer than building it.
 */
const loadLibrary = loadOnce(async () => {
  const { youtube } = await import('googleapis/build/src/apis/youtube/index.js');
  const auth = {
    async request({ url, params, paramsSerializer, headers }: UnsentRequest) {
      return { data: { url: `${url}?${paramsSerializer(params)}`, headers: Object.fromEntries(headers) } };
    },
  };
  return youtube({ version: 'v3', auth: auth as unknown as NonNullable<youtube_v3.Options['auth']> });
});

/**
 * Sends one request to the YouTube Data API. Google's client library builds the request, and our own HTTP client sends
 * it. The API key is in a header, so that no URL in a log or an error contains the key.
 */
async function sendOnce(call: DataApiCall, context: SourceContext): Promise<UpstreamAnswer> {
  const { data } = await call.build(await loadLibrary());
  const { url, headers } = data as { url: string; headers: Record<string, string> };
  const apiKey = context.config.youtube_api_key ?? '';
  return context.fetch({ url, headers: { ...headers, 'x-goog-api-key': apiKey } }, context.signal);
}

function expectedKind(answer: unknown, method: DataApiMethod): unknown {
  if (dig(answer, 'kind') === dataApiMethods[method].answers) return answer;
  throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `the answer to ${method} has another kind` });
}

async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(waitMs, undefined, { signal });
  } catch (cause) {
    throw new SourceError('SOURCE_TIMEOUT', { cause });
  }
}
