import type { ErrorCode } from '../../pipeline/errors.ts';

/** The advice to an assistant for each error, added to the error message. */
export const nextSteps: Readonly<Record<ErrorCode, string>> = {
  INVALID_INPUT: 'Correct the arguments and call again.',
  CURSOR_EXPIRED: 'Call again without cursor.',
  INVALID_API_KEY: 'Ask the user for a valid API key: it belongs in the settings of the MCP client.',
  INSUFFICIENT_CREDITS: 'Tell the user that credits are missing; calling again does not help until some are added.',
  PAID_ACCESS_REQUIRED: 'Tell the user; calling again does not help until they have bought a credit pack.',
  SOURCE_RESTRICTED: 'Do not call again: this is not public.',
  PRODUCTION_KEY_REQUIRED: 'Tell the user that this needs a production key (tide_live_).',
  SHEET_KEY_RESTRICTED:
    'Use what=rows, tracked_items, campaign_report or credits with this key, or ask the user for a production key.',
  RESOURCE_NOT_FOUND: 'Check the spelling; do not call again with the same arguments.',
  ROUTE_NOT_FOUND: 'Call routes without path for the list.',
  METHOD_NOT_ALLOWED: 'Call another tool.',
  REQUEST_TOO_LARGE: 'Call again with fewer or shorter arguments.',
  SOURCE_TIMEOUT: 'Call again with the same arguments.',
  SOURCE_RESPONSE_CHANGED: 'Do not call again now: the operator has to update the service.',
  IDEMPOTENCY_KEY_REUSED: 'Call again with a new idempotency_key, or without one.',
  RATE_LIMITED: 'Wait, then call again with the same arguments.',
  INTERNAL: 'Call again once; if it fails again, tell the user the request id.',
  SOURCE_CAPACITY: 'Wait a minute, then call again with the same arguments.',
  SOURCE_NOT_IMPLEMENTED: 'Do not call again: this data is not available yet.',
  SOURCE_UNAVAILABLE: 'Do not call again now: this data is not available at present.',
  SERVICE_UNAVAILABLE: 'Wait, then call again with the same arguments.',
  SOURCE_NOT_CONFIGURED: 'Do not call again: the operator has not set up a source for this.',
};
