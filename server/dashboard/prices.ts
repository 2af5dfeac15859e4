import { html } from 'hono/html';
import type { Tier } from '../../db/tier.ts';
import { quantity } from '../../pipeline/quantity.ts';
import { tiers } from '../../pipeline/tiers.ts';
import { catalog } from '../data/catalog.ts';
import { hasSource, isOffered } from '../data/offered.ts';
import type { Route } from '../data/route.ts';
import { linkPreview } from '../design/document.ts';
import { icon } from '../design/icons.ts';
import type { Html } from '../docs/layout.ts';
import { starterCredits } from '../first-start.ts';
import { packNames, packs } from '../payments/packs.ts';
import { count, field, type Piece, table, tag, titleColumn } from './ui/components.ts';
import { publicPage } from './ui/layout.ts';
import { platformNames } from './ui/platform-names.ts';

/** The fields of the price calculator as text from the page's URL. A field that is not in the URL is null. */
interface PriceQuestion {
  items: string | null;
  profiles: string | null;
}

/** The source of credits and tiers on this server: users buy packs online, or the administrator grants them. */
type Selling = 'packs' | 'administrator';

const tierNames = Object.keys(tiers) as Tier[];
const number = (heading: string) => ({ heading, number: true });

/**
 * Returns the prices page: tiers with their limits, what each answer costs, and a calculator. The page contains prices
 * of packs only when this server sells packs.
 */
export function pricesPage(wanted: PriceQuestion, selling: Selling, baseUrl: string): Html | Promise<Html> {
  const sold = selling === 'packs';
  const content = html`<h1>Prices</h1>
<p class="lead">${sold ? 'Buy credits once. They never expire, and there is no subscription.' : 'Online payment is off on this server. Your Tidemark administrator adds credits and sets the tier of your workspace. Credits never expire.'}</p>
<p><b>Credits</b> pay for new data. Most lookups cost 1 credit. Your <b>tier</b> limits how much you can track. ${sold ? html`A <b>pack</b> is credits that you buy once. It also gives you the tier with its name, without a time limit: the largest pack you ever bought sets your tier.` : null}</p>
<div class="tiers">${tierNames.map((tier) => tierCard(tier, sold))}</div>
${calculator(wanted, sold)}
<h2>What costs credits</h2>
<p>You pay only for new data. <a href="/docs/credits#errors-are-free">Errors are free</a>.</p>
${table('What you pay for', ['What you do', number('Credits')], [...tasks])}
<h3>Price of each kind of data</h3>
${answerTable()}
<p class="hint">Data marked “preview” works, but may still change. Developers find each kind in the <a href="/docs/api">API reference</a>.</p>
<h2>Limits of each tier</h2>
${limitsTable(sold)}
<p class="hint">${sold ? 'Prices are in USD, without tax. A smaller pack does not lower your tier. ' : ''}Each workspace can send 60 requests per minute. Weekly reports cover Monday to Sunday (UTC).</p>`;
  return publicPage('Prices', content, true, linkPreview('Prices', descriptions[selling], baseUrl));
}

const descriptions: Readonly<Record<Selling, string>> = {
  packs: 'One-time credit packs without a subscription, what each answer costs, and what each tier includes.',
  administrator:
    'What each answer costs in credits, and what each tier includes: tracked items, campaigns and history.',
};

/** Rows of the table of prices by task, in credits. A second table lists the prices by platform. */
const tasks: readonly Piece[][] = [
  ['Look up one profile or post: in a spreadsheet, in a bulk analysis or by API', '1'],
  ['Check a tracked item, each time', '1'],
  ['Latest posts of a profile: 2 on Instagram and TikTok, 3 or 4 on YouTube', '2 to 4'],
  ['Transcript of a YouTube video', '4'],
  ['Weekly reports, share links, downloads, alerts', '0'],
  [
    'Numbers that this server already fetched, if they are newer than the age you allow (1 day in spreadsheets and bulk analyses)',
    '0',
  ],
  ['An error', '0'],
  [html`The <a href="/docs/sandbox">sandbox</a>: sample data with a development key`, '0'],
];

/** Returns the price of a tier, for a server that sells packs. */
function priceOf(tier: Tier): string {
  return tier === 'air' ? 'Free' : `$${packs[tier].price_usd}`;
}

const creditsOf = (tier: Tier) => (tier === 'air' ? starterCredits : packs[tier].credits);

const noCampaigns = 'No campaigns';

function tierCard(tier: Tier, sold: boolean): Piece {
  const { name, tracked_items, daily_checks, campaigns, history_days } = tiers[tier];
  const lines = [
    ...(sold || tier === 'air' ? [`${count(creditsOf(tier))} credits, once`] : []),
    `${count(tracked_items)} tracked ${tracked_items === 1 ? 'item' : 'items'}, checked ${daily_checks ? 'every day' : 'by hand'}`,
    campaigns === 0 ? noCampaigns : `${quantity(campaigns, 'campaign')} with weekly reports`,
    `${count(history_days)} days of history`,
  ];
  const price = html`<p class="price"><b>${priceOf(tier)}</b>${tier === 'air' ? '' : ' once'}</p>`;
  return html`<section class="card tier"><h2>${name}</h2>${sold || tier === 'air' ? price : null}<ul>${lines.map((line) => html`<li>${line === noCampaigns ? icon('minus', 'quiet') : icon('check')}${line}</li>`)}</ul>${tierButton(tier, sold)}</section>`;
}

