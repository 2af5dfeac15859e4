/**
 * The texts of Google's errors, from public issues and from Google's pages about quotas and troubleshooting. Google
 * adds the prefix `Exception: ` only in its own log.
 */
export const googleTexts = {
  dailyFetches: 'Service invoked too many times for one day: urlfetch.',
  fetchRate: 'Service invoked too many times in a short time: urlfetch. Try Utilities.sleep(1000) between calls.',
  bandwidth: (url: string) => `Bandwidth quota exceeded: ${url}. Try reducing the rate of data transfer.`,
  simultaneous: 'There are too many scripts running simultaneously for this Google user account.',
  executionTime: 'Exceeded maximum execution time',
  noPermission: (what: string, scope: string) =>
    `You do not have permission to call ${what}. Required permissions: ${scope}`,
  scopeMissing: (what: string, scope: string) =>
    `Specified permissions are not sufficient to call ${what}. Required permissions: ${scope}`,
  authorization: 'Authorization is required to perform that action.',
  accessExpired: 'Access not granted or expired.',
  adminBlock: (url: string) => `UrlFetch calls to ${url} are not permitted by your admin`,
  notInManifest: (url: string) =>
    `Request to ${url} failed because the URL has not been whitelisted in the script manifest.`,
  dns: (url: string) => `DNS error: ${url}`,
  unavailable: (url: string) => `Address unavailable: ${url}`,
  certificate: (url: string) => `SSL Error ${url}`,
  timeout: (url: string) => `Timeout: ${url}`,
  severalAccounts: "We're sorry, a server error occurred while reading from storage. Error code PERMISSION_DENIED.",
  noConnection: 'NetworkError: Connection failure due to HTTP 0',
  protectedCells:
    'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
  dataValidation: (a1: string) =>
    `The data you entered in cell ${a1} violates the data validation rules set on this cell.`,
  cellLimit: 'This action would increase the number of cells in the workbook above the limit of 10000000 cells.',
  spreadsheetsTimeout: 'Service Spreadsheets timed out while accessing document with id invented-spreadsheet.',
  tooLarge: (what: 'key' | 'value') => `Argument too large: ${what}`,
  propertyStore: 'You have exceeded the property storage quota. Please remove some properties and try again.',
};
