import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  /** The body of the email, as plain text. */
  text: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

const timeoutMs = 20_000;

export interface MailOptions {
  /** URL of a mail server, such as `smtps://user:password@mail.example:465`. Null passes emails to `log` instead. */
  smtp_url: string | null;
  from: string;
  log(mail: Mail): void;
}

/**
 * Returns a function that sends an email through the mail server and throws the server's errors. Without a mail server, the
 * function passes the email to `log`.
 */
export function createMailer({ smtp_url, from, log }: MailOptions): SendMail {
  if (smtp_url === null) return async (mail) => log(mail);
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url: smtp_url, ...limits }, { from });
  return async (mail) => {
    await transport.sendMail(mail);
  };
}
