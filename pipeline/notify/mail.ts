import type { Transporter } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  /** The body of the email, as plain text. */
  text: string;
  /** The same body as HTML. Default: the email is plain text only. */
  html?: string;
  /** URL where the recipient unsubscribes: a page, and a POST request without cookies (RFC 8058). */
  unsubscribe_url?: string;
  /** Stays the same when the email is sent again, so that mail programs can show it once. */
  message_id?: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

const defaultTimeoutMs = 20_000;

export interface MailOptions {
  /** URL of a mail server, such as `smtps://user:password@mail.example:465`. Null passes emails to `log` instead. */
  smtp_url: string | null;
  from: string;
  log(mail: Mail): void;
  /** Maximum wait for each answer of the mail server. Default: 20 seconds. */
  timeout_ms?: number;
}

/**
 * Returns a function that sends an email through the mail server and throws the server's errors. Without a mail server, the
 * function passes the email to `log`.
 */
export function createMailer({ smtp_url, from, log, timeout_ms: timeoutMs = defaultTimeoutMs }: MailOptions): SendMail {
  if (smtp_url === null) return async (mail) => log(mail);
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  // The library is loaded for the first email.
  const open = async () => (await import('nodemailer')).createTransport({ url: smtp_url, ...limits }, { from });
  let opened: Promise<Transporter> | null = null;
  return async ({ unsubscribe_url: url, message_id: messageId, ...mail }) => {
    const headers = url
      ? { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : {};
    opened ??= open();
    await (await opened).sendMail({ ...mail, headers, ...(messageId ? { messageId } : {}) });
  };
}

/** Why an email was not accepted. */
export interface MailFailure {
  /** True when another attempt cannot help, because the mail server refused the address or the message for good. */
  permanent: boolean;
  /** One line, without the password of the mail server. */
  reason: string;
}

const maxReasonLength = 300;
/** Codes of errors about the message. The operator can fix the cause of other errors, such as a wrong password. */
const messageErrors: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE']);

/** Returns the cause of an error that {@link SendMail} threw. */
export function mailFailure(error: unknown): MailFailure {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const permanent = messageErrors.has(code) && typeof responseCode === 'number' && responseCode >= 500;
  const message = error instanceof Error ? error.message : String(error);
  return { permanent, reason: message.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, maxReasonLength) };
}
