import { beginningOf } from '../parse/text.ts';
import { actionUrl, type Footer, headingOf, labelled, type Message } from './message.ts';

/** A part of a rich text block. Slack does not interpret its text as formatting. */
type RichText = { type: 'text'; text: string; style?: { bold: true } } | { type: 'link'; url: string; text: string };

interface Line {
  text: string;
  bold?: boolean;
}

const maxSlackText = 3_000;
const slackRows = 20;

/**
 * Returns a message as the JSON body of a request to a Slack webhook. Shortens long messages. Slack shows the rich text
 * block, because in Slack's other text format, a name such as `_tide_` would become italic and could not be escaped.
 * `text` is for notifications and for other programs that accept such webhooks.
 * Source: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 */
export function slackBody(message: Message, footer: Footer): string {
  const { action } = message;
  const lines = cut(linesOf(message));
  const link = action ? { label: action.label, url: actionUrl(action, footer) } : null;
  const elements: RichText[] = lines.map(({ text, bold }, index) => ({
    ...{ type: 'text', text: index < lines.length - 1 || link ? `${text}\n` : text },
    ...(bold ? { style: { bold: true } } : {}),
  }));
  if (link) elements.push({ type: 'link', url: link.url, text: link.label });
  const plain = [
    ...lines.map(({ text }) => escapeSlack(text)),
    ...(link ? [`${escapeSlack(link.label)}: ${link.url}`] : []),
  ];
  return JSON.stringify({
    ...{ text: plain.join('\n'), mrkdwn: false },
    blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
  });
}

function linesOf({ subject, lines, tables = [], notes = [] }: Message): Line[] {
  const rows = tables.flatMap((table) => [
    ...headingOf(table).map((text) => ({ text, bold: true })),
    ...table.rows.slice(0, slackRows).map((row) => ({ text: `• ${labelled(table, row)}` })),
    ...(table.rows.length > slackRows ? [{ text: `and ${table.rows.length - slackRows} more` }] : []),
  ]);
  const [above, below] = [lines, notes].map((texts) => texts.map((text) => ({ text })));
  return [{ text: subject, bold: true }, ...(above ?? []), ...rows, ...(below ?? [])];
}

/** Returns as many of the lines as Slack accepts in one message. If something was cut, the last line ends with "…". */
function cut(lines: readonly Line[]): readonly Line[] {
  const length = lines.reduce((sum, { text }) => sum + text.length + 1, -1);
  if (length <= maxSlackText) return lines;
  const shown: Line[] = [];
  let left = maxSlackText;
  for (const line of lines) {
    // Stops when a line break and "…" would not fit after this line.
    if (line.text.length + 2 > left) return [...shown, { ...line, text: `${beginningOf(line.text, left - 1)}…` }];
    shown.push(line);
    left -= line.text.length + 1;
  }
  return shown;
}

/**
 * Escapes the three characters that could turn a text into a mention of a channel or a hidden link.
 * Source: https://docs.slack.dev/messaging/formatting-message-text
 */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
