import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  /** Plain text: what matters stands on a line of its own. */
  text: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

const timeoutMs = 20_000;

export interface MailOptions {
  /** Address of a mail server, such as `smtps://user:password@mail.example:465`; null: the operator reads mails in the log. */
  smtp_url: string | null;
  from: string;
  log(mail: Mail): void;
}

/** How mail leaves: through the operator's mail server, or into the log. Throws what the mail server refused. */
export function createMailer({ smtp_url, from, log }: MailOptions): SendMail {
  if (smtp_url === null) return async (mail) => log(mail);
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url: smtp_url, ...limits }, { from });
  return async (mail) => {
    await transport.sendMail(mail);
  };
}
