import { withoutDirectionChanges } from '../parse/text.ts';
import type { Mail } from './mail.ts';
import { button, escapeHtml, link, mailPage, paragraph, quietLine } from './mail-layout.ts';

interface MailLink {
  label: string;
  url: string;
}

/** The content of an email about an account, such as a sign-in link or an invitation. */
export interface ServiceMessage {
  /** The subject of the email and the heading of its HTML form. */
  subject: string;
  /** The paragraphs above the button. */
  lines: readonly string[];
  action: MailLink;
  /** Further pages of this server, below the button. */
  links?: readonly MailLink[];
  /** The paragraphs at the end, such as what to do when someone else caused the email. */
  notes?: readonly string[];
}

/**
 * Returns an email with one button, as plain text and as HTML. All texts are escaped, because they can contain names
 * that users chose.
 */
export function serviceMail(to: string, { subject, lines, action, links = [], notes = [] }: ServiceMessage): Mail {
  const server = `This email is from the Tidemark server ${new URL(action.url).host}.`;
  const text = [...lines, ...[action, ...links].map(({ label, url }) => `${label}:\n${url}`), ...notes, server];
  const parts = [
    ...lines.map(paragraph),
    button(action.label, action.url),
    quietLine(`Or open this address in your browser:<br>${link(action.url, action.url)}`),
    ...links.map(({ label, url }) => quietLine(link(label, url))),
    ...notes.map((note) => quietLine(escapeHtml(note))),
  ];
  return { to, subject, text: text.join('\n\n'), html: mailPage(subject, parts, { footer: escapeHtml(server) }) };
}

/**
 * Returns a name that a stranger chose in a form that cannot mislead the reader: without line breaks and characters
 * that change the text direction, and with invisible characters that keep mail programs from turning parts of the name
 * into links.
 */
export function nameWithoutLinks(name: string): string {
  const line = withoutDirectionChanges(name.replaceAll(/\s+/g, ' '));
  return line.replaceAll(/[.:/@](?=\S)/g, (character) => `${character}\u2060`);
}
