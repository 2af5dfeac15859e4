/**
 * An error of the API or of Google: its code and its message. `retry_after_ms`: the milliseconds to wait that the
 * server sent in `Retry-After`. `may_be_charged`: true when the answer to an earlier attempt of the same request was
 * lost, so that the server may have charged rows.
 */
export type Failure = { code: string; message: string; retry_after_ms?: number; may_be_charged?: true };

/**
 * The explanation of an error for the user, and the page that helps. `server_says_more`: true when the server's
 * message, if it sends one, is more precise than `sentence` and is shown instead.
 */
type Help = { sentence: string; server_says_more?: true; label: string; path: string };

/** Tells the user what to do about a key that is not complete or not known. */
export const copyKey = 'Copy the whole key again. If you no longer have it, make a new one: a key is shown only once.';
const help = { label: 'What this means', path: '/docs/addon#what-the-status-means' };
/** The page on which owners and editors of a workspace can make a key. Only owners can make keys on the page Keys. */
const sheetKeyPage = { label: 'Make a sheet key', path: '/addon#key' };
const creditsPage = { label: 'Open your credits', path: '/dashboard/credits' };

/** The explanation of each error code for the user. docs/addon.md lists the codes that formulas can return. */
const causes: Record<string, Help> = {
  INVALID_API_KEY: { sentence: `The server does not know this key, or it was revoked. ${copyKey}`, ...sheetKeyPage },
  API_KEY_NOT_SET: { sentence: 'No key is connected. Open the sidebar and connect one under Keys.', ...sheetKeyPage },
  FORMULAS_NOT_ALLOWED: {
    sentence:
      'A key is connected, but formulas in this file may not use it yet. The owner of the file allows it in the sidebar under Keys: Formulas in this file may use my credits.',
    ...help,
  },
  FILE_WITHOUT_OWNER: {
    sentence:
      'This file is in a shared drive, so it has no owner whose credits its formulas could use. Save a sheet key in the file instead.',
    ...sheetKeyPage,
  },
  SHEET_KEY_NEEDED: {
    sentence:
      'Everyone who can edit this file can spend the key that is saved in it, so a file takes only a sheet key, which has a monthly cap. Make one on the page Get the add-on and paste it here.',
    ...sheetKeyPage,
  },
  INSUFFICIENT_CREDITS: {
    sentence:
      'Your credits or the monthly cap of this key are used up. Add credits, or create a new sheet key with a higher monthly cap and connect it under Keys. The cap resets on the 1st (UTC).',
    server_says_more: true,
    ...creditsPage,
  },
  PAID_ACCESS_REQUIRED: {
    sentence: 'Reports need the tier Pro or higher.',
    ...creditsPage,
  },
  PRODUCTION_KEY_REQUIRED: {
    sentence: 'A development key gives only sample data. Connect a production key or a sheet key.',
    ...sheetKeyPage,
  },
  KEY_NOT_ALLOWED: {
    sentence: 'This key is limited to other uses. Connect a key that may be used in spreadsheets.',
    server_says_more: true,
    ...sheetKeyPage,
  },
  ADDRESS_NOT_ALLOWED: {
    sentence:
      'This key works only from certain IP addresses, and requests from a spreadsheet come from Google’s computers. Connect a key without this limit.',
    ...sheetKeyPage,
  },
  RATE_LIMITED: {
    sentence:
      'Too many requests in this minute. Wait one minute, then try again. One formula for a whole column needs fewer requests.',
    ...help,
  },
  SERVER_UNREACHABLE: {
    sentence:
      'Google could not connect to your server. It may be off, or not reachable from the internet. Try again in a minute.',
    ...help,
  },
  SERVER_NOT_FOUND: {
    sentence: 'The address of your server does not exist on the internet (DNS). Tell your Tidemark administrator.',
    ...help,
  },
  SERVER_CERTIFICATE: {
    sentence: 'The certificate (https) of your server is not valid. Tell your Tidemark administrator.',
    ...help,
  },
  SERVER_TIMEOUT: {
    sentence: 'Your server did not answer in time. Try again: rows that were answered before are free.',
    ...help,
  },
  SERVER_UNAVAILABLE: { sentence: 'The server cannot answer at the moment. Try again in a minute.', ...help },
  SERVER_ANSWER_UNREADABLE: {
    sentence: 'The answer did not come from the API, perhaps from a login page. Try again later.',
    ...help,
  },
  LOGIN_PAGE: {
    sentence:
      'A login page or a redirect is in front of your server, so Google cannot reach the API. Tell your Tidemark administrator: /v1 must be open to the internet.',
    ...help,
  },
  INTERNAL: { sentence: 'The server had an internal error. Nothing was charged. Try again in a minute.', ...help },
  GOOGLE_DAILY_QUOTA: {
    sentence:
      'The daily limit of Google for your account is used up (20,000 requests, with Google Workspace 100,000). It works again tomorrow. One formula for a whole column needs far fewer requests.',
    ...help,
  },
  GOOGLE_BUSY: {
    sentence:
      'Google is busy with too many formulas or scripts of your account at once. Wait a minute, then try again.',
    ...help,
  },
  GOOGLE_TIME_LIMIT: {
    sentence:
      'This took longer than Google allows (30 seconds for a formula, 6 minutes otherwise). Try it with fewer rows.',
    ...help,
  },
  ADMIN_BLOCKED: {
    sentence:
      'Your Google administrator blocks requests to your server. Ask them to allow the server address for Apps Script (UrlFetch).',
    ...help,
  },
  ADDON_OUTDATED: {
    sentence:
      'The installed add-on is older than this page, or was built for another server address. Reload the file. If that does not help, install the current files again.',
    label: 'Get the add-on',
    path: '/addon',
  },
  SEVERAL_ACCOUNTS: {
    sentence:
      'Your browser is signed in to several Google accounts, and Google used a different account from the one that opened this file. Open the file in a private window or in a browser profile with only this account.',
    ...help,
  },
  PERMISSION_MISSING: {
    sentence:
      'The add-on needs a permission that you have not given. Choose Open sidebar in its menu and allow everything that Google asks for.',
    ...help,
  },
  NO_CONNECTION: {
    sentence: 'Your browser could not reach Google Sheets. Check your internet connection, then try again.',
    ...help,
  },
  PROTECTED_CELLS: {
    sentence:
      'Some of these cells are protected, and you may not edit them. Choose other cells, or ask the owner of the file: Data > Protect sheets and ranges.',
    ...help,
  },
  DATA_VALIDATION: {
    sentence:
      'Some of these cells accept only certain values (data validation), so nothing was written. Choose other cells, or remove the rule: Data > Data validation.',
    ...help,
  },
  FILE_FULL: {
    sentence: 'This file has reached the limit of 10 million cells. Delete sheets or empty rows first.',
    ...help,
  },
  STORAGE_FULL: {
    sentence:
      'The storage of Google for this add-on and this file is full. Remove imports or schedules that you no longer need.',
    ...help,
  },
  GOOGLE_ERROR: {
    sentence: 'Google Sheets did not allow this action. Reload the file and try again.',
    ...help,
  },
  SHEET_DELETED: { sentence: 'The sheet was deleted in the meantime. Choose another one.', ...help },
};

