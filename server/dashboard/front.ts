import { html } from 'hono/html';
import type { Tier } from '../../db/admission.ts';
import { errorTable } from '../../pipeline/errors.ts';
import { tiers } from '../../pipeline/tiers.ts';
import { catalog } from '../catalog.ts';
import type { Html } from '../docs/layout.ts';
import { starter_credits } from '../first-start.ts';
import { packs } from '../packs.ts';
import { publicPage } from './layout.ts';
import { code, count, type Piece, table } from './ui.ts';

const live = catalog.filter(
  (route) => (route.availability === 'available' || route.availability === 'preview') && !route.operators_only,
);

/** The front page: what the service does, and what it does not. */
export function frontPage(base_url: string): Html | Promise<Html> {
  const curl = `curl -H "x-api-key: <API_KEY>" \\\n  "${base_url}/v1/photo/profile?handle=tidemark.sample"`;
  const content = html`<h1 class="lead">Public social data, in your spreadsheet</h1>
<p class="lead">Profiles, posts, videos, comments, playlists, hashtags, sounds, search and transcripts of a photo, a short-video and a long-video platform: one key, one shape, counted to the credit.</p>
<p class="row"><a class="button" href="/sign-up">Start with ${starter_credits} free credits</a> <a class="button quiet" href="/docs">Read the docs</a></p>
<div class="columns three">
<section class="card"><h2>In a sheet</h2><pre tabindex="0"><code>=SOCIAL_PROFILE(A2:A50)</code></pre><p>One formula fills a column. Reopening the sheet costs nothing: an answer is bought once.</p></section>
<section class="card"><h2>On a schedule</h2><p>Track accounts and posts daily, analyse lists of profiles, and get a campaign report every Monday: as a page, CSV, PDF, or written into your spreadsheet.</p></section>
<section class="card"><h2>By API</h2><p>${live.length} live routes, all GET, one key. <a href="/openapi.json">OpenAPI</a>, a free sandbox that also fails, and MCP for assistants.</p></section>
</div>
${code('first-call', 'A first call', curl)}
<div class="columns">
<section><h2>What you can rely on</h2><ul>
<li>Unknown is <code>null</code>, never 0. Rounded, hidden and missing values are named beside the value.</li>
<li>Errors, cached answers and sandbox calls are free. Every charge stands in your ledger with its request.</li>
<li>A failure says its true cause: one of ${Object.keys(errorTable).length} <a href="/docs/errors">codes</a>, each with what to do.</li>
<li>Credits never expire. There is no subscription.</li></ul></section>
<section><h2>What it does not do</h2><ul>
<li>No private data, no sign-in to platforms, no way around walls. What a source refuses is a 403.</li>
<li>No history from before you track something, and no discovery of new posts by itself.</li>
<li>No reach, sales, conversions or media value: only what platforms show to everybody.</li>
<li>Lists hold what the fetched page shows: complete history must not be assumed.</li></ul></section>
</div>`;
  return publicPage('Public social data for spreadsheets', content, true);
}

const offered: Readonly<Record<Tier, { name: string; price: string; credits: number }>> = {
  air: { name: tiers.air.name, price: 'free', credits: starter_credits },
  pro: offer('pro'),
  pro_max: offer('pro_max'),
  ultra: offer('ultra'),
};

function offer(pack: keyof typeof packs) {
  const { name, price_usd, credits } = packs[pack];
  return { name, price: `$${price_usd}`, credits };
}

/** Packs, limits of each tier, and what each route costs, all from the tables that the service itself uses. */
export function pricesPage(): Html | Promise<Html> {
  const content = html`<h1>Prices and limits</h1>
<p>You buy credits once; they never expire. Prices are in USD and exclude tax. The highest pack ever bought decides your tier; a smaller one does not lower it.</p>
${packTable()}
<p class="hint">60 requests a minute for each workspace. Weekly reports cover Monday to Sunday in UTC; CSV and print are free.</p>
<h2>What a call costs</h2>
<p>Credits for each successful fresh answer. Errors, cached answers and development keys cost nothing. A check of a tracked item costs 1 credit.</p>
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
    number('History, days'),
  ];
  const more = [number('Campaigns'), number('Profiles a batch'), 'Daily checks', 'Own report name'];
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
      limits.daily_checks ? 'yes' : 'by hand',
      limits.report_name ? 'yes' : 'no',
    ];
  });
  return table('Packs and the limits of their tiers', [...columns, ...more], rows);
}

function costTable(): Piece {
  const columns = ['Route', { heading: 'Credits', number: true }, 'Availability'];
  const rows = catalog.map(({ path, cost, availability }) => [html`<code>${path}</code>`, count(cost), availability]);
  return table('Credits for each route', columns, rows);
}
