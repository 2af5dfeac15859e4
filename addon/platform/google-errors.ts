/**
 * Patterns for Google's English error texts, each with an error code of the add-on, because Google's errors have no
 * codes. The first matching pattern counts. Google translates its texts, so an unknown text must be shown as it is.
 */
const causes: readonly (readonly [RegExp, string])[] = [
  [/too many times for one day|computer time for one day/i, 'GOOGLE_DAILY_QUOTA'],
  [/in a short time|per second|running simultaneously|bandwidth quota|LockService operations/i, 'GOOGLE_BUSY'],
  [/maximum execution time/i, 'GOOGLE_TIME_LIMIT'],
  [/by your admin|domain policy|contact your (domain )?administrator/i, 'ADMIN_BLOCKED'],
  [/whitelisted in the script manifest|script function not found/i, 'ADDON_OUTDATED'],
  [/error code PERMISSION_DENIED/i, 'SEVERAL_ACCOUNTS'],
  [
    // A translated text also contains the URL of the missing permission.
    /permission to call|permissions are not sufficient|authori[sz]ation is required|access not granted|googleapis\.com\/auth\//i,
    'PERMISSION_MISSING',
  ],
  [/protected cell or object/i, 'PROTECTED_CELLS'],
  [/data validation rules/i, 'DATA_VALIDATION'],
  [/number of cells in the workbook/i, 'FILE_FULL'],
  [/property storage quota/i, 'STORAGE_FULL'],
  [/sheet .+ not found/i, 'SHEET_DELETED'],
  [/service spreadsheets|service error: spreadsheets/i, 'GOOGLE_BUSY'],
  [/connection failure due to http|network ?error/i, 'NO_CONNECTION'],
  [/dns error/i, 'SERVER_NOT_FOUND'],
  [/ssl error/i, 'SERVER_CERTIFICATE'],
  [/\btimeout: /i, 'SERVER_TIMEOUT'],
  [/address unavailable/i, 'SERVER_UNREACHABLE'],
];

/** Returns the add-on's error code for the text of an error that Google threw; null when the text is unknown. */
export function googleCause(text: string): string | null {
  return causes.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** Causes after which a second attempt often succeeds, because Google could not connect for a moment. */
const connectionCauses: readonly (string | null)[] = ['SERVER_UNREACHABLE', 'SERVER_NOT_FOUND'];
/**
 * Matches an error text about a connection. The text contains the requested URL, even when translated, or one of
 * Google's English phrases.
 */
const aboutConnection = /:\/\/|\bconnection\b|server error occurred/i;
/**
 * Matches words of errors that a retry cannot fix: an invalid argument, a used quota, a block by the administrator, or
 * a certificate. Translated texts have these words, too.
 */
const aboutRequest = /argument|limit exceeded|quota|kontingent|administra|\bssl\b/i;
const urls = /\S*:\/\/\S*/g;

/**
 * Returns true when the text of an error of UrlFetchApp (the HTTP client of Apps Script) says that the connection to
 * the server failed. Returns false for a time-out, because the formula then has no time left for a retry.
 */
export function isConnectionLost(text: string): boolean {
  const code = googleCause(text);
  if (code !== null) return connectionCauses.includes(code);
  return aboutConnection.test(text) && !aboutRequest.test(text.replace(urls, ''));
}