/**
 * Returns a sentence for the user about an error: the add-on's own sentence for known codes, otherwise the message of
 * the server.
 */
export function failureSentence({ code, message }: Failure): string {
  const known = causes[code];
  if (known !== undefined && (message === '' || known.server_says_more !== true)) return known.sentence;
  if (message !== '') return message;
  return `The server refused this request (${code}). Try again later. If it fails again, tell your Tidemark administrator this code.`;
}

/**
 * Returns the page of the server that helps with an error. For a code that only the server knows, that is the page with
 * all error codes.
 */
export function helpPage(code: string): { label: string; path: string } {
  const { label, path } = causes[code] ?? { label: help.label, path: `/docs/errors#${code}` };
  return { label, path };
}

/**
 * Error codes after which the server may have charged rows although their data did not arrive. Some are errors of
 * Google, which can occur after the server has received some of the requests.
 */
const uncertainCodes = [
  ...['SERVER_UNREACHABLE', 'SERVER_TIMEOUT', 'SERVER_UNAVAILABLE', 'SERVER_ANSWER_UNREADABLE'],
  ...['GOOGLE_BUSY', 'GOOGLE_DAILY_QUOTA', 'NO_CONNECTION'],
];

/** Error codes of temporary failures of the server or the platform. */
const temporaryCodes = [
  ...['RATE_LIMITED', 'SERVER_UNREACHABLE', 'SERVER_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'NOT_IN_TIME'],
  ...['SERVER_ANSWER_UNREADABLE', 'INTERNAL', 'SOURCE_TIMEOUT', 'SOURCE_CAPACITY', 'SOURCE_UNAVAILABLE'],
];

/** Returns true for the code of a failure that a later attempt may not have. */
export function isTemporary(code: string): boolean {
  return temporaryCodes.includes(code);
}

/**
 * Returns true for a status that says nothing about the account or post, because the request failed. A row with another
 * status, such as RESOURCE_NOT_FOUND, is an answer.
 */
export function isUnanswered(status: string): boolean {
  return Object.keys(causes).includes(status) || isTemporary(status) || status === 'CHARGE_UNCONFIRMED';
}

/** Returns true when the server may have charged rows although the call failed. */
export function mayBeCharged({ code, may_be_charged }: Failure): boolean {
  return may_be_charged === true || uncertainCodes.includes(code);
}
