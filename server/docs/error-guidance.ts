import type { ErrorCode } from '../../pipeline/errors.ts';

/** What the table of errors does not say: where an error comes from, and what whoever meets it does. */
export interface Guidance {
  cause: string;
  /** In Markdown. */
  to_do: string;
}

/** One entry for each code: a new code without one does not compile. */
export const guidance: Readonly<Record<ErrorCode, Guidance>> = {
  INVALID_INPUT: {
    cause:
      'A parameter is missing, unknown, sent twice or malformed, two exclude each other, a URL belongs to another platform, or a cursor was sent with other parameters than those it was made for.',
    to_do:
      '`details` names every bad parameter at once, each with what to send instead; an unknown name comes with the nearest known one. Correct them and send the request again.',
  },
  CURSOR_EXPIRED: {
    cause:
      'Lists of hashtags, sounds, short-video playlists and carousel items keep the rest of a fetched page for ten minutes, and their cursors end with it. This cursor is older; one out of a cached answer may be, too.',
    to_do:
      'Start again without `cursor`, and follow `data.pagination.next_cursor` without long pauses. The first page is a request of its own, at its own price.',
  },
  INVALID_API_KEY: {
    cause: 'There is no key in the request, or it is cut off, unknown, revoked or expired.',
    to_do:
      'Send the whole key in the header `x-api-key`, or as `Authorization: Bearer …`. A key is shown once: if it is lost, make a new one under *Keys* in the dashboard and revoke the old one.',
  },
  INSUFFICIENT_CREDITS: {
    cause:
      'The balance of the workspace is below the price of the route, or the monthly cap of this key is reached; `message` says which of the two.',
    to_do:
      'Add credits, raise the cap, or wait for the 1st of the month (UTC), when caps begin anew. `cache_max_age` may answer for 0 credits in the meantime. A bulk analysis waits by itself and goes on after a top-up.',
  },
  PAID_ACCESS_REQUIRED: {
    cause: 'Campaign reports belong to the purchased tiers, and this workspace has never bought a pack.',
    to_do: 'Buy any credit pack; the tier stays. Reading reports costs 0 credits.',
  },
  SOURCE_RESTRICTED: {
    cause:
      'The account or item is private, or the source shows it only after a sign-in, above an age, in another region, or not to us. We go no way round that.',
    to_do: 'Treat it as an answer: take the item out of the list, or ask its owner. Asking again changes nothing.',
  },
  PRODUCTION_KEY_REQUIRED: {
    cause: 'A development key asked for campaigns or their reports, of which there are no samples.',
    to_do: 'Use a production key (`tide_live_…`) or a sheet key.',
  },
  SHEET_KEY_RESTRICTED: {
    cause: 'A sheet key opens the workflow routes and the balance alone, because it is kept where others can read it.',
    to_do: 'Ask the matching workflow route, or use a production key from a place that nobody else reads.',
  },
  RESOURCE_NOT_FOUND: {
    cause:
      'The source says that there is no such account, post or video, or that it was removed. For campaigns and reports: this workspace has none with that id.',
    to_do: 'Check the spelling of the handle or id. A renamed account is found by its new handle only.',
  },
  ROUTE_NOT_FOUND: {
    cause: 'The path does not exist on this server.',
    to_do: 'The message names the nearest path; all of them stand in the [reference](endpoints.md).',
  },
  METHOD_NOT_ALLOWED: {
    cause:
      'Every route of the API reads, so only GET is answered. HEAD is answered by pages, documents, `/v1/status` and the balance; data and workflow routes refuse it, because an answer without its body must not be charged.',
    to_do:
      'Send a GET with query parameters instead of a body. The header `Allow` names the methods of the path. To learn what a request would cost, send it with `estimate=true`.',
  },
  REQUEST_TOO_LARGE: {
    cause: 'The address of the request and its headers are over 16 kB together, so the request was not read.',
    to_do: 'Send fewer values in one request: an address of up to 8 kB is safe. See the [limits](limits.md).',
  },
  SOURCE_TIMEOUT: {
    cause: 'The source did not answer within its time, nor did any other source of this route.',
    to_do:
      'Try again after a few seconds, with growing pauses. With an `Idempotency-Key` a retry never pays for an answer that was lost on the way.',
  },
  SOURCE_RESPONSE_CHANGED: {
    cause: 'The source answered in a shape that we do not know, so we say so instead of guessing values.',
    to_do:
      'Wait for an update of the service: a retry meets the same page. Tell the operator the `request_id`. [The status page](/v1/status) shows whether the whole route is affected.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The same `Idempotency-Key` came with another path or other parameters in the last 24 hours.',
    to_do: 'Make a new key for each different request, and keep one only for its own retries.',
  },
  RATE_LIMITED: {
    cause: 'The workspace sent more than 60 requests in this minute, over all its keys together.',
    to_do:
      'Wait for the seconds in `Retry-After` (`retry_after_seconds` in the body). Watch the header `RateLimit`; a workflow route carries up to 50 profiles in one request.',
  },
  SOURCE_CAPACITY: {
    cause: 'The source throttles us, or so many requests wait for it that another one would only wait in vain.',
    to_do:
      'Try again later, after `Retry-After` where it is sent. Accepting cached answers with `cache_max_age` asks the source less often.',
  },
  INTERNAL: {
    cause: 'A mistake of ours, or our database was away. Nothing was charged.',
    to_do: 'Try again once; if it stays, send the operator the `request_id`, under which the log has the reason.',
  },
  SOURCE_NOT_IMPLEMENTED: {
    cause: 'The route is planned: it has its place and price, and no source yet. All microblog routes are among these.',
    to_do: 'Leave it out. The availability of every route stands in the [reference](endpoints.md).',
  },
  SOURCE_UNAVAILABLE: {
    cause:
      'The route is marked `unavailable`, or every source of it failed just now, or is paused after failing several times in a row.',
    to_do:
      'Read `retryable`. It is false for an `unavailable` route, which gives cached answers and samples only, and where the operator has switched the sources off: do not try again. Where it is true, try again after `Retry-After`; [the status page](/v1/status) says since when.',
  },
  SOURCE_NOT_CONFIGURED: {
    cause:
      'The only sources of the route need credentials that the operator of this server has not set, or no public source exists yet (playlists of short videos): the message says which. Live requests to the advertising library always answer so.',
    to_do:
      'When credentials are missing: ask the operator, or, on a server of your own, see [Operating](operating.md).',
  },
};
