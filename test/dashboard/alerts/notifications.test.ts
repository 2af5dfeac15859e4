import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '../../../db/accounts/members.ts';
import { listNotifications } from '../../../db/alerts/notifications.ts';
import { listRecipients } from '../../../db/alerts/recipients.ts';
import { listRules } from '../../../db/alerts/rules.ts';
import { newId } from '../../../db/ids.ts';
import { createSendNotifications } from '../../../pipeline/jobs/send-notifications.ts';
import { weeklyReports } from '../../../pipeline/jobs/weekly-reports.ts';
import type { Mail } from '../../../pipeline/notify/mail.ts';
import type { JobContext } from '../../../pipeline/queue/job.ts';
import { countLockWaits } from '../../setup/lock-waits.ts';
import { until } from '../../setup/processes.ts';
import { silentLog } from '../../setup/test-database.ts';
import { keepCampaign, sendForm } from '../campaigns/campaign-workspace.ts';
import { createDashboardSetup, type DashboardSetup, type Member, noticeOf } from '../dashboard-server.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());
afterEach(() => {
  setup.clock.now = new Date('2026-11-20T10:00:00.000Z');
  expect(setup.errors).toEqual([]);
});

const area = '/dashboard/alerts';
const textOf = (page: string) => page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const pageOf = async (member: Member, path = area) => textOf(await (await member.get(path)).text());
const recipientsOf = ({ workspace_id }: Member) => listRecipients(setup.db.sql, workspace_id);
const rulesOf = ({ workspace_id }: Member) => listRules(setup.db.sql, workspace_id);
const logOf = ({ workspace_id }: Member) => listNotifications(setup.db.sql, workspace_id);

function context(): JobContext {
  const { db, queue, base_url } = setup;
  const signal = new AbortController().signal;
  return { db, queue, base_url, signal, now: () => setup.clock.now, log: silentLog } as unknown as JobContext;
}

/** Sends the queued notifications and returns the emails. */
async function sent(): Promise<Mail[]> {
  const mails: Mail[] = [];
  const post = async () => ({ status: 200, message: 'ok', retry_after_seconds: null });
  await createSendNotifications({ mail: async (mail) => void mails.push(mail), post }).run([], context());
  return mails;
}

const pathOf = (mail: Mail | undefined) => (mail?.unsubscribe_url ?? '').replace(setup.base_url, '');
const addEmail = (member: Member, email: string) => member.post(`${area}/recipients`, { channel: 'mail', email });
const submit = (path: string, action: string) =>
  setup.send(path, '', { method: 'POST', body: new URLSearchParams({ action }) });

