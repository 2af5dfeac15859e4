/**
 * Names of URL parameters that are removed from a recorded answer, because they contain credentials or identify the
 * person who recorded it. `refresh_token` is not included, because it is part of the public addresses of TikTok
 * pictures.
 */
const parameterNames = [
  'access_token|appsecret_proof|client_secret|input_token|fb_exchange_token|id_token|authorization',
  'key|api_key|token_secret|sessionid|csrftoken|mstoken|ttwid|visitordata|ip',
].join('|');
/**
 * Names of JSON members that contain credentials or identify the visitor. `key` and `ip` are not included, because they
 * are names of ordinary data.
 */
const memberNames = [
  'access_?token|appsecret_proof|client_?secret|refresh_?token|id_token|authorization|cookie|set-cookie',
  'api_?key|innertube_api_key|session_?id|csrf_?token|ms_?token|ttwid|visitor_?data',
].join('|');

export const removed = 'removed';

const secretName = new RegExp(`^(?:${parameterNames})$`, 'i');
const secrets: readonly RegExp[] = [
  // Matches the secret values of URL parameters, which are removed from a recording. Also matches inside JSON, HTML and
  // other URLs, where the separators are escaped.
  new RegExp(
    `(?<=(?:^|[?&#]|&amp;|%26|%3F|\\\\u0026|\\\\u003f)(?:${parameterNames})(?:=|%3D|\\\\u003d))(?:(?!%26|%23)[^&#\\s"'<>\\\\]|\\\\/)+`,
    'gi',
  ),
  // Matches the values of JSON members. The second pattern finds JSON inside a JSON string, where the quotes are
  // escaped.
  new RegExp(`(?<="(?:${memberNames})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)+`, 'gi'),
  new RegExp(`(?<=\\\\"(?:${memberNames})\\\\"\\s*:\\s*\\\\")(?:[^"\\\\]|\\\\{1,3}/)+`, 'gi'),
  // Matches Google API keys, and the token in an Authorization header.
  /AIza[\w-]{35}|(?<=\bBearer(?: |%20))[\w.~+/%=-]{20,}/g,
];

/** Minimum length of a credential to remove. A shorter text could also be an ordinary part of an answer. */
const minSecretCharacters = 8;

/** Returns true when a URL parameter or form field with this name contains a credential. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Returns a text in which every credential is replaced by `removed`. */
export type RemoveSecrets = (text: string) => string;

/**
 * Creates a function that removes the given credentials, however they are encoded, and everything that looks like a
 * credential.
 */
export function createSecretRemover(credentials: readonly (string | null)[]): RemoveSecrets {
  const known = credentials
    .filter((value) => value !== null && value.length >= minSecretCharacters)
    .flatMap((value) => waysToWrite(value as string))
    .sort((one, other) => other.length - one.length);
  return (text) => {
    const withoutKnown = known.reduce((left, value) => left.replaceAll(value, removed), text);
    return secrets.reduce((left, pattern) => left.replace(pattern, removed), withoutKnown);
  };
}

function waysToWrite(value: string): string[] {
  const once = encodeURIComponent(value);
  const json = JSON.stringify(value).slice(1, -1);
  return [...new Set([value, once, encodeURIComponent(once), json, json.replaceAll('/', '\\/')])];
}
