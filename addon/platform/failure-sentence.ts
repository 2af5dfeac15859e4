import type { Failure } from './client.ts';

const dashboard = 'Copy the whole key from your dashboard and try again.';

const sentences: Record<string, string> = {
  INVALID_API_KEY: `The server does not know this key, or it was revoked. ${dashboard}`,
  API_KEY_NOT_SET: 'No API key is connected. Connect one under Account.',
  INSUFFICIENT_CREDITS: 'There are no credits left for this. Top up on your dashboard, then go on.',
  PAID_ACCESS_REQUIRED: 'This needs a paid tier.',
  PRODUCTION_KEY_REQUIRED: 'A development key gives samples only: this needs a production key.',
  RATE_LIMITED: 'The server takes no more requests in this minute.',
  SERVER_UNREACHABLE: 'The server could not be reached. Try again in a minute.',
  SERVER_UNAVAILABLE: 'The server cannot answer at the moment. Try again in a minute.',
  SERVER_ANSWER_UNREADABLE: 'Something other than the API answered, perhaps a login page on the way. Try again later.',
  INTERNAL: 'The server had a fault. Try again in a minute; nothing was charged.',
};

/** What went wrong with a request, in plain words; what the server itself says where we know nothing better. */
export function failureSentence({ code, message }: Failure): string {
  return sentences[code] ?? (message === '' ? `The server refused this (${code}).` : message);
}
