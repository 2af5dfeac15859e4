import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { createMailer } from '../../../pipeline/notify/mail.ts';

export interface ReceivedMail {
  to: string[];
  /** The email as it was sent: headers and body. */
  source: string;
}

/** Returns the error with which a mail server refuses an email, such as 550. */
export function refusal(code: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: code });
}

/**
 * Starts a real mail server on this machine for the duration of the test. The server requires no password and offers no
 * TLS.
 */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, session, done) {
      text(stream).then((source) => {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), source });
        done();
      }, done);
    },
    ...options,
  });
  // Ignores errors, because these tests include clients that close the connection early.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = `127.0.0.1:${(listening.address() as AddressInfo).port}`;
  return {
    received,
    address,
    mail: createMailer({
      smtp_url: `smtp://${address}`,
      from: 'Tidemark <tidemark@example.com>',
      log: () => undefined,
    }),
  };
}

/** Returns the value of an email header. Joins the lines of a long header. */
export function header(source: string, name: string): string | undefined {
  const head = source.slice(0, source.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const line = head.split('\r\n').find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}: `));
  return line?.slice(name.length + 2);
}

/** Returns the text parts of an email, decoded from quoted-printable. */
export function decoded(source: string): string {
  const joined = source.replace(/=\r\n/g, '').replaceAll('\r\n', '\n');
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
