import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { claimNotifications, listNotifications, retryNotification } from '../../../db/alerts/notifications.ts';
import { setSubscribed } from '../../../db/alerts/recipients.ts';
import { createSendNotifications, mailDelaysS } from '../../../pipeline/jobs/send-notifications.ts';
import { createMailer } from '../../../pipeline/notify/mail.ts';
import type { Message } from '../../../pipeline/notify/message.ts';
import { notify } from '../../../pipeline/notify/notify.ts';
import { readSubscriptionToken, subscriptionSecret } from '../../../pipeline/notify/subscription-token.ts';
import { type AlertSetup, createAlertSetup, start } from '../alerts/alert-workspace.ts';
import { decoded, header, refusal, startMailServer } from './mail-server.ts';
import { post, startReceiver } from './webhook-receiver.ts';

type Senders = Parameters<typeof createSendNotifications>[0];
let setup: AlertSetup;
let mine: string;
let ann: string;

beforeAll(async () => {
  setup = await createAlertSetup();
});
afterAll(() => setup.db.close());
beforeEach(async () => {
  setup.clock.now = start;
  await setup.db.sql`delete from notifications`;
  mine = await setup.workspace();
  ann = await setup.recipient(mine);
});

const message: Message = {
  subject: 'Ann & <Bob> – “two” alerts',
  lines: ['A line with <b>markup</b> & more.'],
  tables: [{ columns: ['Item', 'What happened'], rows: [['مرحبا', 'followers +10% in 1 day: 1,000 → 1,100']] }],
  notes: ['A note.'],
  action: { label: 'Open item', path: '/dashboard/tracking' },
};
const tell = (recipientId: string, key = 'one', change: Partial<Message> = {}) =>
  notify(
    setup.context,
    setup.db.sql,
    mine,
    { recipient_ids: [recipientId] },
    { kind: 'alert', subject_key: key, message: { ...message, ...change } },
  );
const send = (senders: Partial<Senders>) =>
  createSendNotifications({ mail: null, post, ...senders }).run([], setup.context);
const logged = async () => (await listNotifications(setup.db.sql, mine))[0] ?? expect.fail('the log is empty');
const pass = (seconds: number) => {
  setup.clock.now = new Date(setup.clock.now.getTime() + seconds * 1_000);
};

