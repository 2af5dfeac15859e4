import type { ErrorRow } from './row.ts';

/**
 * The error codes of sources (the code that reads one page or API of a platform). The API server also uses some of
 * these codes for its own errors.
 */
export const sourceErrors = {
  INVALID_INPUT: {
    status: 400,
    sandbox: ['400', '0400'],
    retryable: false,
    message: 'A parameter of the request is not valid: correct what details names.',
    cause:
      'A parameter is missing, unknown, repeated or malformed, two parameters exclude each other, a URL belongs to another platform, or a cursor was sent with parameters different from those of the request that returned it.',
    to_do:
      '`details` names every wrong parameter and says what to send instead. For an unknown name, it suggests the most similar known name. Correct the parameters and send the request again.',
    next_step: 'Correct the arguments and call again.',
    batch_label: 'not a profile link',
  },
  SOURCE_RESTRICTED: {
    status: 403,
    sandbox: ['403', '0403'],
    retryable: false,
    message:
      'The platform does not show this to the public: it is private, restricted, or blocked for this server. Remove it from your list; the same request fails again.',
    cause:
      'The account or item is private, or the platform shows it only after login, to adults, in other regions, or not to this server. We do not work around such restrictions.',
    to_do:
      'If the account or item is private, remove it from your list or ask its owner. If many different requests get this error, the platform blocks this server: tell your Tidemark administrator.',
    next_step: 'Do not call again: this is not public.',
    batch_label: 'private or restricted',
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    sandbox: ['404', '0404'],
    retryable: false,
    message: 'The platform says that this does not exist or was removed: check the handle, ID or URL.',
    cause:
      'The platform says that this account, post or video does not exist or was removed. For campaigns and reports: this workspace has no campaign or report with this id.',
    to_do: 'Check the spelling of the handle or id. A renamed account is found only by its new handle.',
    next_step: 'Check the spelling; do not call again with the same arguments.',
    batch_label: 'not found',
  },
  SOURCE_TIMEOUT: {
    status: 408,
    sandbox: ['408', '0408'],
    retryable: true,
    retry_after_seconds: 5,
    message: 'The platform did not answer in time, and nothing was charged: try again in a few seconds.',
    cause: 'The platform was slow or did not respond at all.',
    to_do: 'Try again after a few seconds. If the request fails again, wait longer before each new try.',
    next_step: 'Call again with the same arguments.',
    batch_label: 'no answer in time',
  },
  SOURCE_RESPONSE_CHANGED: {
    status: 422,
    sandbox: ['422', '0422'],
    retryable: false,
    message:
      'The platform changed its answer, and we cannot read it yet. Do not try again now: send your Tidemark administrator the request id.',
    cause: 'The platform’s response has an unknown format. The service reports this instead of guessing values.',
    to_do:
      'Look at [the status page](/status): it shows whether all requests of this kind fail. Then send the `request_id` (in a spreadsheet, it is in the column `message`) to your Tidemark administrator, and wait for an update of the service: until then, the same request fails again.',
    next_step: 'Do not call again now: the administrator has to update the service.',
    batch_label: 'answer could not be read',
  },
  SOURCE_CAPACITY: {
    status: 429,
    sandbox: ['cap', '1429'],
    retryable: true,
    retry_after_seconds: 30,
    message: 'The platform accepts no more requests from this server now: try again later.',
    cause:
      'Instagram, TikTok or YouTube limits the requests from this server, or too many requests already wait for this platform. In a form of the dashboard, also: you entered too many short links (such as `vm.tiktok.com/…`) within 10 minutes.',
    to_do:
      'Try again in some minutes; a program waits as long as `Retry-After` says. To get data now, allow older data with `cache_max_age` (in formulas `max_age`): cached answers do not need the platform.',
    next_step: 'Wait a minute, then call again with the same arguments.',
    batch_label: 'platform limited our requests',
  },
  SOURCE_UNAVAILABLE: {
    status: 503,
    sandbox: ['503', '0503'],
    retryable: true,
    retry_after_seconds: 30,
    message: 'The platform cannot be read now. Try again in a few minutes.',
    cause:
      'If `retryable` is true: the platform failed, or this server paused its requests to the platform after several failures in a row. If `retryable` is false: the route is marked `unavailable`, or the administrator has switched off all sources of the route or of short links.',
    to_do:
      'Do what `message` says. If `retryable` is true, try again after `Retry-After`; [the status page](/status) shows how long a pause lasts. If `retryable` is false, do not try again: only cached answers and samples work.',
    next_step:
      'If retryable is true, wait, then call again with the same arguments. If it is false, do not call again.',
    batch_label: 'platform not available',
  },
  SOURCE_NOT_CONFIGURED: {
    status: 503,
    sandbox: ['cfg', '1503'],
    retryable: false,
    message:
      'This data needs credentials of the platform, and this server has none: ask your Tidemark administrator to add them.',
    cause:
      'The server has no credentials for the platform, or the platform refuses the server’s credentials. Or the route has no live data: this applies to TikTok playlists and the ad library. `message` says which.',
    to_do:
      'If `message` is about credentials, ask your Tidemark administrator to set them: see [Operating](operating.md). For TikTok playlists and the ad library, nothing can be set: only samples work, with a development key.',
    next_step: 'Do not call again: this server cannot read this data.',
    batch_label: 'not set up on this server',
  },
} as const satisfies Record<string, ErrorRow & { batch_label: string }>;
