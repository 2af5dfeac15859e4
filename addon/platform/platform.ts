import { cellServices } from './cell-services.ts';
import type { HttpAnswer, HttpRequest, Network, Server } from './client.ts';
import { installKind } from './install.ts';
import { findActionKey, findKey, type KeyStores, savedKey } from './settings.ts';

/** A request of UrlFetchApp. The type package lacks `timeoutSeconds`, which Google documents. */
type FetchRequest = GoogleAppsScript.URL_Fetch.URLFetchRequest & { timeoutSeconds: number };

/** Returns the stores in which Apps Script keeps the properties of the user and of the file. */
export function keyStores(): KeyStores {
  return {
    document: PropertiesService.getDocumentProperties(),
    user: PropertiesService.getUserProperties(),
    file_id: SpreadsheetApp.getActiveSpreadsheet()?.getId() ?? null,
    personal_keys: installKind() === 'addon',
  };
}

/**
 * Returns an ID of the Google account that runs this function. The ID does not say who the user is, and Google changes it
 * every 30 days. The sidebar compares the IDs, because Google may run its calls as another account of the browser.
 */
export function activeAccount(): string {
  return Session.getTemporaryActiveUserKey().replace(/[^\w+/=-]/g, '');
}

/** Returns the API server with the key for the menu and the sidebar: the user's own key, or the key of the file when the user has none. */
export function actionServer(): Server {
  return { origin: API_ORIGIN, key: findActionKey(keyStores())?.key ?? null, network };
}

/** Returns the API server with the key that formulas in this file may use. */
export function server(): Server {
  const stores = keyStores();
  const key = findKey(stores)?.key ?? null;
  const noKey = savedKey(stores, 'account') === null ? 'API_KEY_NOT_SET' : 'FORMULAS_NOT_ALLOWED';
  return { origin: API_ORIGIN, key, no_key: noKey, network, cells: cellServices(network.log) };
}

/** The services of Apps Script that send requests and read the clock. */
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
    // Redirects are not followed, because Apps Script would send the API key to the new host.
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