describe('recipients of notifications', () => {
  test('a notification for a recipient that is removed at the same moment is not sent', async () => {
    const ann = await setup.member();
    await addEmail(ann, ann.email);
    const [one] = await recipientsOf(ann);
    const path = `${area}/recipients/${one?.recipient_id}`;
    await ann.post(`${path}/test`, {});
    // Locks the notification, so that the removal of its recipient must wait before it can commit.
    const { removal, message } = await setup.db.sql.begin(async (tx) => {
      await tx`select from notifications
        where workspace_id = ${ann.workspace_id} and recipient_id = ${one?.recipient_id ?? ''} for update`;
      const removal = ann.post(`${path}/remove`, {});
      await until(async () => (await countLockWaits(setup.db.sql)) === 1);
      const message = ann.post(`${path}/test`, {});
      await until(async () => (await countLockWaits(setup.db.sql)) === 2);
      return { removal: () => removal, message: () => message };
    });
    expect((await removal()).status).toBe(303);
    expect(noticeOf(await message())).toBe('recipient-not-tested');
    expect(await recipientsOf(ann)).toEqual([]);
  });

  test('a member gets notifications immediately, and another person only after confirming with the button on a page', async () => {
    const ann = await setup.member();
    await addEmail(ann, ann.email.toUpperCase());
    await addEmail(ann, 'client@example.com');
    const confirmed = async (email: string) =>
      (await recipientsOf(ann)).find(({ address }) => address === email)?.confirmed_at ?? null;
    expect(await confirmed(ann.email)).not.toBeNull();
    expect(await confirmed('client@example.com')).toBeNull();
    const mails = await sent();
    expect(mails.map(({ to }) => to)).toEqual(['client@example.com']);
    const path = pathOf(mails[0]);
    const page = await (await setup.send(path, '')).text();
    expect(textOf(page)).toContain('wants to send reports or alerts to client@example.com');
    expect(await confirmed('client@example.com')).toBeNull();
    expect(textOf(await (await submit(path, 'subscribe')).text())).toContain('You are subscribed');
    expect(await confirmed('client@example.com')).not.toBeNull();
  });

  test('a recipient unsubscribes by one click of an email program, without cookies and without an Origin header', async () => {
    const ann = await setup.member();
    await addEmail(ann, ann.email);
    const [recipient] = await recipientsOf(ann);
    await ann.post(`${area}/recipients/${recipient?.recipient_id}/test`, {});
    const path = pathOf((await sent())[0]);
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(`${setup.base_url}${path}`, { method: 'POST', body })).status).toBe(200);
    expect((await recipientsOf(ann))[0]?.unsubscribed_at).not.toBeNull();
    await ann.post(`${area}/recipients/${recipient?.recipient_id}/test`, {});
    expect(await sent()).toEqual([]);
    expect(await pageOf(ann)).toContain('unsubscribed');
  });

  test('only the person who unsubscribed can become a recipient again, by removing and adding the address', async () => {
    const ann = await setup.member();
    const ben = await setup.member();
    await addMember(setup.db.sql, ann.workspace_id, ben.user_id, 'editor');
    await ben.post('/dashboard/workspaces/switch', { workspace_id: ann.workspace_id });
    await addEmail(ann, ben.email);
    await addEmail(ann, 'client@example.com');
    await submit(pathOf((await sent())[0]), 'unsubscribe');
    const idOf = async (email: string) =>
      (await recipientsOf(ann)).find(({ address }) => address === email)?.recipient_id ?? '';
    await ann.post(`${area}/recipients/${await idOf(ben.email)}/test`, {});
    await submit(pathOf((await sent())[0]), 'unsubscribe');
    for (const email of [ben.email, 'client@example.com']) {
      const path = `${area}/recipients/${await idOf(email)}`;
      expect(await (await ann.get(area)).text()).not.toContain(`${path}/remove`);
      const kept = await ann.post(`${path}/remove`, {});
      expect(kept.status).toBe(400);
      expect(textOf(await kept.text())).toContain('Not removed: people who unsubscribed stay here');
      expect(noticeOf(await ann.post(`${path}/ask`, {}))).not.toBe('recipient-asked');
      const added = await addEmail(ann, email);
      expect(textOf(await added.text())).toContain(`${email} unsubscribed. Only this person can subscribe again`);
    }
    expect(await sent()).toEqual([]);
    expect(await (await ann.get('/dashboard/settings/audit')).text()).not.toContain('removed a recipient');
    expect((await recipientsOf(ann)).every(({ unsubscribed_at }) => unsubscribed_at !== null)).toBe(true);
    expect(await (await ben.get(area)).text()).toContain(`${await idOf(ben.email)}/remove`);
    const asBen = { for_workspace: ann.workspace_id };
    const removed = await ben.post(`${area}/recipients/${await idOf(ben.email)}/remove`, asBen);
    const added = await ben.post(`${area}/recipients`, { channel: 'mail', email: ben.email, ...asBen });
    expect([removed, added].map(noticeOf)).toEqual(['recipient-removed', 'recipient-added']);
  });

  test('an editor takes the reports from a client who unsubscribed, so that subscribing again does not bring them back', async () => {
    const ann = await setup.member();
    await addEmail(ann, 'former@example.com');
    const link = pathOf((await sent())[0]);
    await submit(link, 'subscribe');
    const [client] = await recipientsOf(ann);
    const path = `${area}/recipients/${client?.recipient_id}`;
    await ann.post(path, { topics: 'weekly_report' });
    await submit(link, 'unsubscribe');
    const page = await (await ann.get(area)).text();
    expect(page).toContain(`action="${path}"`);
    for (const action of ['ask', 'test', 'remove']) expect(page).not.toContain(`action="${path}/${action}"`);
    await ann.post(path, {});
    await submit(link, 'subscribe');
    expect(await recipientsOf(ann)).toMatchObject([{ topics: [], unsubscribed_at: null }]);
  });

  test('people who unsubscribed do not count toward the maximum number of recipients', async () => {
    const ann = await setup.member();
    for (let n = 0; n < 20; n += 1) {
      const url = `https://hooks.slack.com/services/T1/B${n}/x`;
      await ann.post(`${area}/recipients`, { channel: 'slack', label: `#c${n}`, url });
    }
    expect(textOf(await (await addEmail(ann, ann.email)).text())).toContain('A workspace can have 20 recipients');
    await ann.post(`${area}/recipients/${(await recipientsOf(ann))[0]?.recipient_id}/remove`, {});
    await addEmail(ann, 'client@example.com');
    await submit(pathOf((await sent())[0]), 'unsubscribe');
    expect(noticeOf(await addEmail(ann, ann.email))).toBe('recipient-added');
  });

  test('the log looks for the result of a test message itself, until the message is sent or for 2 minutes', async () => {
    const ann = await setup.member();
    await addEmail(ann, ann.email);
    const [recipient] = await recipientsOf(ann);
    const send = () => ann.post(`${area}/recipients/${recipient?.recipient_id}/test`, {});
    const isFollowed = async () => /id="messages"[^>]*every 2000ms/.test(await (await ann.get(area)).text());
    const { now } = setup.clock;
    await send();
    expect(await isFollowed()).toBe(true);
    setup.clock.now = new Date(now.getTime() + 3 * 60_000);
    expect(await isFollowed()).toBe(false);
    setup.clock.now = now;
    await sent();
    expect(await isFollowed()).toBe(false);
  });

  test('a workspace sends at most 20 test messages in 10 minutes, even when it removes and adds the recipient', async () => {
    const ann = await setup.member();
    let messages = 0;
    for (let n = 0; n < 25; n += 1) {
      await addEmail(ann, ann.email);
      const [recipient] = await recipientsOf(ann);
      const tested = await ann.post(`${area}/recipients/${recipient?.recipient_id}/test`, {});
      if (noticeOf(tested) === 'recipient-tested') messages += 1;
      await ann.post(`${area}/recipients/${recipient?.recipient_id}/remove`, {});
    }
    expect(messages).toBe(20);
  });

  test('opening a link in a notification email changes nothing, because email scanners open links', async () => {
    const ann = await setup.member();
    await addEmail(ann, ann.email);
    const [recipient] = await recipientsOf(ann);
    await ann.post(`${area}/recipients/${recipient?.recipient_id}/test`, {});
    const path = pathOf((await sent())[0]);
    expect((await setup.send(path, '')).status).toBe(200);
    expect((await recipientsOf(ann))[0]?.unsubscribed_at).toBeNull();
  });

  test('a recipient link with a changed token is not found, and no path of such a link is logged', async () => {
    const ann = await setup.member();
    await addEmail(ann, 'other@example.com');
    const path = pathOf((await sent())[0]);
    const last = path.endsWith('A') ? 'B' : 'A';
    for (const wrong of [`${path.slice(0, -2)}${last}${last}`, '/subscriptions/x', `${path}AAAA`]) {
      expect((await setup.send(wrong, '')).status).toBe(404);
      expect((await submit(wrong, 'subscribe')).status).toBe(404);
    }
    expect(JSON.stringify(setup.logs)).not.toContain(path.split('/')[2]);
  });

  test('the name of a workspace cannot become a link in the email that asks a person to confirm', async () => {
    const ann = await setup.member();
    await setup.db.sql`update workspaces set name = 'https://win.example' where workspace_id = ${ann.workspace_id}`;
    await addEmail(ann, 'lured@example.com');
    const [mail] = await sent();
    expect(mail?.to).toBe('lured@example.com');
    expect(`${mail?.text} ${mail?.html}`).not.toContain('win.example');
  });

  test('a user sends at most 20 messages by hand in 10 minutes: tests and failed messages, in all workspaces together', async () => {
    const ann = await setup.member();
    const workspace = async () => (await ann.get(area)).headers.get('x-workspace') ?? '';
    const notices: (string | null)[] = [];
    for (let workspaces = 0; workspaces < 2; workspaces += 1) {
      if (workspaces > 0) await ann.post('/dashboard/workspaces', { name: 'Other', for_workspace: await workspace() });
      const own = { for_workspace: await workspace() };
      await ann.post(`${area}/recipients`, { channel: 'mail', email: ann.email, ...own });
      const [recipient] = await listRecipients(setup.db.sql, own.for_workspace);
      for (let n = 0; n < 11; n += 1)
        notices.push(noticeOf(await ann.post(`${area}/recipients/${recipient?.recipient_id}/test`, own)));
      await setup.db.sql`update notifications set status = 'failed' where workspace_id = ${own.for_workspace}`;
    }
    const [tested, refused] = ['recipient-tested', 'recipient-not-tested'];
    expect(notices).toEqual([...Array(20).fill(tested), refused, refused]);
    const current = await workspace();
    const [failed] = await listNotifications(setup.db.sql, current);
    const again = await ann.post(`${area}/log/${failed?.notification_id}/again`, { for_workspace: current });
    expect(noticeOf(again)).toBe('message-wait');
  });

  test('one user asks a person at most twice a day to confirm notifications, so that others can ask too, and all users at most three times', async () => {
    const notices: (string | null)[][] = [];
    for (const user of [await setup.member(), await setup.member(), await setup.member()]) {
      const added = await addEmail(user, 'often@example.com');
      const [recipient] = await recipientsOf(user);
      const again = () => user.post(`${area}/recipients/${recipient?.recipient_id}/ask`, {});
      notices.push([added, await again(), await again()].map(noticeOf));
    }
    const [asked, wait] = ['recipient-asked', 'recipient-wait'];
    expect(notices).toEqual([
      [asked, asked, wait],
      [asked, wait, wait],
      [wait, wait, wait],
    ]);
    expect(await sent()).toHaveLength(3);
  });

  test.each([
    [{ channel: 'mail', email: 'no address' }, 'Enter one email address, such as ann@example.com.'],
    [{ channel: 'mail', email: 'a@example.com,b@example.com' }, 'Enter one email address'],
    [{ channel: 'slack', label: '#a', url: 'http://hooks.slack.com/x' }, 'Use an https:// URL.'],
    [{ channel: 'slack', label: '#a', url: 'https://10.0.0.1/x' }, 'Use the URL of a host on the public internet.'],
  ])('the address %j is refused with the reason, and no recipient is added', async (fields, reason) => {
    const ann = await setup.member();
    const answer = await ann.post(`${area}/recipients`, fields as Record<string, string>);
    expect(answer.status).toBe(400);
    expect(textOf(await answer.text())).toContain(reason);
    expect(await recipientsOf(ann)).toEqual([]);
  });

  test('the URL of a Slack channel is never shown again', async () => {
    const ann = await setup.member();
    const url = 'https://hooks.slack.com/services/T1/B2/secret';
    await ann.post(`${area}/recipients`, { channel: 'slack', label: '#social', url });
    expect(await recipientsOf(ann)).toMatchObject([{ address: url, label: '#social' }]);
    const page = await (await ann.get(area)).text();
    expect(page).toContain('#social (Slack)');
    expect(page).not.toContain('hooks.slack.com/services/T1');
  });
});

