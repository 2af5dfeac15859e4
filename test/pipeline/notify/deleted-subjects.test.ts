import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listNotifications, retryNotification } from '../../../db/alerts/notifications.ts';
import { archiveCampaign, insertCampaign } from '../../../db/campaigns/campaigns.ts';
import { deleteCampaign } from '../../../db/campaigns/deletion.ts';
import { freezeReport } from '../../../db/campaigns/reports.ts';
import { insertBatch } from '../../../db/deliveries/batches.ts';
import { newId } from '../../../db/ids.ts';
import { alone, inTransaction } from '../../../db/transaction.ts';
import { cancelBatch, deleteBatch } from '../../../pipeline/batches/batches.ts';
import { createSendNotifications, mailDelaysS } from '../../../pipeline/jobs/send-notifications.ts';
import { notify } from '../../../pipeline/notify/notify.ts';
import { type AlertSetup, createAlertSetup, start } from '../alerts/alert-workspace.ts';
import { refusal, startMailServer } from './mail-server.ts';
import { post } from './webhook-receiver.ts';

let setup: AlertSetup;
let mine: string;
beforeAll(async () => {
  setup = await createAlertSetup();
});
afterAll(() => setup.db.close());
beforeEach(async () => {
  setup.clock.now = start;
  await setup.db.sql`delete from notifications`;
  mine = await setup.workspace();
  await setup.recipient(mine, { topics: ['weekly_report', 'batch_finished'] });
});

/**
 * Creates an archived campaign with a report of one week. Returns the report's id and a function that deletes the
 * campaign.
 */
async function report() {
  const { sql } = setup.db;
  const campaign = { name: 'Spring', report_name: null, starts_on: '2026-11-02', ends_on: null };
  const limits = { slots: 20, total: 100 };
  const campaignId = (await alone(sql, mine, (tx) => insertCampaign(tx, mine, campaign, limits))) ?? '';
  await archiveCampaign(sql, mine, campaignId, '2026-11-08');
  const week = { period_start: start, period_end: new Date(start.getTime() + 604_800_000), body: '{}' };
  const id = newId();
  await freezeReport(sql, { workspace_id: mine, campaign_id: campaignId, report_id: id, ...week });
  return { id, remove: () => deleteCampaign(sql, mine, campaignId) };
}

/** Creates a finished bulk analysis. Returns its id and a function that deletes it. */
async function analysis() {
  const { sql } = setup.db;
  const id = newId();
  const row = { row_no: 1, url: 'not a link', duplicate_of: null, status: 'INVALID_INPUT', cells: '[]' };
  const batch = { workspace_id: mine, batch_id: id, name: 'Rivals', now: start };
  await inTransaction(sql, (tx) => insertBatch(tx, batch, [row]));
  await cancelBatch(setup.context, mine, id);
  return { id, remove: () => deleteBatch({ db: setup.db }, mine, id) };
}

const tell = (kind: string, subjectKey: string) =>
  notify(
    setup.context,
    setup.db.sql,
    mine,
    { topic: kind, campaign_id: null },
    { kind, subject_key: subjectKey, message: { subject: kind, lines: [] } },
  );
type MailServer = Awaited<ReturnType<typeof startMailServer>>;
const send = (server: MailServer) => createSendNotifications({ ...server, post }).run([], setup.context);
const logged = async () =>
  (await listNotifications(setup.db.sql, mine)).map(({ status, result }) => [status, result]).toSorted();

test.each([
  ['weekly_report', report, 'Not sent: the campaign was deleted.'],
  ['batch_finished', analysis, 'Not sent: the bulk analysis was deleted.'],
] as const)(
  'a message %s that waits is not sent when its subject is deleted, and others are',
  async (kind, make, reason) => {
    const server = await startMailServer();
    const [deleted, kept] = [await make(), await make()];
    for (const { id } of [kept, deleted]) await tell(kind, id);
    await deleted.remove();
    await send(server);
    expect(server.received).toHaveLength(1);
    expect(await logged()).toEqual([
      ['sent', null],
      ['skipped', reason],
    ]);
  },
);

test('a report mail that failed is not sent again after its campaign was deleted', async () => {
  const refusing = await startMailServer({ onRcptTo: (_, _session, done) => done(refusal(550, 'No such mailbox')) });
  const { id, remove } = await report();
  await tell('weekly_report', id);
  await send(refusing);
  await remove();
  const [failed] = await listNotifications(setup.db.sql, mine);
  await retryNotification(setup.db.sql, mine, failed?.notification_id ?? '', setup.clock.now);
  const server = await startMailServer();
  await send(server);
  expect(server.received).toEqual([]);
  expect(await logged()).toEqual([['skipped', 'Not sent: the campaign was deleted.']]);
});

test('a report mail that is tried again later is not sent when its campaign is deleted in between', async () => {
  const busy = await startMailServer({ onMailFrom: (_, _session, done) => done(refusal(421, 'Too busy')) });
  const { id, remove } = await report();
  await tell('weekly_report', id);
  await send(busy);
  expect(await logged()).toMatchObject([['waiting', expect.any(String)]]);
  await remove();
  setup.clock.now = new Date(start.getTime() + (mailDelaysS[0] ?? 0) * 1_000);
  const server = await startMailServer();
  await send(server);
  expect(server.received).toEqual([]);
  expect(await logged()).toEqual([['skipped', 'Not sent: the campaign was deleted.']]);
});
