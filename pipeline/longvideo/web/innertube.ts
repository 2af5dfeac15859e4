import type { Innertube } from 'youtubei.js';
import type { SourceContext } from '../../collect/collect.ts';
import { loadOnce } from '../../lazy.ts';
import { unreadKeys } from '../../parse/bounded-json.ts';
import { parseJson } from '../../parse/values.ts';
import { endpointRefusal, type WebEndpoint } from './innertube-refusal.ts';

/**
 * Names of the two YouTube sources without credentials, as in the response field `meta.source` and in the setting
 * KEYLESS_SOURCES.
 */
export const longvideoWebName = 'youtube-web';
export const longvideoAppName = 'youtube-app';

/**
 * The YouTube app that our caption requests name as their client. Of all app clients in `youtubei.js`, it is the one
 * with our newest recorded answers.
 */
const appClient = 'VISIONOS';

/**
 * Sends a request to one endpoint of YouTube's website as a signed-out visitor. Returns the JSON of the answer, not the
 * objects of the library `youtubei.js`. Throws a SourceError for an error answer.
 */
export type Web = (endpoint: WebEndpoint, body: Record<string, unknown>, context: SourceContext) => Promise<unknown>;

/**
 * Maps an endpoint to the URL suffix that selects the fields of YouTube's answer. The suffix reduces a player answer
 * from several hundred kB to 4 kB.
 */
const masks: Partial<Record<WebEndpoint, string>> = {
  '/player': '?$fields=playabilityStatus,videoDetails,microformat,captions',
};

/**
 * Keys whose values no code reads. These values are half of the bytes of an answer, and even more of a list of
 * comments.
 */
const unread = unreadKeys([
  'commentSurfaceEntityPayload',
  'createRenderer',
  'customEmojis',
  'elementUpdate',
  'engagementToolbarSurfaceEntityPayload',
  'expandableMetadata',
  'loggingContext',
  'menuServiceItemRenderer',
  'modalEndpoint',
  'playerOverlays',
  'responseContext',
  'secondaryResults',
  'showSheetCommand',
  'subscribeButton',
  'thumbnailHoverOverlayToggleActionsViewModel',
  'thumbnailOverlayToggleButtonRenderer',
  'topbar',
  'watchEndpointSupportedOnesieConfig',
]);

/**
 * The parts of a request that `youtubei.js` builds. These parts are the same for all requests of a client to an
 * endpoint.
 */
interface RequestTemplate {
  url: string;
  headers: Record<string, string>;
  /** The member `context` of the request body, which describes the client. */
  context: unknown;
}

/**
 * Creates a client for YouTube's website with one shared `youtubei.js` session. The library builds only the first
 * request of each client to each endpoint, because building a request takes longer than reading a small answer, and
 * sends nothing itself. It is loaded with the first request, because loading takes a third of a second.
 */
export function createWeb(): Web {
  const session = loadOnce(openSession);
  const templates = new Map<string, RequestTemplate>();
  return async (endpoint, { client, ...fields }, context) => {
    const key = `${endpoint} ${client ?? 'website'}`;
    let template = templates.get(key);
    if (template === undefined) {
      template = await requestTemplate(await session(), endpoint, client);
      templates.set(key, template);
    }
    const { url, headers } = template;
    const body = JSON.stringify({ ...fields, context: template.context });
    const answer = await context.fetch({ method: 'POST', url, headers, body }, context.signal);
    const refusal = endpointRefusal(endpoint, answer);
    if (refusal !== null) throw refusal;
    return parseJson(answer.body, unread);
  };
}

/**
 * Returns a client that sends requests as the YouTube app instead of the website. `youtubei.js` replaces the app's name
 * in `client` with a full description of the app.
 */
export function asApp(web: Web): Web {
  return (endpoint, body, context) => web(endpoint, { ...body, client: appClient }, context);
}

/** Lets `youtubei.js` build a request to an endpoint, as the website or as another client. */
async function requestTemplate(innertube: Innertube, endpoint: WebEndpoint, client: unknown): Promise<RequestTemplate> {
  const args = client === undefined ? {} : { client };
  const { data } = await innertube.actions.execute(`${endpoint}${masks[endpoint] ?? ''}`, args);
  return data as unknown as RequestTemplate;
}

/**
 * Opens a session that sends nothing. Its `fetch` answers each request with the {@link RequestTemplate} of that
 * request.
 */
async function openSession(): Promise<Innertube> {
  const { Innertube } = await import('youtubei.js');
  return Innertube.create({
    lang: 'en',
    location: 'US',
    retrieve_player: false,
    generate_session_locally: true,
    retrieve_innertube_config: false,
    fetch: async (input, init) => {
      const template: RequestTemplate = {
        url: typeof input === 'object' && 'url' in input ? input.url : String(input),
        headers: Object.fromEntries(new Headers(init?.headers)),
        context: JSON.parse(String(init?.body)).context,
      };
      return Response.json(template);
    },
  });
}
