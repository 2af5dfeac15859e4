import { button, escapeHtml, link, mailPage, paragraph, quietLine } from './mail-layout.ts';
import { nameWithoutLinks } from './service-mail.ts';

/**
 * A table in a message. The first column contains names, and the other columns contain numbers unless `texts` is true.
 */
export interface MessageTable {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** True when the other columns contain texts. Slack and plain text then show them without headings. */
  texts?: boolean;
}

/** The content of a message, such as an alert or a report. Emails, Slack and the dashboard all show this content. */
export interface Message {
  /** The subject of the email and the heading of the message. */
  subject: string;
  /** The text of the message, one paragraph per entry, without formatting. */
  lines: readonly string[];
  tables?: readonly MessageTable[];
  /** Explanations that are shown below the tables. */
  notes?: readonly string[];
  /**
   * The button of the message. `path` begins with `/` and is appended to the URL of this server. With
   * `open_to_recipient`, it is appended to the URL of the recipient's own subscription page, which needs no sign-in.
   */
  action?: { label: string; path: string; open_to_recipient?: boolean };
  /** The color of the workspace, as #rrggbb, for the background of the message's heading. */
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
  `You get this email because ${nameWithoutLinks(workspace_name)} added you to its reports and alerts.`;

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

/**
 * Returns the heading of a table in Slack or plain text: the heading of the first column, or none when the table
 * contains texts.
 */
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
  const parts = [
    ...lines.map(paragraph),
    ...tables.map(htmlTable),
    ...notes.map((note) => quietLine(escapeHtml(note))),
    action ? button(action.label, actionUrl(action, footer)) : '',
  ];
  const end = `${escapeHtml(reasonOf(footer))} ${link('Unsubscribe', footer.unsubscribe_url)}`;
  return mailPage(subject, parts, { color, footer: end });
}

function htmlTable({ columns, rows, texts }: MessageTable): string {
  const cell = (tag: string, text: string, index: number) => {
    const isText = texts || index === 0;
    // Lets long words, such as URLs, break. Otherwise the email would be wider than the screen of a phone.
    const style = isText ? 'word-break:break-word;min-width:72px' : '';
    // The last column ends at the end of the lines between the rows.
    const end = index === columns.length - 1 ? 0 : 8;
    return `<${tag} class="line" align="${isText ? 'left' : 'right'}" valign="top" style="padding:8px ${end}px 8px 0;font-size:14px;${tag === 'th' ? 'font-weight:600;' : ''}${style}"><bdi>${escapeHtml(text)}</bdi></${tag}>`;
  };
  const row = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((text, index) => cell(tag, text, index)).join('')}</tr>`;
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse"><thead>${row('th', columns)}</thead><tbody>${rows.map((cells) => row('td', cells)).join('')}</tbody></table>`;
}
