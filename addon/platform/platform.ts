import type { HttpAnswer, HttpRequest, Network, Server } from './client.ts';
import { findActionKey, findKey, type KeyStores } from './settings.ts';

/** The platform documents `timeoutSeconds`, but its types lack it. */
type FetchRequest = GoogleAppsScript.URL_Fetch.URLFetchRequest & { timeoutSeconds: number };

/** Returns the Properties stores of this execution. */
export function keyStores(): KeyStores {
  return {
    document: PropertiesService.getDocumentProperties(),
    user: PropertiesService.getUserProperties(),
    file_id: SpreadsheetApp.getActiveSpreadsheet()?.getId() ?? null,
  };
}

/** Returns the API with the key for the menu and the sidebar: the user's own key, else the key of the file. */
export function actionServer(): Server {
  return { origin: API_ORIGIN, key: findActionKey(keyStores())?.key ?? null, network };
}

/** Returns the API with the key that formulas in this file may use. */
export function server(): Server {
  return { origin: API_ORIGIN, key: findKey(keyStores())?.key ?? null, network };
}

/** The network of Apps Script. */
export const network: Network = {
  fetchAll: (requests) => UrlFetchApp.fetchAll(requests.map(fetchRequest)).map(httpAnswer),
  sleep: (waitMs) => Utilities.sleep(Math.round(waitMs)),
  now: () => Date.now(),
  random: () => Math.random(),
  log: (message) => console.error(message),
};

function fetchRequest(request: HttpRequest): FetchRequest {
  return {
    url: request.url,
    headers: request.headers,
    muteHttpExceptions: true,
    // A redirect would send the key to another host.
    followRedirects: false,
    timeoutSeconds: Math.ceil(request.timeout_ms / 1000),
  };
}

function httpAnswer(response: GoogleAppsScript.URL_Fetch.HTTPResponse): HttpAnswer {
  const headers = Object.entries(response.getAllHeaders()).map(([name, value]) => [name, String(value)]);
  return {
    status: response.getResponseCode(),
    headers: Object.fromEntries(headers),
    text: response.getContentText(),
  };
}
