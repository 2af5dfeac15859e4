import { AsyncLocalStorage } from 'node:async_hooks';
import type { Innertube } from 'youtubei.js';
import type { SourceContext } from '../../collect/collect.ts';
import type { UpstreamAnswer } from '../../network/fetcher.ts';
import { parseJson } from '../../parse/values.ts';
import { type WebEndpoint, webRefusal } from './innertube-refusal.ts';

/**
 * Names of the two YouTube sources without credentials, as in the response field `meta.source` and in the setting
 * KEYLESS_SOURCES.
 */
export const webName = 'youtube-web';
export const appName = 'youtube-app';

/**
 * The YouTube app that our caption requests name as their client. Of the app clients that `youtubei.js` supports, we
 * have the newest recorded answers of this one.
 */
const appClient = 'VISIONOS';

/**
 * Sends a request to one endpoint of YouTube's website as a signed-out visitor. Returns the JSON of the answer, not the
 * objects of the library `youtubei.js`. Throws a SourceError for an error answer.
 */
export type Web = (endpoint: WebEndpoint, body: Record<string, unknown>, context: SourceContext) => Promise<unknown>;

/**
 * Maps an endpoint to the URL suffix that selects the fields of YouTube's answer. With the suffix, an answer of the
 * player has 4 kB instead of several hundred kB.
 */
const masks: Partial<Record<WebEndpoint, string>> = {
  '/player': '?$fields=playabilityStatus,videoDetails,microformat,captions',
};

/** A request that the library `youtubei.js` is about to send. It is sent with the fetch function in `context`. */
interface PendingRequest {
  context: SourceContext;
  answer: UpstreamAnswer | null;
}

/**
 * Creates a client for YouTube's website with one shared `youtubei.js` session. The session builds the part of a
 * request that describes the client, and sends nothing by itself. The library is loaded at the first request, because
 * loading it takes a third of a second.
 */
export function createWeb(): Web {
  const pendingRequests = new AsyncLocalStorage<PendingRequest>();
  let session: Promise<Innertube> | undefined;
  return async (endpoint, body, context) => {
    session ??= openSession(pendingRequests).catch((error: unknown) => {
      session = undefined;
      throw error;
    });
    const innertube = await session;
    const pending: PendingRequest = { context, answer: null };
    await pendingRequests.run(pending, () => innertube.actions.execute(`${endpoint}${masks[endpoint] ?? ''}`, body));
    if (pending.answer === null) throw new Error(`youtubei.js sent no request to ${endpoint}`);
    const refusal = webRefusal(endpoint, pending.answer);
    if (refusal !== null) throw refusal;
    return parseJson(pending.answer.body);
  };
}

/**
 * Returns a client that sends requests as the YouTube app instead of the website. `youtubei.js` replaces the app's name
 * in `client` by a full description of the app.
 */
export function asApp(web: Web): Web {
  return (endpoint, body, context) => web(endpoint, { ...body, client: appClient }, context);
}

async function openSession(pendingRequests: AsyncLocalStorage<PendingRequest>): Promise<Innertube> {
  const { Innertube } = await import('youtubei.js');
  return Innertube.create({
    lang: 'en',
    location: 'US',
    retrieve_player: false,
    generate_session_locally: true,
    retrieve_innertube_config: false,
    fetch: async (input, init) => {
      const pending = pendingRequests.getStore();
      if (pending === undefined) throw new Error('youtubei.js sent a request outside of a call to the web client');
      pending.answer = await pending.context.fetch(
        {
          method: 'POST',
          url: typeof input === 'object' && 'url' in input ? input.url : String(input),
          headers: Object.fromEntries(new Headers(init?.headers)),
          body: String(init?.body),
        },
        pending.context.signal,
      );
      return new Response('{}', { status: 200 });
    },
  });
}
