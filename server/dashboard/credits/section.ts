import { html } from 'hono/html';
import { knownPayments, listPurchases } from '../../../db/money/purchases.ts';
import { changeWorkSettings, readWorkSettings, refusedChange } from '../../../db/tracking/work-settings.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { isPack, packNames, packs } from '../../payments/packs.ts';
import type { SectionDeps } from '../deps.ts';
import { card, count, field, form, notice, type Piece, table } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { pageIdField } from '../ui/forms/form-once.ts';
import { type Tile, tiles } from '../ui/parts/blocks.ts';
import { whoCan } from '../ui/rules.ts';
import { type FormVisit, type Page, PageNotFound, redirect, type Section, text, type Visit } from '../ui/section.ts';
import { ledgerCard, ledgerTable } from './ledger.ts';
import { paymentMessage, waitingPath } from './payment-message.ts';
import { invoicePath, purchasesCard } from './purchases.ts';

type CreditsDeps = Pick<SectionDeps, 'db' | 'now' | 'payments' | 'on_error'>;

/** Creates the credit pages: balance, packs, the alert for a low balance, and the ledger. */
export function creditsSection(deps: CreditsDeps): Section {
  return {
    menu: { path: '/dashboard/credits', label: 'Credits' },
    pages: {
      '/dashboard/credits': (visit) => creditsPage(visit, deps, null),
      // After a payment, the payment page sends the user to this path. A server without online payment does not have
      // it.
      '/dashboard/credits/paid': async ({ url }) => {
        if (!deps.payments) throw new PageNotFound();
        return redirect(waitingPath(url, deps.now()));
      },
      [invoicePath]: (visit) => openInvoice(visit, deps),
      '/dashboard/credits/ledger.csv': (visit) => ledgerTable(visit, deps, 'csv'),
      '/dashboard/credits/ledger.xlsx': (visit) => ledgerTable(visit, deps, 'xlsx'),
    },
    forms: {
      [buyPath]: (visit) => buy(visit, deps),
      '/dashboard/credits/alert': (visit) => setAlert(visit, deps),
    },
    audits: { '/dashboard/credits/alert': { action: 'set the low-balance alert' } },
    notices: { 'alert-set': 'Alert saved.' },
  };
}

async function creditsPage(visit: Visit, deps: CreditsDeps, problem: Problem | null): Promise<Page> {
  const { db, now } = deps;
  const { workspace_id, balance } = visit.visitor;
  const [ledger, purchases, settings, payment] = await Promise.all([
    ledgerCard(visit, deps),
    purchasesCard(db, visit.visitor, { has_invoices: deps.payments !== null }),
    readWorkSettings(db.sql, workspace_id, now()),
    deps.payments ? paymentMessage(visit, deps) : null,
  ]);
  const content = html`${notice(problem, 'bad')}${payment}
<div id="credits-figures">${tiles([{ label: 'Balance', value: count(balance), hint: 'credits, which never expire' }, tierTile(visit.visitor)])}</div>
<p>Credits pay for new numbers: 1 credit for most lookups and for each check of a tracked item. Numbers that this server already fetched are free, if they are newer than the age you allow. <a href="/docs/credits#errors-are-free">Errors are free</a>, and so are requests in the sandbox. <a href="/docs/credits">What costs credits</a></p>
${deps.payments ? card('Credit packs', packOffers(visit.visitor)) : card('More credits', administratorHint(visit.visitor))}
<div id="credits-purchases">${purchases}</div>
${card('Low-balance alert', alertForm(settings?.low_balance_alert ?? null))}
<div id="credits-ledger">${ledger}</div>`;
  return { title: 'Credits', content, status: problem ? 400 : 200 };
}

function tierTile({ tier }: Visit['visitor']): Tile {
  const { name, tracked_items, campaigns, history_days } = tiers[tier];
  const limits = [
    quantity(tracked_items, 'tracked item'),
    campaigns === 0 ? 'no campaigns' : quantity(campaigns, 'campaign'),
    `${quantity(history_days, 'day')} of history`,
  ];
  return { label: 'Tier', value: name, hint: `up to ${limits.join(', ')}`, path: '/prices' };
}

