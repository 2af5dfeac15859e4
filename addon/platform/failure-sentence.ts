import type { Failure } from './client.ts';

const copyKey = 'Copy the whole key from your dashboard and try again.';

const sentences: Record<string, string> = {
  INVALID_API_KEY: `The server does not know this key, or it was revoked. ${copyKey}`,
  API_KEY_NOT_SET: 'No API key is connected. Connect one under Keys.',
  INSUFFICIENT_CREDITS:
    'There are not enough credits, or the monthly cap of the key is reached. Add credits or raise the cap on your dashboard.',
  PAID_ACCESS_REQUIRED: 'Reports open after your workspace has bought a credit pack once.',
  PRODUCTION_KEY_REQUIRED: 'A development key gives only sample data. Connect a production key.',
  RATE_LIMITED: 'Too many requests in this minute. Wait one minute, and use one formula for a whole column.',
  SERVER_UNREACHABLE: 'The server could not be reached. Try again in a minute.',
  SERVER_UNAVAILABLE: 'The server cannot answer at the moment. Try again in a minute.',
  SERVER_ANSWER_UNREADABLE: 'The answer did not come from the API, perhaps from a login page. Try again later.',
  INTERNAL: 'The server had an internal error. Nothing was charged. Try again in a minute.',
};

/** Returns a sentence for the user about an error: our own sentence for known codes, otherwise the message of the server. */
export function failureSentence({ code, message }: Failure): string {
  return sentences[code] ?? (message === '' ? `The server refused this (${code}).` : message);
}
