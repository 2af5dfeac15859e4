import { cellServices } from './cell-services.ts';
import type { HttpAnswer, HttpRequest, Network, Server } from './client.ts';
import { installKind } from './install.ts';
import { findActionKey, findKey, type KeyStores, savedKey } from './settings.ts';

/**
 * The type of a request of UrlFetchApp (the HTTP client of Apps Script), with `timeoutSeconds`, which Google documents
 * but the type package lacks.
 */
type FetchRequest = GoogleAppsScript.URL_Fetch.URLFetchRequest & { timeoutSeconds: number };

/**
 * Returns the property stores of Apps Script: one for the user and one for the spreadsheet. The API keys are saved in
 * them.
 */
export function keyStores(): KeyStores {
  return {
    document: PropertiesService.getDocumentProperties(),
    user: PropertiesService.getUserProperties(),
    file_id: SpreadsheetApp.getActiveSpreadsheet()?.getId() ?? null,
    personal_keys: installKind() === 'addon',
  };
}

/**
 * Returns an ID of the Google account that runs this function. The ID does not reveal who the user is, and Google
 * changes it every 30 days. The sidebar compares such IDs, because Google may run a call of the sidebar as another
 * account of the same browser.
 */
export function activeAccount(): string {
  return Session.getTemporaryActiveUserKey().replace(/[^\w+/=-]/g, '');
}

/**
 * Returns the address of the API server with the API key for the menu and the sidebar: the user's own key, or the key
 * of the spreadsheet when the user has none.
 */
export function actionServer(): Server {
  return { origin: API_ORIGIN, key: findActionKey(keyStores())?.key ?? null, network };
}

/** Returns the address of the API server with the API key that formulas in this spreadsheet may use. */
export function server(): Server {
  const stores = keyStores();
  const key = findKey(stores)?.key ?? null;
  const noKey = savedKey(stores, 'account') === null ? 'API_KEY_NOT_SET' : 'FORMULAS_NOT_ALLOWED';
  return { origin: API_ORIGIN, key, no_key: noKey, network, cells: cellServices(network.log) };
}

/** The services of Apps Script that send HTTP requests, wait, read the clock and write the log. */
export const network: Network = {
  fetchAll: (requests) => UrlFetchApp.fetchAll(requests.map(fetchRequest)).map(httpAnswer),
  sleep: (waitMs) => Utilities.sleep(Math.round(waitMs)),
  now: () => Date.now(),
  random: () => Math.random(),
  uuid: () => Utilities.getUuid(),
  log: (message) => console.error(message),
};

function fetchRequest(request: HttpRequest): FetchRequest {
  return {
    url: request.url,
    headers: request.headers,
    muteHttpExceptions: true,
    // Redirects are not followed, because Apps Script would send the API key to the other host too.
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
