import { isDeepStrictEqual } from 'node:util';
import { nameOf, parseScript, visit } from './check-addon-syntax.ts';

const scopePrefix = 'https://www.googleapis.com/auth/';

/** The permission (OAuth scope) that each group of names in the code needs. */
const scopes: Record<string, string[]> = {
  'spreadsheets.currentonly': ['SpreadsheetApp'],
  'script.container.ui': ['getUi', 'HtmlService'],
  'script.external_request': ['UrlFetchApp'],
  'script.scriptapp': ['newTrigger', 'deleteTrigger', 'getProjectTriggers', 'getUserTriggers'],
};

/**
 * Compares the permissions of the manifest with the permissions that the code needs. Returns one sentence for each
 * mistake.
 */
export function checkManifest(text: string, code: string): string[] {
  const { oauthScopes, urlFetchWhitelist, ...rest } = JSON.parse(text) as Record<string, unknown>;
  const faults: string[] = [];
  const expected = { timeZone: 'Etc/UTC', runtimeVersion: 'V8', exceptionLogging: 'STACKDRIVER' };
  if (!isDeepStrictEqual(rest, expected))
    faults.push(`appsscript.json must contain ${JSON.stringify(expected)} and no more.`);
  const needed = neededScopes(code);
  if (!Array.isArray(oauthScopes) || !isDeepStrictEqual(oauthScopes.toSorted(), needed)) {
    faults.push(`oauthScopes must be exactly what the code needs: ${needed.join(', ')}.`);
  }
  const [origin, ...more] = Array.isArray(urlFetchWhitelist) ? urlFetchWhitelist : [];
  if (typeof origin !== 'string' || !/^https:\/\/[^/*]+\/$/.test(origin) || more.length > 0) {
    return [...faults, 'urlFetchWhitelist must be one https origin with a final slash.'];
  }
  if (!code.includes(JSON.stringify(origin.slice(0, -1)))) faults.push(`The code calls another origin than ${origin}.`);
  return faults;
}

function neededScopes(code: string): string[] {
  const named = new Set<string>();
  visit(parseScript(code), (node) => {
    if (node.type === 'Identifier') named.add(nameOf(node));
  });
  return Object.entries(scopes)
    .filter(([, names]) => names.some((name) => named.has(name)))
    .map(([scope]) => scopePrefix + scope)
    .toSorted();
}
