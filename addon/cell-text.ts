/**
 * The content of a cell that should contain a link, handle or ID. `text`: the trimmed text; "" for an empty cell.
 * `fault`: what the cell contains instead, as a noun such as "a date"; null when the text can be a link, handle or ID.
 */
export type CellText = { text: string; fault: string | null };

const errorValue = /^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)/;
const placeholder = /^([-–—?.]+|n[/.]?a\.?|none|null|nil|no|x|tb[acd]|unknown|missing)$/i;
const headingNames =
  'account,channel,creator,handle,influencer,instagram,link,media,name,page,post,profile,social,tiktok,url,user,username,video,youtube';
const heading = new RegExp(`^(?:(?:${headingNames.replace(/,/g, '|')})s?[\\s_:/-]*)+$`, 'i');

/** Reads a cell that should contain a link, handle or ID. A cell with a `fault` must not be sent to the server. */
export function readCell(value: unknown): CellText {
  const text = String(value ?? '').trim();
  return { text, fault: faultOf(value, text) };
}

function faultOf(value: unknown, text: string): string | null {
  if (value instanceof Date) return 'a date';
  if (typeof value === 'boolean') return 'a checkbox';
  if (errorValue.test(text)) return 'an error';
  return placeholder.test(text) ? 'a placeholder' : null;
}

/**
 * Returns true for a text that people write above a column of links or handles, such as "Profile link" or "Instagram".
 */
export function isHeading(text: string): boolean {
  return heading.test(text);
}

/**
 * Returns the error message for a cell that contains no link, handle or ID. `takes_handles`: true when a formula with
 * this cell also accepts handles.
 */
export function faultSentence({ text, fault }: CellText, takesHandles: boolean): string {
  const below = fault === 'a heading' ? ' Begin the range one row below it.' : '';
  const isWord = fault === 'a heading' || fault === 'a placeholder';
  const handle = takesHandles && isWord && /^\w+$/.test(text) ? ` If “${text}” is a handle, write @${text}.` : '';
  return `This cell contains ${fault}, not a link${takesHandles ? ' or handle' : ''}.${below}${handle}`;
}
