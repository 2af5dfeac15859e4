import type { HttpAnswer, HttpRequest, Network } from './client.ts';
import type { Server } from './profiles.ts';
import { findKey, type KeyStores } from './settings.ts';

/** `timeoutSeconds` is documented by the platform and missing in its type package. */
type FetchRequest = GoogleAppsScript.URL_Fetch.URLFetchRequest & { timeoutSeconds: number };

/** The Properties stores that this execution sees. */
export function keyStores(): KeyStores {
  return { document: PropertiesService.getDocumentProperties(), user: PropertiesService.getUserProperties() };
}

/** The API with the key that this execution may use. */
export function server(): Server {
  return { origin: API_ORIGIN, key: findKey(keyStores())?.key ?? null, network };
}

/** The network of Apps Script. */
export const network: Network = {
  fetchAll: (requests) => UrlFetchApp.fetchAll(requests.map(fetchRequest)).map(httpAnswer),
  sleep: (wait_ms) => Utilities.sleep(Math.round(wait_ms)),
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
