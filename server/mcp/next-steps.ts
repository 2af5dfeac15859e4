import type { ErrorCode } from '../../pipeline/errors.ts';

/** What an assistant does after each error, beside what the message says. */
export const nextSteps: Readonly<Record<ErrorCode, string>> = {
  INVALID_INPUT: 'Correct the arguments and call again.',
  CURSOR_EXPIRED: 'Call again without cursor.',
  INVALID_API_KEY: 'Ask the user for a valid key: it is set where this server is configured.',
  INSUFFICIENT_CREDITS: 'Tell the user; calling again does not help before credits were added.',
  PAID_ACCESS_REQUIRED: 'Tell the user; calling again does not help before a credit pack was bought.',
  SOURCE_RESTRICTED: 'Do not call again: this is not public.',
  PRODUCTION_KEY_REQUIRED: 'Tell the user that a production key (tide_live_) is needed for this.',
  SHEET_KEY_RESTRICTED:
    'Use what=rows, tracked_items, campaign_report or credits with this key, or ask the user for a production key.',
  RESOURCE_NOT_FOUND: 'Check the spelling; do not call again with the same arguments.',
  ROUTE_NOT_FOUND: 'Call routes without path for the list.',
  METHOD_NOT_ALLOWED: 'Call another tool.',
  REQUEST_TOO_LARGE: 'Call again with fewer or shorter arguments.',
  SOURCE_TIMEOUT: 'Call again with the same arguments.',
  SOURCE_RESPONSE_CHANGED: 'Do not call again now: the operator has to mend this.',
  IDEMPOTENCY_KEY_REUSED: 'Call again with a new idempotency_key, or without one.',
  RATE_LIMITED: 'Wait, then call again with the same arguments.',
  INTERNAL: 'Call again once; if it fails again, tell the user the request id.',
  SOURCE_CAPACITY: 'Wait a minute, then call again with the same arguments.',
  SOURCE_NOT_IMPLEMENTED: 'Do not call again: there is no source for this yet.',
  SOURCE_UNAVAILABLE: 'Do not call again now: no source serves this at present.',
  SOURCE_NOT_CONFIGURED: 'Do not call again: the operator has not set up a source for this.',
};
