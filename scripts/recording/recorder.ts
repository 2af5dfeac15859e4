import type { SourcesConfig } from '../../pipeline/collect/sources.ts';
import type { Fetcher } from '../../pipeline/network/fetcher.ts';
import { createHttpClient, httpLimits, upstreamHosts } from '../../pipeline/network/http-client.ts';
import { UsageError } from '../operator/command.ts';
import { cutBody } from './cut.ts';
import { entryOf, identityOf } from './exchange-entry.ts';
import type { RecordedExchange } from './folder.ts';
import { createSecretRemover } from './secrets.ts';

interface Recorder {
  fetch: Fetcher;
  /**
   * Returns the recorded requests and answers, without secrets. If a request was sent twice, its last answer is
   * returned. Throws UsageError when no answer has the path `only`.
   */
  exchanges(): RecordedExchange[];
}

/**
 * Creates a function that sends requests through `upstream` and records their answers. A redirect is recorded as a
 * separate request. `only`: a dot path. If a JSON answer has this path, only that part of it is recorded.
 */
export function createRecorder(upstream: Fetcher, config: SourcesConfig, only: string | undefined): Recorder {
  const removeSecrets = createSecretRemover([
    config.youtube_api_key,
    config.instagram_graph_token,
    config.meta_adlibrary_token,
    config.x_bearer_token,
  ]);
  const recorded = new Map<string, RecordedExchange>();
  let cuts = 0;

  return {
    fetch: (request, signal) => {
      const time = request.timeout_ms === undefined ? {} : { timeout_ms: request.timeout_ms };
      const client = createHttpClient(upstreamHosts, httpLimits, async ({ method, url, headers, body, ...hop }) => {
        const sent = { method, url: url.href, headers, ...(body !== undefined && { body }) };
        const answer = await upstream({ ...sent, ...time, max_bytes: hop.max_bytes }, hop.signal);
        const cut = only === undefined ? undefined : cutBody(answer.body, only);
        if (cut !== undefined) cuts++;
        // Latin-1 keeps every byte of an answer that is not UTF-8. Credentials are ASCII, so they are still found.
        const stored = Buffer.from(removeSecrets((cut ?? answer.body).toString('latin1')), 'latin1');
        const entry = entryOf(sent, { ...answer, body: stored }, removeSecrets, config.instagram_graph_user_id);
        recorded.set(identityOf(entry), { entry, body: stored });
        return answer;
      });
      return client(request, signal);
    },
    exchanges() {
      if (only !== undefined && recorded.size > 0 && cuts === 0) {
        throw new UsageError(`--only: no JSON answer has ${only}. Nothing was stored: check the path.`);
      }
      return [...recorded.values()];
    },
  };
}