describe('weekly reports by email', () => {
  test('weekly reports reach a person without an account, who can open the report until they unsubscribe', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const { campaign_id } = await keepCampaign(setup, ann);
    await setup.db.sql`update campaigns set created_at = '2026-11-02' where campaign_id = ${campaign_id}`;
    await addEmail(ann, 'agency-client@example.com');
    await submit(pathOf((await sent())[0]), 'subscribe');
    const [recipient] = await recipientsOf(ann);
    await sendForm(setup, ann, `${area}/recipients/${recipient?.recipient_id}`, [
      ['topics', 'weekly_report'],
      ['campaign_ids', campaign_id],
    ]);
    setup.clock.now = new Date('2026-11-23T02:05:00.000Z');
    await weeklyReports.run([], context());
    const mails = (await sent()).filter(({ subject }) => subject.includes('16–22 November 2026'));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toMatch(/Followers: Now ≈[\d,]+, Change ≈[+−][\d,]+/);
    const report = /Open report: (\S+)/.exec(mails[0]?.text ?? '')?.[1]?.replace(setup.base_url, '') ?? '';
    const page = await setup.send(report, '');
    expect(page.status).toBe(200);
    expect(textOf(await page.text())).toMatch(/16\s*–\s*22 November 2026/);
    await submit(pathOf(mails[0]), 'unsubscribe');
    expect((await setup.send(report, '')).status).toBe(404);
  });

  test('weekly reports do not reach a recipient who chose other campaigns', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const { campaign_id } = await keepCampaign(setup, ann);
    await setup.db.sql`update campaigns set created_at = '2026-11-02' where campaign_id = ${campaign_id}`;
    await addEmail(ann, ann.email);
    await setup.db.sql`
      update alert_recipients set topics = '{weekly_report}', campaign_ids = ${[newId()]}::uuid[]
      where workspace_id = ${ann.workspace_id}`;
    setup.clock.now = new Date('2026-11-23T02:05:00.000Z');
    await weeklyReports.run([], context());
    expect(await logOf(ann)).toEqual([]);
  });
});

