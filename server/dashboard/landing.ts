import { html } from 'hono/html';
import type { Tier } from '../../db/tier.ts';
import { tiers } from '../../pipeline/tiers.ts';
import { catalog } from '../data/catalog.ts';
import { linkPreview } from '../design/document.ts';
import { type IconName, icon, platformMark } from '../design/icons.ts';
import type { Html } from '../docs/layout.ts';
import { readPictures } from '../docs/pictures.ts';
import { starterCredits } from '../first-start.ts';
import { packNames, packs } from '../payments/packs.ts';
import { type DemoAnswer, demoPiece } from './demo.ts';
import { lineChart } from './ui/charts/line-chart.ts';
import { count, field, type Piece, table } from './ui/components.ts';
import { publicPage } from './ui/layout.ts';
import { avatar } from './ui/parts/avatar.ts';
import { tiles } from './ui/parts/blocks.ts';
import { change } from './ui/parts/numbers.ts';
import { platformNames } from './ui/platform-names.ts';

const live = catalog.filter(
  (route) => (route.availability === 'available' || route.availability === 'preview') && !route.operators_only,
);

const frontDescription =
  'Followers, posts, views and comments from Instagram, TikTok and YouTube in Google Sheets and Excel, with daily tracking and weekly reports.';
const pricesDescription = 'One-time credit packs without a subscription, and what each tier includes.';

/** Returns the landing page: a demo with sample data, and pictures of a filled sheet and of a report. */
export function frontPage(baseUrl: string, demo: DemoAnswer | null = null): Html | Promise<Html> {
  const content = html`<section class="hero"><div><h1>Public social data, in your spreadsheet</h1>
<p class="lead">Followers, posts, views and comments from Instagram, TikTok and YouTube. Paste a list, track it every day, and send your client a report on Monday.</p>
<p class="buttons"><a class="button" href="/sign-up">Start with ${starterCredits} free credits</a><a class="button quiet" href="/docs/quickstart">See how it works</a></p>
<ul class="platforms" aria-label="Platforms">${['photo', 'shortvideo', 'longvideo', 'sheets'].map((code) => html`<li>${platformMark(code)}${code === 'sheets' ? 'Google Sheets' : platformNames[code]}</li>`)}</ul></div>
${sample()}</section>
${demoPiece(demo)}
<section class="feature whole"><div><h2>One formula fills a column</h2><p>Type <code>=SOCIAL_PROFILE(A2:A50)</code>, or let the sidebar write it. Reopening the sheet within a day costs nothing.</p><p><a href="/addon">Get the add-on</a> for Google Sheets and Excel.</p></div>
<div class="picture" tabindex="0" role="region" aria-label="A filled spreadsheet">${picture('sheet', 'A spreadsheet with a column of profile links and the columns that the formula filled')}</div></section>
<section class="feature turned"><div><h2>A report every Monday</h2><p>Add the posts of a campaign. Each Monday you get its numbers as a page, PDF, CSV or in your spreadsheet, with a link for your client.</p><p><a href="/sign-up">Create a campaign</a></p></div>
${picture('report', 'A campaign report with its headline, totals and charts')}</section>
<div class="columns three">
${promise('shield-check', 'Honest numbers', 'An unknown value stays empty, never 0. Rounded and hidden values are marked.')}
${promise('coins', 'Pay for answers', 'Errors and repeated answers are free. Credits never expire, and there is no subscription.')}
${promise('code', 'An API for your team', `${live.length} routes with one key, a free test mode, and MCP for AI assistants.`)}
</div>
<section class="card limits"><h2>What it does not do</h2><ul>
<li>No private data and no sign-in to platforms. When a platform refuses access, you get an error.</li>
<li>No history from before you start tracking, and no automatic discovery of new posts.</li>
<li>No reach, sales or media value: only numbers that platforms show to everyone.</li></ul></section>`;
  const title = 'Public social data for spreadsheets';
  return publicPage(title, content, true, linkPreview(title, frontDescription, baseUrl));
}

const pictures = readPictures();

/** Returns a picture of the documentation with its size, so that the page does not move when the picture has loaded. */
function picture(name: string, description: string): Piece {
  const { address, width, height } = pictures.get(`pictures/${name}.webp`) ?? {};
  return html`<img src="${address}" alt="${description}" width="${width}" height="${height}" loading="lazy">`;
}

const promise = (name: IconName, heading: string, text: string): Piece =>
  html`<section class="card promise">${icon(name)}<h2>${heading}</h2><p>${text}</p></section>`;

/** Weekly followers of an invented account. */
const sampleFollowers = [
  48_210, 48_390, 48_770, 49_020, 49_880, 50_410, 50_690, 51_540, 52_180, 52_460, 53_390, 54_127,
];

/** Returns a small report with invented numbers, made by the same components as the real one. */
function sample(): Piece {
  const points = sampleFollowers.map((value, week) => ({
    label: new Date(Date.UTC(2026, 8, 7 + week * 7)).toISOString().slice(0, 10),
    value,
  }));
  return html`<figure class="card sample-report"><figcaption class="who">${avatar('Tide Bakery')}<span><b>Tide Bakery</b><br><span class="hint">${platformMark('photo')} Instagram profile · sample data</span></span></figcaption>
${tiles([
  { label: 'Followers', value: '54,127', change: change(12.3, '%') },
  { label: 'Likes a post', value: '2,904', change: change(4.1, '%') },
])}
${lineChart({ id: 'sample', title: 'Followers per week', points, headed: true })}</figure>`;
}

