/** A table in a message. The first column contains names, and the other columns contain numbers. */
export interface MessageTable {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** True when the other columns contain texts. Slack and plain text then show them without headings. */
  texts?: boolean;
}

/** The content of a message, such as an alert or a report. Emails, Slack and the dashboard all show this content. */
export interface Message {
  /** The subject of the email. It is also the heading of the message. */
  subject: string;
  /** The text of the message, one paragraph per entry, without formatting. */
  lines: readonly string[];
  tables?: readonly MessageTable[];
  /** Explanations that are shown below the tables. */
  notes?: readonly string[];
  /**
   * The button of the message. `path` begins with `/` and is appended to the URL of this server. With
   * `open_to_recipient`, it is appended to the URL of the recipient's own subscription page instead, which needs no
   * sign-in.
   */
  action?: { label: string; path: string; open_to_recipient?: boolean };
  /** The color of the workspace, as #rrggbb. It is the background of the message's heading. */
  color?: string;
}

/** Data for the links in a message and for the footer of an email. The footer says why the recipient gets the email. */
export interface Footer {
  workspace_name: string;
  base_url: string;
  /** URL of the page where the recipient unsubscribes from all messages. */
  unsubscribe_url: string;
}

const reasonOf = ({ workspace_name }: Footer) =>
  `You get this email because ${workspace_name} added you to its reports and alerts.`;

/** Returns the URL that the button of a message opens. */
export function actionUrl({ path, open_to_recipient }: NonNullable<Message['action']>, footer: Footer): string {
  return `${open_to_recipient ? footer.unsubscribe_url : footer.base_url}${path}`;
}

/** Returns a message as the plain text of an email. */
export function mailText({ subject, lines, tables = [], notes = [], action }: Message, footer: Footer): string {
  const rows = tables.map((table) =>
    [...headingOf(table), ...table.rows.map((row) => `- ${labelled(table, row)}`)].join('\n'),
  );
  const link = action ? `${action.label}: ${actionUrl(action, footer)}` : null;
  const end = `${reasonOf(footer)}\nUnsubscribe: ${footer.unsubscribe_url}`;
  return [subject, ...lines, ...rows, ...notes, link, `-- \n${end}`].filter((part) => part !== null).join('\n\n');
}

/** Returns the heading of a table in Slack or plain text: the heading of its first column, or nothing. */
export const headingOf = ({ columns, texts }: MessageTable): string[] => (texts ? [] : [columns[0] ?? '']);

/** Returns one table row as a line of text, such as `nasa: Followers 1,200, Change +2%`. The first cell is the name. */
export function labelled({ columns, texts }: MessageTable, [name = '', ...cells]: readonly string[]): string {
  return `${name}: ${cells.map((cell, index) => (texts ? cell : `${columns[index + 1]} ${cell}`)).join(', ')}`;
}

/**
 * Returns a message as an HTML email with tables and inline styles, but without pictures and scripts. The email has a
 * light and a dark color scheme.
 */
export function mailHtml({ subject, lines, tables = [], notes = [], action, color }: Message, footer: Footer): string {
  const band = color ? `;padding:20px 24px;background:${color};color:#ffffff;border-radius:6px` : '';
  const parts = [
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3${band}">${escapeHtml(subject)}</h1>`,
    ...lines.map((line) => `<p style="margin:0 0 12px">${escapeHtml(line)}</p>`),
    ...tables.map(htmlTable),
    ...notes.map((note) => `<p class="quiet" style="margin:0 0 12px;font-size:13px">${escapeHtml(note)}</p>`),
    action ? button(action.label, actionUrl(action, footer)) : '',
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${mailStyle}</style></head>
<body style="margin:0;padding:0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px"><tr><td style="padding:0 8px 12px;font-weight:700">Tidemark</td></tr>
<tr><td class="card" style="padding:24px;border-radius:10px">${parts.join('\n')}</td></tr>
<tr><td class="quiet" style="padding:16px 8px;font-size:12px">${escapeHtml(reasonOf(footer))} <a href="${escapeHtml(footer.unsubscribe_url)}">Unsubscribe</a></td></tr></table>
</td></tr></table></body></html>`;
}

/**
 * The styles of HTML emails. The colors are those of `addon/sidebar/design/tokens.css` as hexadecimal numbers, because
 * mail programs do not support OKLCH colors and CSS variables.
 */
const mailStyle = `body,td{font-family:Inter,system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-size:15px;line-height:1.5}
.page{background:#f5f7f9;color:#1f242d}.card{background:#ffffff;border:1px solid #e0e3e7}.quiet{color:#565d67}a{color:#054eb1}
.button{background:#0b5ed0;color:#ffffff!important}.line{border-bottom:1px solid #e0e3e7}
@media (prefers-color-scheme:dark){.page{background:#171a1d;color:#e9ebef}.card{background:#202328;border-color:#393d45}.quiet{color:#acb1ba}a{color:#94c0fe}.button{background:#83b3f6;color:#101926!important}.line{border-color:#393d45}}`;

function htmlTable({ columns, rows, texts }: MessageTable): string {
  const cell = (tag: string, text: string, index: number) => {
    const isText = texts || index === 0;
    // A long word, such as an address, breaks. Otherwise the email would be wider than the screen of a phone.
    const style = isText ? 'word-break:break-word;min-width:72px' : '';
    return `<${tag} class="line" align="${isText ? 'left' : 'right'}" valign="top" style="padding:8px 8px 8px 0;font-size:14px;${tag === 'th' ? 'font-weight:600;' : ''}${style}"><bdi>${escapeHtml(text)}</bdi></${tag}>`;
  };
  const row = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((text, index) => cell(tag, text, index)).join('')}</tr>`;
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse"><thead>${row('th', columns)}</thead><tbody>${rows.map((cells) => row('td', cells)).join('')}</tbody></table>`;
}

function button(label: string, url: string): string {
  return `<p style="margin:20px 0 4px"><a class="button" href="${escapeHtml(url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;text-decoration:none;font-weight:600">${escapeHtml(label)}</a></p>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