describe('a notification by email', () => {
  test('a notification arrives at the mail server as text and HTML, with names as text and not as markup', async () => {
    const server = await startMailServer();
    await tell(ann);
    await send(server);
    const [mail] = server.received;
    expect(mail?.to).toEqual(['ann@example.com']);
    const body = decoded(mail?.source ?? '');
    expect(header(mail?.source ?? '', 'Content-Type')).toContain('multipart/alternative');
    expect(body).toContain('A line with <b>markup</b> & more.\n');
    expect(body).toContain('- مرحبا: What happened followers +10% in 1 day: 1,000 → 1,100');
    expect(body).toContain('A line with &lt;b&gt;markup&lt;/b&gt; &amp; more.</p>');
    expect(body).toContain('<bdi>مرحبا</bdi>');
    expect(body).toContain('href="http://tidemark.test/dashboard/tracking"');
    expect(body).not.toMatch(/<img|<script|<link/);
    expect(await logged()).toMatchObject({ status: 'sent', attempts: 1, result: null, sent_at: setup.clock.now });
  });

  test('a notification has the headers with which an email program unsubscribes by one click', async () => {
    const server = await startMailServer();
    await tell(ann);
    await send(server);
    const source = server.received[0]?.source ?? '';
    const url = header(source, 'List-Unsubscribe')?.match(/^<(http:\/\/tidemark\.test\/subscriptions\/([\w-]+))>$/);
    expect(header(source, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    const secret = await subscriptionSecret(setup.db.sql);
    expect(readSubscriptionToken(url?.[2] ?? '', secret)).toEqual({ workspace_id: mine, recipient_id: ann });
    expect(decoded(source)).toContain(`Unsubscribe: ${url?.[1]}`);
  });

  test('a notification cannot add an email header through its subject', async () => {
    const server = await startMailServer();
    await tell(ann, 'injected', { subject: 'Hello\r\nBcc: eve@example.com' });
    await send(server);
    expect(server.received.map(({ to }) => to)).toEqual([['ann@example.com']]);
    expect(header(server.received[0]?.source ?? '', 'Bcc')).toBeUndefined();
  });

  test('a name with characters that change the text direction cannot reverse the numbers after it', async () => {
    const server = await startMailServer();
    const name = 'Kelp \u202e\u2066forest';
    const tables = [{ columns: ['Item', 'What happened'], rows: [[name, 'followers 1,000 → 1,100']] }];
    await tell(ann, 'reversed', { subject: `${name}: followers 1,000 → 1,100`, tables });
    await send(server);
    const body = decoded(server.received[0]?.source ?? '');
    expect(body).toContain('Kelp forest: followers 1,000 → 1,100');
    expect(body).toContain('- Kelp forest: What happened followers 1,000 → 1,100');
    expect(body).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  test('a notification fails immediately when the mail server refuses the address for good', async () => {
    const server = await startMailServer({ onRcptTo: (_, _session, done) => done(refusal(550, 'No such mailbox')) });
    await tell(ann);
    await send(server);
    expect(await logged()).toMatchObject({ status: 'failed', attempts: 1 });
    expect((await logged()).result).toContain('No such mailbox');
    pass(mailDelaysS[0] ?? 0);
    await send(server);
    expect(server.received).toEqual([]);
  });

  test('a notification is sent again after a temporary failure, with the same Message-ID, and then never again', async () => {
    let refusals = 1;
    const ids: (string | undefined)[] = [];
    const server = await startMailServer({
      onData(stream, _, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          ids.push(header(Buffer.concat(chunks).toString(), 'Message-ID'));
          done(refusals-- > 0 ? refusal(450, 'Try again later') : null);
        });
      },
    });
    await tell(ann);
    await send(server);
    expect(await logged()).toMatchObject({ status: 'waiting', attempts: 1 });
    await send(server);
    expect(ids).toHaveLength(1);
    pass(mailDelaysS[0] ?? 0);
    await send(server);
    pass(86_400);
    await send(server);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).toContain('@tidemark.test');
    expect(await logged()).toMatchObject({ status: 'sent', attempts: 2 });
  });

  test('a notification has failed after the last attempt, and can then be sent again by hand', async () => {
    const server = await startMailServer({ onMailFrom: (_, _session, done) => done(refusal(421, 'Too busy')) });
    await tell(ann);
    for (const delay of [0, ...mailDelaysS]) {
      pass(delay);
      await send(server);
    }
    expect(await logged()).toMatchObject({ status: 'failed', attempts: mailDelaysS.length + 1 });
    expect(await retryNotification(setup.db.sql, mine, (await logged()).notification_id, setup.clock.now)).toBe(true);
    await send(await startMailServer());
    expect(await logged()).toMatchObject({ status: 'sent', attempts: 1 });
  });

  test('a notification waits for another attempt when the mail server is slow, cannot be reached or does not speak TLS', async () => {
    const slow = await startMailServer({ onConnect: () => undefined });
    const plain = await startMailServer();
    const urls = [`smtp://${slow.address}`, 'smtp://127.0.0.1:1', `smtps://${plain.address}`];
    urls.push(`smtp://${plain.address}?requireTLS=true`);
    for (const [index, smtpUrl] of urls.entries()) {
      await tell(ann, String(index));
      const mail = createMailer({ smtp_url: smtpUrl, from: 'a@example.com', log: () => undefined, timeout_ms: 300 });
      await send({ mail });
      expect(await logged()).toMatchObject({ status: 'waiting', attempts: 1, result: expect.any(String) });
    }
    expect(plain.received).toEqual([]);
  });

  test('a notification is shown only in the dashboard when the server has no mail server', async () => {
    await tell(ann);
    await send({ mail: null });
    expect(await logged()).toMatchObject({ status: 'shown', result: 'Not emailed: no mail server is set up.' });
  });
});

describe('a notification', () => {
  test('an unconfirmed address gets only the email that asks for its confirmation', async () => {
    const bob = await setup.recipient(mine, { address: 'bob@example.com' }, false);
    expect(await tell(bob)).toBe(0);
    const audience = { recipient_ids: [bob], even_unconfirmed: true };
    const question = { kind: 'confirmation', subject_key: 'one', message };
    expect(await notify(setup.context, setup.db.sql, mine, audience, question)).toBe(1);
  });

  test('a notification is not sent to somebody who unsubscribed, even when it already waited', async () => {
    const server = await startMailServer();
    await tell(ann);
    await setSubscribed(setup.db.sql, mine, ann, false, setup.clock.now);
    await send(server);
    expect(await logged()).toMatchObject({ status: 'skipped', result: 'Not sent: the recipient unsubscribed.' });
    expect(await tell(ann, 'later')).toBe(0);
    expect(server.received).toEqual([]);
  });

  test('a notification about one subject is added once for a recipient', async () => {
    expect([await tell(ann), await tell(ann)]).toEqual([1, 0]);
  });

  test('a notification beyond the daily limit of a workspace is in the log as failed, with the reason', async () => {
    await setup.db.sql`
      insert into notifications
        (workspace_id, notification_id, recipient_id, kind, subject_key, message, status, next_at, created_at)
      select ${mine}, gen_random_uuid(), ${ann}, 'test', n::text, '{}', 'sent', ${start}, ${start}
      from generate_series(1, 499) n`;
    expect([await tell(ann, 'last'), await tell(ann, 'too many')]).toEqual([1, 0]);
    pass(86_400);
    expect(await tell(ann, 'next day')).toBe(1);
  });

  test('a notification does not wait for many notifications of another workspace', async () => {
    for (let n = 0; n < 20; n += 1) await tell(ann, `busy ${n}`);
    pass(60);
    const other = await setup.workspace();
    const audience = { recipient_ids: [await setup.recipient(other)] };
    await notify(setup.context, setup.db.sql, other, audience, { kind: 'alert', subject_key: 'one', message });
    const claimed = await claimNotifications(setup.db.sql, setup.clock.now, 5);
    expect(claimed).toHaveLength(5);
    expect(claimed.map(({ workspace_id }) => workspace_id)).toContain(other);
  });

  test('a notification is sent again after its process was killed, but not by two processes at the same time', async () => {
    const server = await startMailServer();
    await tell(ann);
    const killed = await claimNotifications(setup.db.sql, setup.clock.now, 5);
    expect(killed).toHaveLength(1);
    await send(server);
    expect(server.received).toEqual([]);
    pass(300);
    await Promise.all([send(server), send(server)]);
    expect(server.received).toHaveLength(1);
    expect(await logged()).toMatchObject({ status: 'sent', attempts: 2 });
  });
});

test('when the result of one notification cannot be stored, the others are sent and stored before the job fails', async () => {
  const bob = await setup.recipient(mine, { address: 'bob@example.com' });
  for (const recipient of [ann, bob]) await tell(recipient);
  const held = Promise.withResolvers<void>();
  const mail: Senders['mail'] = ({ to }) => (to.startsWith('bob') ? held.promise : Promise.resolve());
  const order: string[] = [];
  const now = () => {
    order.push(order.length === 0 ? 'claimed' : order.length === 1 ? 'failed' : 'stored');
    if (order.at(-1) !== 'failed') return setup.clock.now;
    setImmediate(held.resolve);
    throw new Error('invented');
  };
  const run = createSendNotifications({ mail, post }).run([], { ...setup.context, now });
  await run.catch(({ message: text }: Error) => order.push(text));
  expect(order).toEqual(['claimed', 'failed', 'stored', 'stored', 'invented']);
});

describe('a notification to Slack', () => {
  const slack = (url: string) => setup.recipient(mine, { channel: 'slack', address: url, label: '#team' });

  test('a notification to Slack is posted as text in which names cannot mention anyone', async () => {
    const receiver = await startReceiver({ status: 200, body: 'ok' });
    await tell(await slack(receiver.url), 'slack', { lines: ['<!channel> hello'] });
    await send({});
    const { text, mrkdwn, blocks } = JSON.parse(receiver.received[0]?.body ?? '{}');
    expect([text.split('\n'), mrkdwn]).toEqual([
      expect.arrayContaining(['Ann &amp; &lt;Bob&gt; – “two” alerts', '&lt;!channel&gt; hello']),
      false,
    ]);
    expect(text).toContain('\nOpen item: http://tidemark.test/dashboard/tracking');
    expect(blocks[0].elements[0].elements.at(-1)).toMatchObject({ type: 'link', text: 'Open item' });
    expect(await logged()).toMatchObject({ status: 'sent' });
  });

  test('a notification to Slack fails immediately when the channel no longer exists, and is tried again when Slack is busy', async () => {
    const gone = await startReceiver({ status: 404, body: 'channel_not_found' });
    await tell(await slack(gone.url), 'gone');
    await send({});
    expect(await logged()).toMatchObject({ status: 'failed', result: 'Slack: 404 channel_not_found' });
    pass(1);
    const busy = await startReceiver({ status: 500 }, { status: 200 });
    await tell(await slack(busy.url), 'busy');
    await send({});
    expect(await logged()).toMatchObject({ status: 'waiting' });
    pass(mailDelaysS[0] ?? 0);
    await send({});
    expect(await logged()).toMatchObject({ status: 'sent', attempts: 2 });
  });
});

test('the messages of workspaces with slow receivers are sent after those of other workspaces', async () => {
  const slack = { channel: 'slack', address: 'https://slow.invented.example/', label: 'Slow' } as const;
  const notice = (key: string) => ({ kind: 'alert', subject_key: key, message });
  for (let n = 0; n < 5; n += 1) {
    const workspace = await setup.workspace();
    const recipient = await setup.recipient(workspace, slack);
    for (const key of ['one', 'two'])
      await notify(setup.context, setup.db.sql, workspace, { recipient_ids: [recipient] }, notice(key));
  }
  pass(60);
  const other = await setup.recipient(mine, { ...slack, address: 'https://quick.invented.example/' });
  await tell(other);
  const posted: string[] = [];
  const realNow = performance.now.bind(performance);
  let waited = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + waited);
  await send({
    async post({ url }) {
      if (url.includes('slow')) waited += 1_001;
      posted.push(new URL(url).hostname);
      return { status: 200, message: 'ok', retry_after_seconds: null };
    },
  });
  expect(posted).toHaveLength(11);
  expect(posted.indexOf('quick.invented.example')).toBe(5);
});
