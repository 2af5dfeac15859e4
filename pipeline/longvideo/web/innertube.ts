import { AsyncLocalStorage } from 'node:async_hooks';
import type { Innertube } from 'youtubei.js';
import type { SourceContext } from '../../collect/collect.ts';
import type { UpstreamAnswer } from '../../network/fetcher.ts';
import { parseJson } from '../../parse/values.ts';
import { type WebEndpoint, webRefusal } from './innertube-refusal.ts';

/** The names in `meta.source` and in KEYLESS_SOURCES. */
export const webName = 'youtube-web';
export const appName = 'youtube-app';

/** The one app that captions are asked as: its recorded answers are the newest, and `youtubei.js` knows it. Never another. */
const appClient = 'VISIONOS';

/** Asks one endpoint as a signed-out visitor and gives its JSON, unparsed by the library. Throws SourceError. */
export type Web = (endpoint: WebEndpoint, body: Record<string, unknown>, context: SourceContext) => Promise<unknown>;

/** The source honours a mask of top-level members: four kilobytes of a player answer instead of several hundred. */
const masks: Partial<Record<WebEndpoint, string>> = {
  '/player': '?$fields=playabilityStatus,videoDetails,microformat,captions',
};

/** What the library sends goes out through the door of the request that caused it. */
interface Errand {
  context: SourceContext;
  answer: UpstreamAnswer | null;
}

/**
 * One session of `youtubei.js`, made at the first question and shared by all: it makes the client's context and asks
 * nothing by itself. The library is loaded as late as that, because it costs a third of a second.
 */
export function createWeb(): Web {
  const errands = new AsyncLocalStorage<Errand>();
  let session: Promise<Innertube> | undefined;
  return async (endpoint, body, context) => {
    session ??= openSession(errands).catch((error: unknown) => {
      session = undefined;
      throw error;
    });
    const innertube = await session;
    const errand: Errand = { context, answer: null };
    await errands.run(errand, () => innertube.actions.execute(`${endpoint}${masks[endpoint] ?? ''}`, body));
    if (errand.answer === null) throw new Error(`youtubei.js sent nothing to ${endpoint}`);
    const refusal = webRefusal(endpoint, errand.answer);
    if (refusal !== null) throw refusal;
    return parseJson(errand.answer.body);
  };
}

/** The same, but as the app: the library takes the client out of the body and puts its context in. */
export function asApp(web: Web): Web {
  return (endpoint, body, context) => web(endpoint, { ...body, client: appClient }, context);
}

async function openSession(errands: AsyncLocalStorage<Errand>): Promise<Innertube> {
  const { Innertube } = await import('youtubei.js');
  return Innertube.create({
    lang: 'en',
    location: 'US',
    retrieve_player: false,
    generate_session_locally: true,
    retrieve_innertube_config: false,
    fetch: async (input, init) => {
      const errand = errands.getStore();
      if (errand === undefined) throw new Error('youtubei.js asked outside of a request');
      errand.answer = await errand.context.fetch(
        {
          method: 'POST',
          url: typeof input === 'object' && 'url' in input ? input.url : String(input),
          headers: Object.fromEntries(new Headers(init?.headers)),
          body: String(init?.body),
        },
        errand.context.signal,
      );
      return new Response('{}', { status: 200 });
    },
  });
}
