import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

const timeoutMs = 20_000;

export interface MailOptions {
  /** URL of a mail server, such as `smtps://user:password@mail.example:465`; null writes mails to the log. */
  smtp_url: string | null;
  from: string;
  log(mail: Mail): void;
}

/** Returns a function that sends mail through the mail server, or passes it to `log`. It throws the mail server's error. */
export function createMailer({ smtp_url, from, log }: MailOptions): SendMail {
  if (smtp_url === null) return async (mail) => log(mail);
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url: smtp_url, ...limits }, { from });
  return async (mail) => {
    await transport.sendMail(mail);
  };
}
