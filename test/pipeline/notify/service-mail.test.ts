import { expect, test } from 'vitest';
import { nameWithoutLinks, serviceMail } from '../../../pipeline/notify/service-mail.ts';
import { openMail } from '../../../pipeline/start.ts';

const action = { label: 'Sign in', url: 'https://a.example/sign-in?a=1&b="2"' };

test('an email of the service has its address in a button and as text, with all texts escaped', () => {
  const { text, html = '' } = serviceMail('ann@example.com', {
    ...{ subject: '<b>Welcome</b>', lines: ['"A" & <i>B</i>'], action, notes: ['<script>alert(1)</script>'] },
    links: [{ label: '<u>Settings</u>', url: 'https://a.example/settings' }],
  });
  expect(text).toContain('\n\nSign in:\nhttps://a.example/sign-in?a=1&b="2"\n\n');
  expect(html.split('href="https://a.example/sign-in?a=1&amp;b=&quot;2&quot;"')).toHaveLength(3);
  for (const tag of ['<b>', '<i>', '<u>', '<script>']) expect(html).not.toContain(tag);
  expect(html).toContain('This email is from the Tidemark server a.example.');
});

test('a name in an invitation has no address that a mail program makes a link of, and keeps its other characters', () => {
  const name = nameWithoutLinks('Win\n at https://evil.example/x,\u202e or ask me@evil.example. St. Ann');
  expect(name).not.toMatch(/https:\/\/|evil\.example|me@evil|\u202e|\n/);
  expect(name.replaceAll('\u2060', '')).toBe('Win at https://evil.example/x, or ask me@evil.example. St. Ann');
  expect(nameWithoutLinks('St. Ann & Co.')).toBe('St. Ann & Co.');
});

test('without a mail server, the log has the address, the subject and the text of an email, but not its HTML', async () => {
  const logged: unknown[] = [];
  const log = { info: (line: unknown) => logged.push(line) } as never;
  await openMail(
    { smtp_url: null, mail_from: 'a@example.com' },
    log,
  )(serviceMail('ann@example.com', { subject: 'Hello', lines: ['Welcome.'], action }));
  expect(logged).toEqual([{ to: 'ann@example.com', subject: 'Hello', text: expect.stringContaining('Welcome.') }]);
});

test('an email to the address of the first operator is only written into the log, even with a mail server', async () => {
  const logged: unknown[] = [];
  const log = { info: (...line: unknown[]) => logged.push(line) } as never;
  // Nothing listens on this port, so an attempt to send an email throws.
  const mail = openMail({ smtp_url: 'smtp://127.0.0.1:1', mail_from: 'a@example.com' }, log);
  await mail(serviceMail('Operator@Tidemark.local', { subject: 'Hello', lines: ['Welcome.'], action }));
  const text = expect.stringContaining('Welcome.');
  expect(logged).toEqual([
    [
      { to: 'Operator@Tidemark.local', subject: 'Hello', text },
      'email, not sent because no email can reach its address',
    ],
  ]);
  await expect(mail(serviceMail('ann@example.com', { subject: 'Hello', lines: [], action }))).rejects.toThrow();
});