/** Returns a hint that says who can add credits and change the tier on a server without online payment. */
function administratorHint({ is_operator, workspace_id }: Visit['visitor']): Piece {
  if (is_operator)
    return html`<p>Online payment is off on this server. As its administrator, you can add credits and change tiers: <a href="/dashboard/admin/${workspace_id}">open this workspace under <i>Admin</i></a>.</p>`;
  return html`<p>Online payment is off on this server. Ask your Tidemark administrator to add credits or to change your tier. Added credits appear in your ledger. <a href="/prices">Compare tiers</a></p>`;
}

const buyPath = '/dashboard/credits/buy';

function packOffers(visitor: Visit['visitor']): Piece {
  const number = (heading: string) => ({ heading, number: true });
  const onlyOthers = whoCan(visitor, buyPath, null, 'buy packs');
  const rows = packNames.map((pack) => {
    const { name, price_usd, credits } = packs[pack];
    const button = html`<form method="post" action="${buyPath}"><input type="hidden" name="pack" value="${pack}"><button class="${pack === 'pro_max' ? '' : 'quiet'}">Buy ${name}</button></form>`;
    return [name, `$${price_usd}`, count(credits), ...(onlyOthers ? [] : [button])];
  });
  const columns = ['Pack', number('Price'), number('Credits'), ...(onlyOthers ? [] : [''])];
  return html`${table('Credit packs', columns, rows)}
${onlyOthers && html`<p>${onlyOthers}</p>`}
<p class="hint">Prices in USD, without tax. One-time payment, no subscription. A pack also gives you the tier with its name, without a time limit. The largest pack you ever bought sets your tier; a smaller pack does not lower it. You can enter a tax ID on the payment page. The invoice is then under <i>Purchases</i>. <a href="/prices">Compare prices and limits</a></p>`;
}

function alertForm(threshold: number | null): Piece {
  const hint =
    'When it does, every person of this workspace gets one email (up to 20 people), and your webhooks get one message. Empty = no alert.';
  const value = threshold === null ? '' : String(threshold);
  return form(
    '/dashboard/credits/alert',
    field('Alert me when the balance falls below (credits)', 'threshold', { type: 'number', min: '0', value, hint }),
    'Save alert',
    'quiet',
  );
}

async function buy(visit: FormVisit, deps: CreditsDeps): Promise<Page | Response> {
  const pack = text(visit.form, 'pack');
  if (!isPack(pack)) return creditsPage(visit, deps, 'Choose one of the credit packs.');
  if (!deps.payments)
    return creditsPage(
      visit,
      deps,
      'Online payment is off on this server. Ask your Tidemark administrator to add credits.',
    );
  const { workspace_id, email } = visit.visitor;
  const [newest] = await listPurchases(deps.db.sql, workspace_id, 1);
  const page = { page_id: text(visit.form, pageIdField), newest_payment: newest?.payment_id ?? null };
  try {
    return redirect(await deps.payments.checkout({ workspace_id, email, pack, ...page }));
  } catch (error) {
    deps.on_error(error);
    const failed = 'The payment page could not be opened, so nothing was paid. Try again in a few minutes.';
    return { ...(await creditsPage(visit, deps, failed)), status: 503 };
  }
}

/** Redirects to the page of the payment service with the invoice of a purchase of this workspace. */
async function openInvoice(visit: Visit, deps: CreditsDeps): Promise<Page | Response> {
  const paymentId = visit.url.searchParams.get('payment') ?? '';
  const known = await knownPayments(deps.db.sql, visit.visitor.workspace_id, [paymentId]);
  if (!deps.payments || !known.has(paymentId)) throw new PageNotFound();
  try {
    const found = await deps.payments.invoice(paymentId);
    if (found !== null) return redirect(found);
    const missing = 'There is no invoice for this payment yet. Try again in a few minutes, or ask your administrator.';
    return { ...(await creditsPage(visit, deps, missing)), status: 404 };
  } catch (error) {
    deps.on_error(error);
    const failed = 'The invoice could not be opened. Try again in a few minutes.';
    return { ...(await creditsPage(visit, deps, failed)), status: 503 };
  }
}

async function setAlert(visit: FormVisit, deps: CreditsDeps): Promise<Page | Response> {
  const typed = text(visit.form, 'threshold');
  const lowBalanceAlert = typed === '' ? null : Number(typed);
  const refused = refusedChange({ low_balance_alert: lowBalanceAlert });
  if (refused) return creditsPage(visit, deps, at('threshold', refused));
  await changeWorkSettings(deps.db.sql, visit.visitor.workspace_id, { low_balance_alert: lowBalanceAlert }, deps.now());
  return redirect('/dashboard/credits', 'alert-set');
}
