import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Sql } from 'postgres';
import { findSubscription, type Subscription, setSubscribed } from '../../../db/alerts/recipients.ts';
import {
  type RecipientKey,
  readSubscriptionToken,
  subscriptionSecret,
} from '../../../pipeline/notify/subscription-token.ts';
import { answerRequest, type WriteLog } from '../../http/handle-request.ts';
import { limitBody } from '../../http/limit-body.ts';
import { reportContent } from '../reports/content.ts';
import { reportTitle } from '../reports/figures.ts';
import { type PictureDeps, picturesOf } from '../reports/pictures.ts';
import type { ReadReport } from '../reports/source.ts';
import { answerPage } from '../ui/answer-page.ts';
import { brokenPage } from '../ui/failure-pages.ts';
import { readForm } from '../ui/forms/read-form.ts';
import { publicPage } from '../ui/layout.ts';
import { text } from '../ui/section.ts';

interface SubscriptionDeps extends PictureDeps {
  db: { sql: Sql };
  now: () => Date;
  read_report: ReadReport;
  log: WriteLog;
}

const path = '/subscriptions/:token';
const maxFormBytes = 4_096;

interface Opened {
  key: RecipientKey;
  subscription: Subscription;
}

/**
 * Adds the pages that the links in emails and Slack messages open. These pages need no sign-in, because the signed
 * token in the URL identifies the recipient. A GET request never changes anything, because mail scanners open links.
 * POST also accepts the one-click unsubscribe request of mail programs (RFC 8058).
 */
export function mountSubscriptions(app: Hono, deps: SubscriptionDeps): void {
  app.get(path, (c) => answer(c, path, deps, async ({ subscription }) => statePage(subscription)));
  app.post(path, (c) => answer(c, path, deps, (opened) => change(c, opened, deps)));
  const report = `${path}/reports/:campaign_id/:report_id`;
  app.get(report, (c) => answer(c, report, deps, (opened) => reportPage(c, opened, deps)));
}

async function answer(
  c: Context,
  route: string,
  deps: SubscriptionDeps,
  show: (opened: Opened) => Promise<Response>,
): Promise<Response> {
  const response = await answerRequest({
    request: c.req.raw,
    route,
    log: deps.log,
    answer: async () => {
      await limitBody(c, maxFormBytes);
      const opened = await open(c.req.param('token') ?? '', deps);
      return opened ? show(opened) : invalidLinkPage();
    },
    failed: (error, { request_id }) => brokenPage(error, request_id),
  });
  response.headers.set('x-robots-tag', 'noindex, nofollow');
  response.headers.set('referrer-policy', 'no-referrer');
  return response;
}

async function open(token: string, { db }: SubscriptionDeps): Promise<Opened | null> {
  const key = readSubscriptionToken(token, await subscriptionSecret(db.sql));
  const subscription = key && (await findSubscription(db.sql, key.workspace_id, key.recipient_id));
  return key && subscription ? { key, subscription } : null;
}

async function change(c: Context, { key }: Opened, { db, now }: SubscriptionDeps): Promise<Response> {
  const subscribed = text(await readForm(c.req.raw), 'action') === 'subscribe';
  await setSubscribed(db.sql, key.workspace_id, key.recipient_id, subscribed, now());
  const subscription = await findSubscription(db.sql, key.workspace_id, key.recipient_id);
  return subscription ? statePage(subscription) : invalidLinkPage();
}

/**
 * Returns the page that says whether the recipient receives messages, with one button that turns the messages on or
 * off.
 */
function statePage({
  workspace_name,
  channel,
  address,
  confirmed_at,
  unsubscribed_at,
}: Subscription): Promise<Response> {
  const [name, who] = [html`<b><bdi>${workspace_name}</bdi></b>`, channel === 'mail' ? address : 'This Slack channel'];
  const button = (action: string, label: string) =>
    html`<form method="post"><input type="hidden" name="action" value="${action}"><button class="main">${label}</button></form>`;
  if (unsubscribed_at !== null) {
    const content = html`<div class="box"><h1>You are unsubscribed</h1><p>${who} gets no more messages from ${name}.</p>${button('subscribe', 'Subscribe again')}</div>`;
    return answerPage(publicPage('You are unsubscribed', content));
  }
  if (confirmed_at === null) {
    const content = html`<div class="box"><h1>Get messages from ${name}?</h1><p>${name} wants to send reports or alerts to ${who}. You can unsubscribe at any time. If you do not want them, close this page.</p>${button('subscribe', 'Confirm')}</div>`;
    return answerPage(publicPage('Confirm your address', content));
  }
  const content = html`<div class="box"><h1>You are subscribed</h1><p>${who} gets messages from ${name}.</p>${button('unsubscribe', 'Unsubscribe')}</div>`;
  return answerPage(publicPage('Your messages', content));
}

/**
 * Returns the page with a finished weekly report. Returns "Link not found" unless the link's recipient gets the reports
 * of this campaign.
 */
async function reportPage(c: Context, { key, subscription }: Opened, deps: SubscriptionDeps): Promise<Response> {
  const { tier, topics, campaign_ids, confirmed_at, unsubscribed_at } = subscription;
  const campaignId = c.req.param('campaign_id') ?? '';
  const allowed = topics.includes('weekly_report') && (campaign_ids.length === 0 || campaign_ids.includes(campaignId));
  if (!allowed || confirmed_at === null || unsubscribed_at !== null) return invalidLinkPage();
  const wanted = { workspace_id: key.workspace_id, tier, campaign_id: campaignId };
  const report = await deps.read_report({ ...wanted, report_id: c.req.param('report_id') ?? '' });
  if (!report) return invalidLinkPage();
  const title = reportTitle(report);
  const pictureOf = await picturesOf(report, key.workspace_id, deps);
  return answerPage(publicPage(title, html`<h1>${title}</h1>${reportContent(report, 'screen', pictureOf)}`, true));
}

/**
 * Returns the same page "Link not found" for a wrong token, a removed recipient, and a report that the recipient may
 * not read.
 */
function invalidLinkPage(): Promise<Response> {
  const content = html`<div class="box"><h1>Link not found</h1><p>This link is wrong, or you no longer get these messages. Ask the sender for a new one.</p></div>`;
  return answerPage(publicPage('Link not found', content), 404);
}
