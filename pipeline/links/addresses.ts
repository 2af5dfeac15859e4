/**
 * The file formats of a data link (a secret URL that shows a table without an API key). The end of the URL selects the
 * format.
 */
export const linkFormats = ['csv', 'json', 'xlsx'] as const;
export type LinkFormat = (typeof linkFormats)[number];

/** Returns the URL of a data link (a secret URL that shows a table) in this file format. */
export function linkUrl(baseUrl: string, token: string, format: LinkFormat): string {
  return `${baseUrl}/links/${token}.${format}`;
}

/** Returns the Google Sheets formula that loads the table of a data link into a spreadsheet. */
export function linkFormula(baseUrl: string, token: string): string {
  return `=IMPORTDATA("${linkUrl(baseUrl, token, 'csv')}")`;
}

/**
 * Returns the secret and the file format from the last part of a data link's path, such as `abc123.csv`. Returns null
 * when the format is unknown.
 */
export function readLinkFile(file: string): { token: string; format: LinkFormat } | null {
  const [, token = '', ending] = /^([^.]*)\.([a-z]+)$/.exec(file) ?? [];
  const format = linkFormats.find((known) => known === ending);
  return format ? { token, format } : null;
}
