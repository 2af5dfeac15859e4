/** The formats of a data link. The end of its URL selects one. */
export const linkFormats = ['csv', 'json', 'xlsx'] as const;
export type LinkFormat = (typeof linkFormats)[number];

/** Returns the URL of a data link in a format. */
export function linkUrl(baseUrl: string, token: string, format: LinkFormat): string {
  return `${baseUrl}/links/${token}.${format}`;
}

/** Returns the formula that reads a data link in Google Sheets. */
export function linkFormula(baseUrl: string, token: string): string {
  return `=IMPORTDATA("${linkUrl(baseUrl, token, 'csv')}")`;
}

/** Returns the secret and the format in the last part of the path of a link. Returns null when the format is unknown. */
export function readLinkFile(file: string): { token: string; format: LinkFormat } | null {
  const [, token = '', ending] = /^([^.]*)\.([a-z]+)$/.exec(file) ?? [];
  const format = linkFormats.find((known) => known === ending);
  return format ? { token, format } : null;
}
