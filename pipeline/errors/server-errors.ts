import type { ErrorRow } from './row.ts';

/** The error codes that only the API server itself uses. Code that fetches data from platforms never throws them. */
export const serverErrors = {
  CURSOR_EXPIRED: {
    status: 400,
    sandbox: ['exp', '1400'],
    retryable: false,
    message:
      'This cursor has expired: the rest of this list was kept for ten minutes. Send the request again without `cursor`; its first page is charged again.',
    cause:
      'For hashtags, sounds and carousel items, the rest of a fetched page and its cursors are stored for ten minutes. This cursor is older. A cursor from a cached answer can already be expired.',
    to_do:
      'Send the request again without `cursor`: its first page is charged again. Then follow `data.pagination.next_cursor` without long pauses.',
    next_step: 'Call again without cursor; the first page is charged again.',
  },
  INVALID_API_KEY: {
    status: 401,
    sandbox: ['401', '0401'],
    retryable: false,
    message:
      'The API key is missing or not valid. In Google Sheets, choose “Connect key…” in the menu; in a program, send it in the header x-api-key.',
    cause: 'The request has no key, or the key is incomplete, unknown, revoked or expired.',
    to_do:
      'In Google Sheets: choose *Connect key…* in the add-on’s menu and paste the whole key. In a program: send it in the header `x-api-key`, or as `Authorization: Bearer …`. A key is shown only once: if you lost it, create a new one under *Keys* in the dashboard and revoke the old one.',
    next_step: 'Ask the user for a valid API key: it belongs in the settings of the MCP client.',
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    sandbox: ['402', '0402'],
    retryable: false,
    message:
      'There are not enough credits, or the monthly cap of this key is reached: add credits, or create a new key with a higher monthly cap.',
    cause:
      'The price of the request is above the balance of the workspace, or above what is left of the monthly cap of this key; `message` says which.',
    to_do:
      'When credits are missing: add some under *Credits* in the dashboard, or ask your Tidemark administrator. When the cap is reached: create a new key with a higher monthly cap under *Keys*, or wait for the 1st of the month (UTC). Until then, cached answers stay free (`cache_max_age`, in formulas `max_age`). A bulk analysis waits and continues by itself.',
    next_step:
      'Tell the user that credits are missing or the cap of the key is reached; calling again does not help until that changes.',
  },
  PAID_ACCESS_REQUIRED: {
    status: 402,
    sandbox: ['pay', '1402'],
    retryable: false,
    message:
      'Campaigns and their reports need the tier Pro or higher: buy any credit pack, or ask your Tidemark administrator.',
    cause: 'This workspace has the tier Air.',
    to_do:
      'Buy any credit pack under *Credits* in the dashboard. Where online payment is off, ask your Tidemark administrator for a higher tier. Reading reports costs 0 credits.',
    next_step: 'Tell the user; calling again does not help until they have a higher tier.',
  },
  PRODUCTION_KEY_REQUIRED: {
    status: 403,
    sandbox: ['key', '1403'],
    retryable: false,
    message:
      'Campaigns and reports need a production or sheet key (tide_live_…): they have no samples for a development key.',
    cause:
      'The request used a development key (`tide_test_…`). Such a key returns only samples, and campaigns and reports have none.',
    to_do:
      'Use a production key or a sheet key: both begin with `tide_live_`, and both are made under *Keys* in the dashboard.',
    next_step: 'Tell the user that this needs a production key (tide_live_).',
  },
  SHEET_KEY_RESTRICTED: {
    status: 403,
    sandbox: ['sht', '2403'],
    retryable: false,
    message: 'A sheet key works only for the workflow routes and the balance: use a production key for this route.',
    cause:
      'A sheet key works for the workflow routes and the balance only, because other people can often read it in a spreadsheet.',
    to_do:
      'Use the matching route of the [workflows](workflows.md), or a production key in a program that keeps it secret.',
    next_step:
      'Use what=rows, tracked_items, campaign_report or credits with this key, or ask the user for a production key.',
  },
  KEY_NOT_ALLOWED: {
    status: 403,
    sandbox: ['scp', '3403'],
    retryable: false,
    message: 'This API key is limited to other routes: use a key that may call this route.',
    cause:
      'The key was limited when it was created: to the data routes, to the workflow routes and the balance, or to MCP. This request is something else. `message` says what is missing.',
    to_do: 'Use another key, or create one under *Keys* in the dashboard that may do this.',
    next_step: 'Tell the user that this API key may not do this; calling again does not help.',
  },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    sandbox: ['net', '4403'],
    retryable: false,
    message: 'This API key does not work from your IP address: call from an address that the key allows.',
    cause:
      'The key works only from certain IP addresses, and the request came from another one. When the server runs behind a proxy, its administrator must set `TRUST_PROXY`: otherwise every request seems to come from the proxy.',
    to_do:
      'Call from an address that the key allows, or create a key with other addresses. *Keys* in the dashboard lists them. If you did not send this request, revoke the key: somebody else has it.',
    next_step: 'Tell the user that this API key does not work from here; calling again does not help.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'This path does not exist: see /docs for all paths.',
    cause: 'The path does not exist on this server.',
    to_do: 'The message suggests the nearest path; the [reference](endpoints.md) lists all of them.',
    next_step: 'Call routes without path for the list.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    message: 'The request used a wrong HTTP method: send GET. If a program sent this, show it to your developer.',
    cause:
      'Every route of the API reads data, so it answers GET only. Pages, documents, `/v1/status` and the balance also answer HEAD; data and workflow routes refuse it, because an answer without a body must not be charged.',
    to_do:
      'Send a GET with query parameters instead of a body. The header `Allow` lists the methods of the path. If you used HEAD to learn the price, send a GET with `estimate=true` instead. If you are not a developer, show this error to one.',
    next_step: 'Call another tool.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    retryable: false,
    message: 'A program or a form sent too much data at once: send less, or show this to your developer.',
    cause:
      'The body of a form, an OAuth request or a payment event is larger than its limit. Routes of the API take no body.',
    to_do:
      'Send less data at once: `message` names the limit. If a program sent it, show this error to your developer.',
    next_step: 'Call again with less data.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    sandbox: ['idm', '1422'],
    retryable: false,
    message:
      'This Idempotency-Key was already used for another request. Send a new Idempotency-Key; your API key stays the same.',
    cause: 'The same `Idempotency-Key` was used with another path or other parameters in the last 24 hours.',
    to_do:
      'Generate a new `Idempotency-Key` for each different request, and send the same one only to retry the same request. Your API key is not affected.',
    next_step: 'Call again with a new idempotency_key, or without one.',
  },
  RATE_LIMITED: {
    status: 429,
    sandbox: ['429', '0429'],
    retryable: true,
    retry_after_seconds: 60,
    message: 'Too many requests in this minute: wait one minute. In a spreadsheet, use one formula for a whole column.',
    cause:
      'The workspace sent more than 60 requests in this minute, with all its keys together. Cached answers do not count toward the 60; with them, 600 are allowed.',
    to_do:
      'Wait one minute, or exactly the seconds in `Retry-After` (`retry_after_seconds` in the body). In a spreadsheet, use one formula for a whole column: it sends up to 50 profiles in one request. The header `RateLimit` shows how many requests are left.',
    next_step: 'Wait, then call again with the same arguments.',
  },
  REQUEST_TOO_LARGE: {
    status: 431,
    retryable: false,
    message: 'The request is too long (over 16 kB): ask for fewer profiles or fields at once.',
    cause: 'The URL and the headers of the request are longer than 16 kB together, so the server did not read it.',
    to_do:
      'Ask for fewer profiles, posts or fields in one request. For developers: a URL of up to 8 kB is safe. See the [limits](limits.md).',
    next_step: 'Call again with fewer or shorter arguments.',
  },
  INTERNAL: {
    status: 500,
    sandbox: ['500', '0500'],
    retryable: true,
    retry_after_seconds: 5,
    message: 'Something failed on our side, and nothing was charged. We logged it under this request id: try again.',
    cause: 'The service has a fault. Nothing was charged.',
    to_do:
      'Try again once. If it fails again, send your Tidemark administrator the `request_id`: the log has the cause under this id.',
    next_step: 'Call again once; if it fails again, tell the user the request id.',
    batch_label: 'failed on our side',
  },
  SOURCE_NOT_IMPLEMENTED: {
    status: 501,
    sandbox: ['501', '0501'],
    retryable: false,
    message: 'This data is not available yet. The list at /docs/api shows which data this server can return.',
    cause:
      'The route is planned: it has a path and a price, but does not work yet. All routes for X (`microblog` in paths) are planned.',
    to_do: 'Do not use it yet. The [reference](endpoints.md) shows the availability of every route.',
    next_step: 'Do not call again: this data is not available yet.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    sandbox: ['off', '2503'],
    retryable: true,
    retry_after_seconds: 5,
    message:
      'The service cannot reach its database now, and nothing was charged: try again after the seconds in Retry-After.',
    cause: 'The database of this server is stopped, unreachable, full, read-only or has no free connection.',
    to_do:
      'Wait for the seconds in `Retry-After`, then send the same request again. When it lasts longer than a few minutes, tell your Tidemark administrator.',
    next_step: 'Wait, then call again with the same arguments.',
  },
  CHARGE_UNCONFIRMED: {
    status: 503,
    sandbox: ['unc', '3503'],
    retryable: true,
    retry_after_seconds: 5,
    may_be_charged: true,
    message:
      'The database did not confirm the charge in time. If you were charged, the credits normally come back by themselves. Send the request again with the same Idempotency-Key: you then pay for it at most once.',
    cause:
      'The connection to the database broke while the charge was written, and the database did not answer for 10 seconds. This is the only error after which a charge is possible.',
    to_do:
      'Wait for the seconds in `Retry-After`, then send the same request again, with the same `Idempotency-Key` if you sent one: you then pay for it at most once. If the first try was charged, the ledger gets an entry `return` with the same request id when the database works again. The exception: if the server stops before that, the credits do not come back by themselves. Then ask your Tidemark administrator: the charge is in the log of the server.',
    next_step: 'Wait, then call again with the same arguments and the same idempotency_key.',
    batch_label: 'charge not confirmed',
  },
} as const satisfies Record<string, ErrorRow>;
