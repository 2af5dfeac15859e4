import type { ErrorRow } from './row.ts';

/** The error codes that sources throw. The server uses them as well. */
export const sourceErrors = {
  INVALID_INPUT: {
    status: 400,
    sandbox: ['400', '0400'],
    retryable: false,
    message: 'The request is not valid: see details for what to send instead.',
    cause:
      'A parameter is missing, unknown, repeated or malformed, two parameters exclude each other, a URL belongs to another platform, or a cursor was sent with other parameters than the request that returned it.',
    to_do:
      '`details` names every bad parameter at once, each with what to send instead; for an unknown name it suggests the nearest known one. Correct them and send the request again.',
    next_step: 'Correct the arguments and call again.',
    batch_label: 'not a profile link',
  },
  SOURCE_RESTRICTED: {
    status: 403,
    sandbox: ['403', '0403'],
    retryable: false,
    message:
      'The platform does not show this to the public: it is private, restricted, or blocked for this server. Sending the request again does not help.',
    cause:
      'The account or item is private, or the platform shows it only after login, to adults, in other regions, or not to this server. We do not work around such restrictions.',
    to_do:
      'When the account or item is private, remove it from your list or ask its owner. When many different requests get this error, the platform blocks this server: tell the operator. Sending the request again does not help.',
    next_step: 'Do not call again: this is not public.',
    batch_label: 'private or restricted',
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    sandbox: ['404', '0404'],
    retryable: false,
    message: 'The platform says that this does not exist or was removed: check the handle, ID or URL.',
    cause:
      'The platform says that this account, post or video does not exist or was removed. For campaigns and reports: this workspace has none with that id.',
    to_do: 'Check the spelling of the handle or id. A renamed account is found by its new handle only.',
    next_step: 'Check the spelling; do not call again with the same arguments.',
    batch_label: 'not found',
  },
  SOURCE_TIMEOUT: {
    status: 408,
    sandbox: ['408', '0408'],
    retryable: true,
    retry_after_seconds: 5,
    message: 'The source did not answer in time: try again.',
    cause: 'No source of this route answered in time.',
    to_do:
      'Try again after a few seconds, with growing pauses. With an `Idempotency-Key`, a retry never pays twice for an answer that was lost on the network.',
    next_step: 'Call again with the same arguments.',
    batch_label: 'no answer in time',
  },
  SOURCE_RESPONSE_CHANGED: {
    status: 422,
    sandbox: ['422', '0422'],
    retryable: false,
    message:
      'The platform answered in a format that we cannot read. Sending the request again does not help: tell the operator the request id.',
    cause: 'The platform answered in an unknown format. The service reports that instead of guessing values.',
    to_do:
      'Wait for an update of the service: a retry gets the same answer. Send the operator the `request_id`. [The status page](/v1/status) shows whether the whole route is affected.',
    next_step: 'Do not call again now: the operator has to update the service.',
    batch_label: 'answer could not be read',
  },
  SOURCE_CAPACITY: {
    status: 429,
    sandbox: ['cap', '1429'],
    retryable: true,
    retry_after_seconds: 30,
    message: 'The source limits our requests, or too many of them are waiting: try again later.',
    cause: 'The platform limits our requests, or too many requests already wait for it.',
    to_do:
      'Try again later, after `Retry-After` when it is sent. Use `cache_max_age`: a cached answer does not need the platform.',
    next_step: 'Wait a minute, then call again with the same arguments.',
    batch_label: 'platform limited our requests',
  },
  SOURCE_UNAVAILABLE: {
    status: 503,
    sandbox: ['503', '0503'],
    retryable: true,
    retry_after_seconds: 30,
    message: 'No source is available for this request now: try again after the seconds in Retry-After.',
    cause:
      'The route is marked `unavailable`, or every source of it has just failed or is paused after several failures in a row.',
    to_do:
      'Read `retryable`. When it is false, do not try again: the route is `unavailable` and gives only cached answers and samples, or the operator has switched its sources off. When it is true, try again after `Retry-After`; [the status page](/v1/status) shows until when a source is paused.',
    next_step: 'Do not call again now: this data is not available at present.',
    batch_label: 'platform not available',
  },
  SOURCE_NOT_CONFIGURED: {
    status: 503,
    sandbox: ['cfg', '1503'],
    retryable: false,
    message:
      'The sources of this route need credentials that are not set on this server: ask the operator to add them.',
    cause:
      'The only sources of the route need credentials that the operator of this server has not set, or there is no public source yet (TikTok playlists); `message` says which. Live requests to the ad library always get this error.',
    to_do:
      'When credentials are missing: ask the operator or, on your own server, see [Operating](operating.md). For TikTok playlists and the ad library there is nothing to set: use only their samples for now.',
    next_step: 'Do not call again: the operator has not set up a source for this.',
    batch_label: 'not set up on this server',
  },
} as const satisfies Record<string, ErrorRow & { batch_label: string }>;
