import type { HttpAnswer, HttpRequest, Network, Server } from './client.ts';
import { findActionKey, findKey, type KeyStores } from './settings.ts';

/** `timeoutSeconds` is documented by the platform and missing in its type package. */
type FetchRequest = GoogleAppsScript.URL_Fetch.URLFetchRequest & { timeoutSeconds: number };

/** The Properties stores that this execution sees. */
export function keyStores(): KeyStores {
  return {
    document: PropertiesService.getDocumentProperties(),
    user: PropertiesService.getUserProperties(),
    file_id: SpreadsheetApp.getActiveSpreadsheet()?.getId() ?? null,
  };
}

/** The API with the key for what a person does in the menu or the sidebar: their own before the file's. */
export function actionServer(): Server {
  return { origin: API_ORIGIN, key: findActionKey(keyStores())?.key ?? null, network };
}

/** The API with the key that formulas in this file may use. */
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
    // A redirect would carry the key to wherever it points.
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
