import { html } from 'hono/html';
import { changeWorkSettings, readWorkSettings, refusedChange } from '../../../db/tracking/work-settings.ts';
import { isPack, packNames, packs } from '../../payments/packs.ts';
import type { SectionDeps } from '../deps.ts';
import { card, count, field, form, notice, type Piece, table } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { pageIdField } from '../ui/forms/form-once.ts';
import { whoCan } from '../ui/rules.ts';
import { type FormVisit, type Page, PageNotFound, redirect, type Section, text, type Visit } from '../ui/section.ts';
import { ledgerCard, ledgerTable } from './ledger.ts';
import { purchasesCard } from './purchases.ts';

type CreditsDeps = Pick<SectionDeps, 'db' | 'now' | 'payments' | 'on_error'>;

/** Creates the credit pages: balance, packs, the alert for a low balance, and the ledger. */
export function creditsSection(deps: CreditsDeps): Section {
  return {
    menu: { path: '/dashboard/credits', label: 'Credits' },
    pages: {
      '/dashboard/credits': (visit) => creditsPage(visit, deps, null),
      // After a payment, the payment page sends the user to this path. The redirect sets a cookie, so that the credits
      // page shows the message `paid` once. A server without online payment does not have this path.
      '/dashboard/credits/paid': async () => {
        if (!deps.payments) throw new PageNotFound();
        return redirect('/dashboard/credits', 'paid');
      },
      '/dashboard/credits/ledger.csv': (visit) => ledgerTable(visit, deps, 'csv'),
      '/dashboard/credits/ledger.xlsx': (visit) => ledgerTable(visit, deps, 'xlsx'),
    },
    forms: {
      [buyPath]: (visit) => buy(visit, deps),
      '/dashboard/credits/alert': (visit) => setAlert(visit, deps),
    },
    audits: { '/dashboard/credits/alert': { action: 'set the low-balance alert' } },
    notices: {
      paid: 'Thank you. Your credits are added when the payment is confirmed, usually within 1 minute. Reload this page to see them.',
      'alert-set': 'Alert saved.',
    },
  };
}

async function creditsPage(visit: Visit, deps: CreditsDeps, problem: Problem | null): Promise<Page> {
  const { db, now } = deps;
  const { workspace_id, balance } = visit.visitor;
  const [ledger, purchases, settings] = await Promise.all([
    ledgerCard(visit, deps),
    purchasesCard(db, workspace_id),
    readWorkSettings(db.sql, workspace_id, now()),
  ]);
  const content = html`${notice(problem, 'bad')}
<dl class="figures"><div><dt>Balance</dt><dd>${count(balance)}</dd></div></dl>
<p>Credits pay for new numbers: 1 credit for most lookups and for each check of a tracked item. They never expire. Numbers that this server already fetched are free, if they are newer than the age you allow. <a href="/docs/credits#errors-are-free">Errors are free</a>, and so are requests in the sandbox. <a href="/docs/credits">What costs credits</a></p>
${deps.payments ? card('Credit packs', packOffers(visit.visitor)) : card('More credits', administratorHint(visit.visitor))}
${purchases}
${card('Low-balance alert', alertForm(settings?.low_balance_alert ?? null))}
${ledger}`;
  return { title: 'Credits', content, status: problem ? 400 : 200 };
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
    const button = html`<form method="post" action="${buyPath}"><input type="hidden" name="pack" value="${pack}"><button>Buy ${name}</button></form>`;
    return [name, `$${price_usd}`, count(credits), ...(onlyOthers ? [] : [button])];
  });
  const columns = ['Pack', number('Price'), number('Credits'), ...(onlyOthers ? [] : [''])];
  return html`${table('Credit packs', columns, rows)}
${onlyOthers && html`<p>${onlyOthers}</p>`}
<p class="hint">Prices in USD, without tax. One-time payment, no subscription. A pack also gives you the tier with its name, without a time limit. The largest pack you ever bought sets your tier; a smaller pack does not lower it. <a href="/prices">Compare prices and limits</a></p>`;
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
  const pageId = text(visit.form, pageIdField);
  try {
    return redirect(await deps.payments.checkout({ workspace_id, email, pack, page_id: pageId }));
  } catch (error) {
    deps.on_error(error);
    const failed = 'The payment page could not be opened, so nothing was paid. Try again in a few minutes.';
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