const offered: Readonly<Record<Tier, { name: string; price: string; credits: number }>> = {
  air: { name: tiers.air.name, price: 'Free', credits: starterCredits },
  pro: offer('pro'),
  pro_max: offer('pro_max'),
  ultra: offer('ultra'),
};

function offer(pack: keyof typeof packs) {
  const { name, price_usd, credits } = packs[pack];
  return { name, price: `$${price_usd}`, credits };
}

/** Returns the prices page: a card for each pack, a calculator, the limits of each tier, and the price of each route. */
export function pricesPage(wanted: PriceQuestion, baseUrl: string): Html | Promise<Html> {
  const content = html`<h1>Prices</h1>
<p class="lead">Buy credits once. They never expire, and there is no subscription.</p>
<div class="plans">${(Object.keys(tiers) as Tier[]).map(planCard)}</div>
${calculator(wanted)}
<h2>All limits</h2>
${packTable()}
<p class="hint">Prices are in USD, without tax. Your plan follows the largest pack you ever bought; a smaller one does not lower it. Each workspace can send 60 requests per minute. Weekly reports cover Monday to Sunday (UTC).</p>
<h2>What a request costs</h2>
<p>You pay for each successful new answer. Errors, cached answers and requests with a development key are free. Each successful check of a tracked item costs 1 credit.</p>
<details><summary>Price of each API route</summary>${costTable()}</details>`;
  const title = 'Prices and limits';
  return publicPage(title, content, true, linkPreview(title, pricesDescription, baseUrl));
}

function planCard(tier: Tier): Piece {
  const { name, price, credits } = offered[tier];
  const limits = tiers[tier];
  const lines = [
    `${count(credits)} credits`,
    `${count(limits.tracked_items)} tracked ${limits.tracked_items === 1 ? 'item' : 'items'}, checked ${limits.daily_checks ? 'every day' : 'by hand'}`,
    limits.campaigns === 0
      ? 'No campaigns'
      : `${count(limits.campaigns)} ${limits.campaigns === 1 ? 'campaign' : 'campaigns'} with weekly reports`,
    `${count(limits.history_days)} days of history`,
  ];
  return html`<section class="card plan"><h2>${name}</h2><p class="price"><b>${price}</b>${tier === 'air' ? '' : ' once'}</p><ul>${lines.map((line) => html`<li>${icon('check')}${line}</li>`)}</ul><a class="button ${tier === 'pro_max' ? '' : 'quiet'}" href="${tier === 'air' ? '/sign-up' : '/dashboard/credits'}">${tier === 'air' ? 'Start free' : `Get ${name}`}</a></section>`;
}

/** The fields of the calculator as they are in the address of the page. */
export interface PriceQuestion {
  items: string | null;
  profiles: string | null;
}

/** Maximum number of items or profiles that the calculator accepts. */
const mostOfCalculator = 1_000_000;
const daysOfMonth = 30;

function amountOf(text: string | null, fallback: number): number {
  const value = Number(text ?? fallback);
  return Number.isInteger(value) && value >= 0 && value <= mostOfCalculator ? value : fallback;
}

/** Returns the form that says how long each pack lasts. It works without JavaScript: the answer is part of the page. */
function calculator({ items, profiles }: PriceQuestion): Piece {
  const [tracked, looked] = [amountOf(items, 50), amountOf(profiles, 500)];
  const monthly = tracked * daysOfMonth + looked;
  const rows = packNames.map((pack) => {
    const months = monthly === 0 ? null : packs[pack].credits / monthly;
    const fits = tracked <= tiers[pack].tracked_items;
    const lasts = months === null ? 'forever' : `${(Math.round(months * 10) / 10).toLocaleString('en-US')} months`;
    return [
      packs[pack].name,
      `$${packs[pack].price_usd}`,
      fits ? lasts : `tracks at most ${count(tiers[pack].tracked_items)}`,
    ];
  });
  const number = (label: string, name: string, value: number) =>
    field(label, name, { type: 'number', value: String(value), min: '0', max: String(mostOfCalculator) });
  return html`<section class="card" id="calculator"><h2>How long do credits last?</h2><form method="get" action="/prices#calculator" class="row">${number('Items checked every day', 'items', tracked)}${number('Profiles looked up each month', 'profiles', looked)}<button class="quiet">Calculate</button></form>
<p class="result">That is <b>${count(monthly)} credits</b> in ${daysOfMonth} days.</p>${table('How long each pack lasts', ['Pack', 'Price', 'Lasts'], rows)}</section>`;
}

function packTable(): Piece {
  const number = (heading: string) => ({ heading, number: true });
  const columns = [
    'Tier',
    'Price',
    number('Credits'),
    number('Tracked items'),
    number('Lists'),
    number('History (days)'),
  ];
  const more = [number('Campaigns'), number('Profiles per batch'), 'Daily checks', 'Custom report name'];
  const rows = (Object.keys(tiers) as Tier[]).map((tier) => {
    const limits = tiers[tier];
    const { name, price, credits } = offered[tier];
    return [
      html`<b>${name}</b>`,
      price,
      count(credits),
      count(limits.tracked_items),
      count(limits.tracking_lists),
      count(limits.history_days),
      count(limits.campaigns),
      count(limits.batch_urls),
      limits.daily_checks ? 'automatic' : 'manual',
      limits.report_name ? 'yes' : 'no',
    ];
  });
  return table('Packs and limits of each tier', [...columns, ...more], rows);
}

function costTable(): Piece {
  const columns = ['Route', { heading: 'Credits', number: true }, 'Availability'];
  const rows = catalog.map(({ path, cost, availability }) => [html`<code>${path}</code>`, count(cost), availability]);
  return table('Price of each route', columns, rows);
}
