import type { ErrorCode } from '../../pipeline/errors.ts';

/** The cause of an error and the advice to the caller, in Markdown. */
export interface Guidance {
  cause: string;
  to_do: string;
}

/** One entry for each code: a new code without one does not compile. */
export const guidance: Readonly<Record<ErrorCode, Guidance>> = {
  INVALID_INPUT: {
    cause:
      'A parameter is missing, unknown, repeated or malformed, two parameters exclude each other, a URL belongs to another platform, or a cursor was sent with other parameters than the request that returned it.',
    to_do:
      '`details` names every bad parameter at once, each with what to send instead; for an unknown name it suggests the nearest known one. Correct them and send the request again.',
  },
  CURSOR_EXPIRED: {
    cause:
      'For hashtags, sounds, TikTok playlists and carousel items, the rest of a fetched page is stored for ten minutes, and its cursors expire with it. This cursor is older. A cursor from a cached answer can already be expired.',
    to_do:
      'Start again without `cursor`, and follow `data.pagination.next_cursor` without long pauses. The first page is a separate request at its own price.',
  },
  INVALID_API_KEY: {
    cause: 'The request has no key, or the key is incomplete, unknown, revoked or expired.',
    to_do:
      'Send the whole key in the header `x-api-key`, or as `Authorization: Bearer …`. A key is shown only once: if you lost it, create a new one under *Keys* in the dashboard and revoke the old one.',
  },
  INSUFFICIENT_CREDITS: {
    cause:
      'The balance of the workspace is below the price of the route, or this key has reached its monthly cap; `message` says which.',
    to_do:
      'Add credits under *Credits* in the dashboard, or ask the operator of the server. For a cap: raise it under *Keys*, or wait for the 1st of the month (UTC), when caps reset. Until then, `cache_max_age` can give cached answers for 0 credits. A bulk analysis waits and continues by itself after a top-up.',
  },
  PAID_ACCESS_REQUIRED: {
    cause: 'Campaign reports are part of the purchased tiers, and this workspace has never bought a credit pack.',
    to_do:
      'Buy any credit pack once. Reports then stay available, also after the credits are used, and reading them costs 0 credits.',
  },
  SOURCE_RESTRICTED: {
    cause:
      'The account or item is private, or the platform shows it only after login, to adults, in other regions, or not to this server. We do not work around such restrictions.',
    to_do:
      'When the account or item is private, remove it from your list or ask its owner. When many different requests get this error, the platform blocks this server: tell the operator. Sending the request again does not help.',
  },
  PRODUCTION_KEY_REQUIRED: {
    cause: 'The request used a development key for campaigns or reports, which have no samples.',
    to_do:
      'Use a production key (`tide_live_…`), or a sheet key on the workflow routes, which include campaigns and reports.',
  },
  SHEET_KEY_RESTRICTED: {
    cause:
      'A sheet key works for the workflow routes and the balance only, because other people can often read it in a spreadsheet.',
    to_do: 'Use the matching workflow route, or a production key in a program that keeps it secret.',
  },
  RESOURCE_NOT_FOUND: {
    cause:
      'The platform says that this account, post or video does not exist or was removed. For campaigns and reports: this workspace has none with that id.',
    to_do: 'Check the spelling of the handle or id. A renamed account is found by its new handle only.',
  },
  ROUTE_NOT_FOUND: {
    cause: 'The path does not exist on this server.',
    to_do: 'The message suggests the nearest path; the [reference](endpoints.md) lists all of them.',
  },
  METHOD_NOT_ALLOWED: {
    cause:
      'Every route of the API reads data, so it answers GET only. Pages, documents, `/v1/status` and the balance also answer HEAD; data and workflow routes refuse it, because an answer without a body must not be charged.',
    to_do:
      'Send a GET with query parameters instead of a body. The header `Allow` lists the methods of the path. If you used HEAD to learn the price, send a GET with `estimate=true` instead.',
  },
  REQUEST_TOO_LARGE: {
    cause: 'The URL and the headers of the request are longer than 16 kB together, so the server did not read it.',
    to_do: 'Send fewer values in one request: a URL of up to 8 kB is safe. See the [limits](limits.md).',
  },
  SOURCE_TIMEOUT: {
    cause: 'No source of this route answered in time.',
    to_do:
      'Try again after a few seconds, with growing pauses. With an `Idempotency-Key`, a retry never pays twice for an answer that was lost on the network.',
  },
  SOURCE_RESPONSE_CHANGED: {
    cause: 'The platform answered in an unknown format. The service reports that instead of guessing values.',
    to_do:
      'Wait for an update of the service: a retry gets the same answer. Send the operator the `request_id`. [The status page](/v1/status) shows whether the whole route is affected.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The same `Idempotency-Key` was used with another path or other parameters in the last 24 hours.',
    to_do: 'Create a new key for each different request, and reuse a key only to retry the same request.',
  },
  RATE_LIMITED: {
    cause: 'The workspace sent more than 60 requests in this minute, with all its keys together.',
    to_do:
      'Wait for the seconds in `Retry-After` (`retry_after_seconds` in the body). The header `RateLimit` shows how many requests are left; a workflow route takes up to 50 profiles in one request.',
  },
  SOURCE_CAPACITY: {
    cause: 'The platform limits our requests, or too many requests already wait for it.',
    to_do:
      'Try again later, after `Retry-After` when it is sent. Use `cache_max_age`: a cached answer does not need the platform.',
  },
  INTERNAL: {
    cause: 'Something failed on our side, or the database was not reachable. Nothing was charged.',
    to_do: 'Try again once. If it fails again, send the operator the `request_id`: the log has the cause under it.',
  },
  SOURCE_NOT_IMPLEMENTED: {
    cause: 'The route is planned: it has a path and a price, but no source yet. All microblog routes are planned.',
    to_do: 'Do not use it yet. The [reference](endpoints.md) shows the availability of every route.',
  },
  SOURCE_UNAVAILABLE: {
    cause:
      'The route is marked `unavailable`, or every source of it has just failed or is paused after several failures in a row.',
    to_do:
      'Read `retryable`. When it is false, do not try again: the route is `unavailable` and gives only cached answers and samples, or the operator has switched its sources off. When it is true, try again after `Retry-After`; [the status page](/v1/status) shows until when a source is paused.',
  },
  SERVICE_UNAVAILABLE: {
    cause: 'The database of this server is stopped, unreachable, full, read-only or has no free connection.',
    to_do:
      'Wait for the seconds in `Retry-After`, then send the same request again. When it lasts longer than a few minutes, tell the operator.',
  },
  SOURCE_NOT_CONFIGURED: {
    cause:
      'The only sources of the route need credentials that the operator of this server has not set, or there is no public source yet (TikTok playlists); `message` says which. Live requests to the ad library always get this error.',
    to_do:
      'When credentials are missing: ask the operator or, on your own server, see [Operating](operating.md). For TikTok playlists and the ad library there is nothing to set: use only their samples for now.',
  },
};