function tierButton(tier: Tier, sold: boolean): Piece {
  if (tier === 'air') return html`<a class="button quiet" href="/sign-up">Start free</a>`;
  if (!sold) return html`<p class="hint">Set by your Tidemark administrator</p>`;
  return html`<a class="button ${tier === 'pro_max' ? '' : 'quiet'}" href="/dashboard/credits">Get ${tiers[tier].name}</a>`;
}

/** Maximum number of items or profiles that the price calculator accepts. */
const maxCalculatorValue = 1_000_000;
const daysOfMonth = 30;

function amountOf(text: string | null, fallback: number): number {
  const value = text === null || text.trim() === '' ? fallback : Number(text);
  return Number.isInteger(value) && value >= 0 && value <= maxCalculatorValue ? value : fallback;
}

/**
 * Returns the price calculator: a form, and the credits that a month costs. The server calculates the result, so the
 * form works without JavaScript.
 */
function calculator({ items, profiles }: PriceQuestion, sold: boolean): Piece {
  const [tracked, looked] = [amountOf(items, 50), amountOf(profiles, 500)];
  const monthly = tracked * daysOfMonth + looked;
  const input = (label: string, name: string, value: number) =>
    field(label, name, { type: 'number', value: String(value), min: '0', max: String(maxCalculatorValue) });
  return html`<section class="card" id="calculator"><h2>${sold ? 'How long do credits last?' : 'How many credits do you need?'}</h2><form method="get" action="/prices#calculator" class="row">${input('Items checked every day', 'items', tracked)}${input('Profiles looked up each month', 'profiles', looked)}<button class="quiet">Calculate</button></form>
<p class="result">That is <b>${count(monthly)} credits</b> in ${daysOfMonth} days.${sold ? null : html` ${tierFor(tracked)}`}</p>${sold ? packsTable(tracked, monthly) : null}</section>`;
}

/** Returns a sentence that names the smallest tier in which this number of items can be checked every day. */
function tierFor(tracked: number): string {
  const smallest = tierNames.find((tier) => tiers[tier].daily_checks && tiers[tier].tracked_items >= tracked);
  if (smallest) return `The smallest tier for this is ${tiers[smallest].name}.`;
  return `The largest tier, ${tiers.ultra.name}, tracks ${count(tiers.ultra.tracked_items)} items: use several workspaces.`;
}

function packsTable(tracked: number, monthly: number): Piece {
  const rows = packNames.map((pack) => {
    const { name, price_usd, credits } = packs[pack];
    const months = monthly === 0 ? null : credits / monthly;
    const lasts = months === null ? 'forever' : `${(Math.round(months * 10) / 10).toLocaleString('en-US')} months`;
    const isEnough = tracked <= tiers[pack].tracked_items;
    return [
      name,
      `$${price_usd}`,
      isEnough ? lasts : `too small: tracks at most ${count(tiers[pack].tracked_items)} items`,
    ];
  });
  return table('How long each pack lasts', ['Pack', 'Price', 'Lasts'], rows);
}

function limitsTable(sold: boolean): Piece {
  const columns = [
    titleColumn('Tier'),
    ...(sold ? ['Price', number('Credits')] : []),
    number('Tracked items'),
    number('Lists'),
    number('History (days)'),
    number('Campaigns'),
    number('Profiles per bulk analysis'),
    'Daily checks',
    'Custom report name',
  ];
  const rows = tierNames.map((tier) => {
    const limits = tiers[tier];
    return [
      html`<b>${limits.name}</b>`,
      ...(sold ? [priceOf(tier), count(creditsOf(tier))] : []),
      count(limits.tracked_items),
      count(limits.tracking_lists),
      count(limits.history_days),
      count(limits.campaigns),
      count(limits.batch_urls),
      limits.daily_checks ? 'automatic' : 'manual',
      limits.report_name ? 'yes' : 'no',
    ];
  });
  return table('Limits of each tier', columns, rows, { as_cards: true });
}

/** Returns a table of the API answers that this server offers, by platform, with their prices. */
function answerTable(): Piece {
  const offered = catalog.filter((route) => isOffered(route));
  const byPlatform = Map.groupBy(offered, ({ path }) => path.split('/')[2] ?? '');
  const parts = [...byPlatform].map(([platform, routes]) => {
    const name = platformNames[platform] ?? platform;
    const rows = routes.map((route) => [
      html`${dataName(route)} ${hasSource(route) ? (route.availability === 'preview' ? tag('preview') : null) : tag('not available yet', 'warn')}`,
      hasSource(route) ? count(route.cost) : '–',
    ]);
    return html`<details class="card"><summary>${name}: ${costRange(routes)}</summary>${table(`Credits for data from ${name}`, ['Data', number('Credits')], rows)}</details>`;
  });
  return html`${parts}`;
}

/** Returns the name of a route without the words "no source yet", because the table marks such a route with a tag. */
function dataName(route: Route): string {
  return hasSource(route) ? route.summary : route.summary.replace('; no source yet', '');
}

function costRange(routes: readonly Route[]): string {
  const costs = routes.filter(hasSource).map(({ cost }) => cost);
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  if (least === most) return least === 1 ? '1 credit each' : `${least} credits each`;
  return `${least} to ${most} credits`;
}
