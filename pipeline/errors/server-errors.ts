import type { ErrorRow } from './row.ts';

/**
 * The error codes that only the API server itself uses. Code that fetches data from platforms never throws these
 * errors.
 */
export const serverErrors = {
  CURSOR_EXPIRED: {
    status: 400,
    sandbox: ['exp', '1400'],
    retryable: false,
    message:
      'This cursor has expired: the rest of this list was kept for ten minutes. Send the request again without `cursor`; its first page is charged again.',
    cause:
      'For hashtags, sounds and carousel items, the remaining rows of a fetched page are stored for ten minutes, and their cursors work only during this time. This cursor is older. A cursor from a cached answer can be expired from the beginning.',
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
      'In Google Sheets: choose *Connect key…* in the add-on’s menu and paste the whole key. In a program: send the key in the header `x-api-key`, or as `Authorization: Bearer …`. A key is shown only once: if you lost it, create a new key (for a spreadsheet on [Get the add-on](/addon), else as an owner under *Keys* in the dashboard), and let an owner revoke the old key.',
    next_step: 'Ask the user for a valid API key: it belongs in the settings of the MCP client.',
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    sandbox: ['402', '0402'],
    retryable: false,
    message:
      'There are not enough credits, or the monthly cap of this key is reached: add credits, or create a new key with a higher monthly cap.',
    cause:
      'The price of the request is higher than the balance of the workspace, or higher than what is left of this key’s monthly cap; `message` says which.',
    to_do:
      'When credits are missing: add credits under *Credits* in the dashboard, or ask your Tidemark administrator. When the cap is reached: create a new key with a higher monthly cap (for a spreadsheet on [Get the add-on](/addon), else as an owner under *Keys*), or wait until the 1st of the month (UTC). The cap of an existing key cannot be changed. Until then, cached answers are still free (`cache_max_age`, in formulas `max_age`). A bulk analysis waits and continues automatically.',
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
      'Use a production key or a sheet key: both begin with `tide_live_`. Owners create one under *Keys* in the dashboard; owners and editors can make a sheet key on [Get the add-on](/addon).',
    next_step: 'Tell the user that this needs a production key (tide_live_).',
  },
  SHEET_KEY_RESTRICTED: {
    status: 403,
    sandbox: ['sht', '2403'],
    retryable: false,
    message: 'A sheet key works only for the workflow routes and the balance: use a production key for this route.',
    cause:
      'A sheet key works only for the workflow routes and the balance, because other people can often read the key in a spreadsheet.',
    to_do:
      'Use the [workflow route](workflows.md) for the same data, or a production key in a program that keeps the key secret.',
    next_step:
      'Use what=rows, tracked_items, campaign_report or credits with this key, or ask the user for a production key.',
  },
  KEY_NOT_ALLOWED: {
    status: 403,
    sandbox: ['scp', '3403'],
    retryable: false,
    message: 'This API key is limited to other routes: use a key that may call this route.',
    cause:
      'When the key was created, it was limited to some of these: the data routes, the workflow routes with the balance, MCP. The request needs another of them, which `message` names.',
    to_do: 'Use a key that may call this route, or create one under *Keys* in the dashboard.',
    next_step: 'Tell the user that this API key may not do this; calling again does not help.',
  },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    sandbox: ['net', '4403'],
    retryable: false,
    message: 'This API key does not work from your IP address: call from an address that the key allows.',
    cause:
      'The key works only from certain IP addresses, and the request came from another address. Or the server runs behind a proxy and its administrator has not set `TRUST_PROXY`: then every request seems to come from the proxy.',
    to_do:
      'Call from an address that the key allows, or create a key with other addresses. *Keys* in the dashboard lists the allowed addresses. If you did not send this request, revoke the key: somebody else has it.',
    next_step: 'Tell the user that this API key does not work from here; calling again does not help.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'This path does not exist: see /docs for all paths.',
    cause: 'The path does not exist on this server.',
    to_do:
      'Correct the path: `message` suggests the most similar path, and the [reference](endpoints.md) lists all paths.',
    next_step: 'Call routes without path for the list.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    message: 'The request used a wrong HTTP method: send GET. If a program sent this, show it to your developer.',
    cause:
      'Every route of the API reads data, so routes accept only GET. Pages, documents, `/v1/status` and the balance also accept HEAD. Data and workflow routes refuse HEAD, because an answer without a body must not be charged.',
    to_do:
      'Send a GET request with query parameters instead of a body. The header `Allow` lists the methods that the path accepts. If you used HEAD to learn the price, send a GET request with `estimate=true` instead. If you are not a developer, show this error to your developer.',
    next_step: 'Call another tool.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    retryable: false,
    message: 'A program or a form sent too much data at once: send less, or show this to your developer.',
    cause:
      'The body of a form, an OAuth request or a payment event is larger than its limit. Routes of the API need no body.',
    to_do:
      'Send less data at once: `message` names the limit. If a program sent the data, show this error to your developer.',
    next_step: 'Call again with fewer or shorter arguments.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    sandbox: ['idm', '1422'],
    retryable: false,
    message:
      'This Idempotency-Key was already used for another request. Send a new Idempotency-Key; your API key stays the same.',
    cause: 'The same `Idempotency-Key` was used with another path or other parameters in the last 24 hours.',
    to_do:
      'Generate a new `Idempotency-Key` for each different request. Send the same `Idempotency-Key` again only to retry the same request. Your API key is not affected.',
    next_step: 'Call again with a new idempotency_key, or without one.',
  },
  RATE_LIMITED: {
    status: 429,
    sandbox: ['429', '0429'],
    retryable: true,
    retry_after_seconds: 60,
    message: 'Too many requests in this minute: wait one minute. In a spreadsheet, use one formula for a whole column.',
    cause:
      'The workspace sent more than 60 requests in this minute that count toward the lower limit (for new data, and some free ones, such as those for tracked items, reports and the balance), or more than 600 requests in all. The requests of all its keys count together. The [limits](limits.md#requests) say which requests count.',
    to_do:
      'Wait one minute, or exactly the seconds in `Retry-After` (`retry_after_seconds` in the body). In a spreadsheet, use one formula for a whole column: it requests up to 50 profiles at once. The header `RateLimit` shows how many requests are left.',
    next_step: 'Wait, then call again with the same arguments.',
  },
  REQUEST_TOO_LARGE: {
    status: 431,
    retryable: false,
    message: 'The request is too long (over 16 kB): ask for fewer profiles or fields at once.',
    cause:
      'The URL and the headers of the request are together longer than 16 kB, so the server did not read the request.',
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
    cause: 'Something in Tidemark or on its server failed. Your request is not the cause.',
    to_do:
      'Try again once. If the request fails again, send your Tidemark administrator the `request_id` (in a spreadsheet, it is in the column `message`): the log has the cause under this id.',
    next_step: 'Call again once; if it fails again, tell the user the request id.',
    batch_label: 'failed on our side',
  },
  SOURCE_NOT_IMPLEMENTED: {
    status: 501,
    sandbox: ['501', '0501'],
    retryable: false,
    message: 'Tidemark cannot return this data yet. The list at /docs/api shows which data it can return.',
    cause:
      'The route is planned: it has a path and a price, but does not work yet. All routes for X (`microblog` in paths) are planned.',
    to_do: 'Do not use this route yet. The [reference](endpoints.md) shows the availability of every route.',
    next_step: 'Do not call again: this data is not available yet.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    sandbox: ['off', '2503'],
    retryable: true,
    retry_after_seconds: 5,
    message:
      'The service cannot use its database now, and nothing was charged: try again after the seconds in Retry-After.',
    cause: 'The server’s database is stopped, unreachable, full or read-only, or has no free connection.',
    to_do:
      'Wait for the seconds in `Retry-After`, then send the same request again. If the error lasts longer than a few minutes, tell your Tidemark administrator.',
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
      'The connection to the database broke while the charge was written, and the database did not respond for 10 seconds. So the server does not know if you were charged.',
    to_do:
      'Wait for the seconds in `Retry-After`, then send the same request again. With the same `Idempotency-Key`, you pay for the request at most once. If the first try was charged, the charge is returned when the database works again: the ledger then shows an entry `return` with the same request id. Exception: if the server stops before that, the credits do not come back automatically. Then ask your Tidemark administrator: the charge is in the server’s log.',
    next_step: 'Wait, then call again with the same arguments and the same idempotency_key.',
    batch_label: 'charge not confirmed',
  },
} as const satisfies Record<string, ErrorRow>;