describe('alert rules in the dashboard', () => {
  const change = {
    ...{ name: 'Big moves', scope: 'all', condition: 'change', metric: 'followers', direction: 'down' },
    ...{ amount: '5.5', days: '7', cooldown_hours: '48' },
  };

  test('an alert rule is created from the form, shown in words, turned off and removed', async () => {
    const ann = await setup.member();
    await addEmail(ann, ann.email);
    const [recipient] = await recipientsOf(ann);
    const form = await pageOf(ann, `${area}/rules?condition=change`);
    expect(form).toContain('Within days');
    await ann.post(`${area}/rules`, { ...change, recipient_ids: recipient?.recipient_id ?? '' });
    const [rule] = await rulesOf(ann);
    expect(rule).toMatchObject({ amount: 5.5, days: 7, direction: 'down', recipient_ids: [recipient?.recipient_id] });
    expect(await pageOf(ann)).toContain('followers fall by 5.5% or more in 7 days');
    await ann.post(`${area}/rules/${rule?.rule_id}/off`, {});
    expect((await rulesOf(ann))[0]?.enabled).toBe(false);
    await ann.post(`${area}/rules/${rule?.rule_id}/remove`, {});
    expect(await rulesOf(ann)).toEqual([]);
  });

  test.each([
    [{ amount: '0' }, 'Enter a number from 0.1 to 10,000.'],
    [{ amount: 'x' }, 'Enter a number from 0.1 to 10,000.'],
    [{ days: '1.5' }, 'Enter a whole number from 1 to 90.'],
    [{ cooldown_hours: '' }, 'Enter a whole number from 0 to 720.'],
    [{ name: '' }, 'Enter a name of at most 80 characters.'],
    [{ scope: 'item:not-an-id' }, 'Choose the items to watch.'],
    [{ scope: 'item:00000000-0000-7000-8000-000000000000' }, 'The rule was not created'],
  ])('the form with %j is refused with the reason, and the typed values stay', async (wrong, reason) => {
    const ann = await setup.member();
    const answer = await ann.post(`${area}/rules`, { ...change, name: 'Kept name', ...wrong });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(textOf(page)).toContain(reason);
    if (!('name' in wrong)) expect(page).toContain('value="Kept name"');
    expect(await rulesOf(ann)).toEqual([]);
  });

  test('a recipient of another workspace cannot be chosen for an alert rule', async () => {
    const [ann, bob] = [await setup.member(), await setup.member()];
    await addEmail(bob, bob.email);
    const [theirs] = await recipientsOf(bob);
    await ann.post(`${area}/rules`, { ...change, recipient_ids: theirs?.recipient_id ?? '' });
    expect((await rulesOf(ann))[0]?.recipient_ids).toEqual([]);
    const path = `${area}/recipients/${theirs?.recipient_id}`;
    for (const form of [path, `${path}/test`, `${path}/ask`, `${path}/remove`])
      expect((await ann.post(form, {})).status).toBe(404);
  });

  test('the threshold of an alert rule may be pasted with thousands separators', async () => {
    const ann = await setup.member();
    const fields = { name: 'Million', scope: 'all', condition: 'above', metric: 'views', cooldown_hours: '0' };
    await ann.post(`${area}/rules`, { ...fields, amount: '1,000,000' });
    expect((await rulesOf(ann))[0]).toMatchObject({ condition: 'above', amount: 1_000_000, days: null });
  });
});

describe('the log of notifications', () => {
  test('the log of notifications shows the state and reason of a failure, and sends a failed notification again', async () => {
    const ann = await setup.member();
    await addEmail(ann, ann.email);
    const [recipient] = await recipientsOf(ann);
    await ann.post(`${area}/recipients/${recipient?.recipient_id}/test`, {});
    const refuse = async () => {
      throw Object.assign(new Error('550 No such mailbox'), { code: 'EENVELOPE', responseCode: 550 });
    };
    const post = async () => ({ status: 200, message: '', retry_after_seconds: null });
    await createSendNotifications({ mail: refuse, post }).run([], context());
    expect(await pageOf(ann)).toMatch(/Test message Test .* failed 550 No such mailbox Send again/);
    const [message] = await logOf(ann);
    const path = `${area}/log/${message?.notification_id}`;
    expect(await pageOf(ann, path)).toContain('This is how alerts and reports of the workspace');
    expect((await ann.post(`${path}/again`, {})).status).toBe(303);
    expect(await sent()).toHaveLength(1);
    expect((await ann.post(`${path}/again`, {})).status).toBe(404);
  });
});
