import { loadOnce } from '../lazy.ts';

export interface Mail {
  to: string;
  subject: string;
  /** The body of the email, as plain text. */
  text: string;
  /** The body of the email as HTML. Default: the email is plain text only. */
  html?: string;
  /**
   * URL of the page where the recipient unsubscribes from these emails. The URL also accepts a POST request without
   * cookies (RFC 8058).
   */
  unsubscribe_url?: string;
  /**
   * The Message-ID of the email. A resent email has the same ID, so that mail programs can show the email only once.
   */
  message_id?: string;
}

/**
 * Email of the user that the first start creates. No mail server can reach this address, so emails to it are only
 * written into the log.
 */
export const firstOperatorEmail = 'operator@tidemark.local';

export type SendMail = (mail: Mail) => Promise<void>;

const defaultTimeoutMs = 20_000;

interface MailOptions {
  /**
   * URL of the SMTP server that sends emails, such as `smtps://user:password@mail.example:465`. Null: emails are passed
   * to `log` and not sent.
   */
  smtp_url: string | null;
  from: string;
  /** Writes an email that is not sent into the log. `reason` says why it is not sent. */
  log(mail: Mail, reason: string): void;
  /** Maximum milliseconds to wait for each answer of the mail server. Default: 20,000. */
  timeout_ms?: number;
}

/**
 * Returns a function that sends an email through the SMTP server and throws the server's errors. Without an SMTP
 * server, and for the address of the first operator, the function passes the email to `log`.
 */
export function createMailer({ smtp_url, from, log, timeout_ms: timeoutMs = defaultTimeoutMs }: MailOptions): SendMail {
  if (smtp_url === null) return async (mail) => log(mail, 'SMTP_URL is not set');
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  // The mail library is loaded only when the first email is sent.
  const open = loadOnce(async () =>
    (await import('nodemailer')).createTransport({ url: smtp_url, ...limits }, { from }),
  );
  return async ({ unsubscribe_url: url, message_id: messageId, ...mail }) => {
    if (mail.to.toLowerCase() === firstOperatorEmail) return log(mail, 'no email can reach its address');
    const headers = url
      ? { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : {};
    const transport = await open();
    await transport.sendMail({ ...mail, headers, ...(messageId ? { messageId } : {}) });
  };
}

/** The reason why the mail server did not accept an email. */
interface MailFailure {
  /** True when retrying is useless, because the mail server permanently refuses the address or the message. */
  permanent: boolean;
  /** The reason as one line, without the password of the mail server. */
  reason: string;
}

const maxReasonLength = 300;
/**
 * Error codes of the mail library for problems of one email, such as an invalid address. All other errors, such as a
 * wrong password, concern the mail server, and only the operator can fix them.
 */
const messageErrors: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE']);

/** Returns why an email failed, from an error that {@link SendMail} threw. */
export function mailFailure(error: unknown): MailFailure {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const permanent = messageErrors.has(code) && typeof responseCode === 'number' && responseCode >= 500;
  const message = error instanceof Error ? error.message : String(error);
  return { permanent, reason: message.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, maxReasonLength) };
}

/**
 * Sends several emails one after the other and continues after an email that fails. Returns the errors of the emails
 * that could not be sent.
 */
export async function mailAll(mails: readonly Mail[], mail: SendMail): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const one of mails) await mail(one).catch((error: unknown) => errors.push(error));
  return errors;
}
