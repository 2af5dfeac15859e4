import { html } from 'hono/html';
import type { Tier } from '../../db/tier.ts';

import { errorTable } from '../../pipeline/errors.ts';
import { tiers } from '../../pipeline/tiers.ts';
import { catalog } from '../data/catalog.ts';
import type { Html } from '../docs/layout.ts';
import { starterCredits } from '../first-start.ts';
import { packs } from '../payments/packs.ts';
import { code, count, type Piece, table } from './ui/components.ts';
import { publicPage } from './ui/layout.ts';

const live = catalog.filter(
  (route) => (route.availability === 'available' || route.availability === 'preview') && !route.operators_only,
);

/** Returns the landing page: what the service does and does not do. */
export function frontPage(baseUrl: string): Html | Promise<Html> {
  const curl = `curl -H "x-api-key: <API_KEY>" \\\n  "${baseUrl}/v1/photo/profile?handle=tidemark.sample"`;
  const content = html`<h1 class="lead">Public social data, in your spreadsheet</h1>
<p class="lead">Profiles, posts, videos, comments, playlists, hashtags, sounds, search results and transcripts from Instagram, TikTok and YouTube. One API key, one format, exact billing.</p>
<p class="row"><a class="button" href="/sign-up">Start with ${starterCredits} free credits</a> <a class="button quiet" href="/docs">Read the docs</a></p>
<div class="columns three">
<section class="card"><h2>In a sheet</h2><pre tabindex="0"><code>=SOCIAL_PROFILE(A2:A50)</code></pre><p>One formula fills a column. Reopening the sheet within a day costs nothing. <a href="/addon">Get the add-on</a>, for Google Sheets and Excel.</p></section>
<section class="card"><h2>On a schedule</h2><p>Track accounts and posts every day, analyze lists of profiles, and get a campaign report every Monday: as a page, CSV, PDF or in your spreadsheet.</p></section>
<section class="card"><h2>By API</h2><p>${live.length} live routes, all GET, with one API key. <a href="/openapi.json">OpenAPI</a>, a free test mode with test errors, and MCP for AI assistants.</p></section>
</div>
${code('first-call', 'Your first request', curl)}
<div class="columns">
<section><h2>What you can rely on</h2><ul>
<li>An unknown value is <code>null</code>, never 0. Rounded, hidden and missing values are marked.</li>
<li>Errors, cached answers and sandbox calls are free. Your ledger shows every charge with its request.</li>
<li>Every error has one of ${Object.keys(errorTable).length} <a href="/docs/errors">codes</a> that tells you the cause and what to do.</li>
<li>Credits never expire. No subscription.</li></ul></section>
<section><h2>What it does not do</h2><ul>
<li>No private data, no sign-in to platforms, no bypassing of blocks. When a platform refuses access, you get an error.</li>
<li>No history from before you start tracking, and no automatic discovery of new posts.</li>
<li>No reach, sales, conversions or media value: only numbers that platforms show to everyone.</li>
<li>A list contains only what the platform shows on its public pages, so it may be incomplete.</li></ul></section>
</div>`;
  return publicPage('Public social data for spreadsheets', content, true);
}

const offered: Readonly<Record<Tier, { name: string; price: string; credits: number }>> = {
  air: { name: tiers.air.name, price: 'free', credits: starterCredits },
  pro: offer('pro'),
  pro_max: offer('pro_max'),
  ultra: offer('ultra'),
};

function offer(pack: keyof typeof packs) {
  const { name, price_usd, credits } = packs[pack];
  return { name, price: `$${price_usd}`, credits };
}

/** Returns the prices page: packs, limits of each tier, and the price of each route. */
export function pricesPage(): Html | Promise<Html> {
  const content = html`<h1>Prices and limits</h1>
<p>You buy credits once, and they never expire. Prices are in USD, without tax. Your tier follows the largest pack you ever bought; buying a smaller pack does not lower it.</p>
${packTable()}
<p class="hint">Each workspace can send 60 requests per minute. Weekly reports cover Monday to Sunday (UTC). CSV downloads and printing are free.</p>
<h2>What a request costs</h2>
<p>You pay for each successful new answer. Errors, cached answers and requests with a development key are free. Each successful check of a tracked item costs 1 credit.</p>
${costTable()}`;
  return publicPage('Prices and limits', content, true);
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
