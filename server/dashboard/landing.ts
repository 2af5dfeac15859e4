import { html } from 'hono/html';
import { dayOf } from '../../db/calendar.ts';
import { tiers } from '../../pipeline/tiers.ts';
import { catalog } from '../data/catalog.ts';
import { hasLiveData } from '../data/offered.ts';
import { linkPreview } from '../design/document.ts';
import { type IconName, icon, platformMark } from '../design/icons.ts';
import type { Html } from '../docs/layout.ts';
import { readPictures } from '../docs/pictures.ts';
import { starterCredits } from '../first-start.ts';
import { withNext } from './account/sign-in-pages.ts';
import { type DemoAnswer, demoPiece } from './demo.ts';
import { lineChart } from './ui/charts/line-chart.ts';
import type { Piece } from './ui/components.ts';
import { publicPage } from './ui/layout.ts';
import { avatar } from './ui/parts/avatar.ts';
import { tiles } from './ui/parts/blocks.ts';
import { change } from './ui/parts/numbers.ts';
import { platformNames } from './ui/platform-names.ts';

const live = catalog.filter(hasLiveData);

const landingDescription =
  'Followers, posts, views and comments from Instagram, TikTok and YouTube in Google Sheets and Excel, with daily tracking and weekly reports.';

/** Returns the landing page: a demo with sample data, and pictures of a filled sheet and of a report. */
export function landingPage(baseUrl: string, demo: DemoAnswer | null = null): Html | Promise<Html> {
  const content = html`<section class="hero"><div><h1>Public social data, in your spreadsheet</h1>
<p class="lead">Followers, posts, views and comments from Instagram, TikTok and YouTube. Paste a list, track it every day, and send your client a report on Monday.</p>
<p class="buttons"><a class="button" href="/sign-up">Start with ${starterCredits} free credits</a><a class="button quiet" href="/docs">See how it works</a></p>
${freeOfCharge()}
<ul class="platforms" aria-label="Platforms">${['photo', 'shortvideo', 'longvideo', 'sheets'].map((code) => html`<li>${platformMark(code)}${code === 'sheets' ? 'Google Sheets' : platformNames[code]}</li>`)}</ul></div>
${sample()}</section>
${demoPiece(demo)}
<section class="feature whole"><div><h2>One formula fills a column</h2><p>Type <code>=SOCIAL_PROFILE(A2:A50)</code>, or let the sidebar write it. Reopening the sheet within a day costs nothing; after that, each row that is fetched again costs 1 credit.</p><p><a href="/addon">Get the add-on</a> for Google Sheets and Excel.</p></div>
<div class="picture" tabindex="0" role="region" aria-label="A filled spreadsheet">${picture('sheet', 'A spreadsheet with a column of profile links and the columns that the formula filled')}</div></section>
<section class="feature turned"><div><h2>A report every Monday</h2><p>Add the posts of a campaign. Each Monday you get its numbers as a page, PDF, CSV or in your spreadsheet, with a link for your client.</p><p><a href="${withNext('/sign-up', '/dashboard/campaigns')}">Create a campaign</a></p></div>
${picture('report', 'A campaign report with its headline, totals and charts')}</section>
<div class="columns three">
${promise('shield-check', 'Honest numbers', 'An unknown value stays empty, never 0. Rounded and hidden values are marked.')}
${promise('coins', 'Pay only for new data', html`<a href="/docs/credits#errors-are-free">Errors are free</a>, and so are numbers that this server already fetched. Credits never expire, and there is no subscription.`)}
${promise('code', 'An API for your team', `One key for ${live.length} kinds of data, such as profiles, posts, comments and transcripts. A free sandbox for tests, and MCP for AI assistants.`)}
</div>
<section class="card limits"><h2>What it does not do</h2><ul>
<li>No private data and no sign-in to platforms. When a platform refuses access, you get an error.</li>
<li>No history from before you start tracking, and no automatic discovery of new posts.</li>
<li>No reach, sales or media value: only numbers that platforms show to everyone.</li></ul></section>
<section class="closing"><h2>Begin with one profile</h2><p>${starterCredits} free credits, and no payment card needed.</p><p class="buttons"><a class="button" href="/sign-up">Sign up</a><a class="button quiet" href="/prices">Prices and tiers</a></p></section>`;
  const title = 'Public social data for spreadsheets';
  return publicPage(title, content, true, linkPreview(title, landingDescription, baseUrl));
}

/** Says what is free, and which tier daily checks and weekly reports need. */
function freeOfCharge(): Piece {
  const { air } = tiers;
  const needed = Object.values(tiers).find(({ daily_checks, campaigns }) => daily_checks && campaigns > 0);
  const items = `${air.tracked_items} tracked ${air.tracked_items === 1 ? 'item' : 'items'}, checked ${air.daily_checks ? 'every day' : 'by hand'}`;
  return html`<p class="hint">Free: ${starterCredits} credits, once, and ${items}. Daily checks and weekly reports need the tier ${needed?.name} or a higher one. <a href="/prices">Prices and tiers</a></p>`;
}

const pictures = readPictures();

/**
 * Returns an image from the documentation. The HTML contains the image's size, so that the layout does not shift when
 * the image loads.
 */
function picture(name: string, description: string): Piece {
  const { address, width, height } = pictures.get(`pictures/${name}.webp`) ?? {};
  return html`<img src="${address}" alt="${description}" width="${width}" height="${height}" loading="lazy">`;
}

const promise = (name: IconName, heading: string, text: Piece): Piece =>
  html`<section class="card promise">${icon(name)}<h2>${heading}</h2><p>${text}</p></section>`;

/** Weekly followers of an invented account. */
const sampleFollowers = [
  48_210, 48_390, 48_770, 49_020, 49_880, 50_410, 50_690, 51_540, 52_180, 52_460, 53_390, 54_127,
];

/** Returns a small report with invented numbers, made with the same components as a real report. */
function sample(): Piece {
  const points = sampleFollowers.map((value, week) => ({
    label: dayOf(Date.UTC(2026, 8, 7 + week * 7)),
    value,
  }));
  return html`<figure class="card sample-report"><figcaption class="who">${avatar('Tide Bakery')}<span><b>Tide Bakery</b><br><span class="hint">${platformMark('photo')} Instagram profile · sample data</span></span></figcaption>
${tiles([
  { label: 'Followers', value: '54,127', change: change(12.3, { unit: '%' }) },
  { label: 'Likes a post', value: '2,904', change: change(4.1, { unit: '%' }) },
])}
${lineChart({ id: 'sample', title: 'Followers at the end of each week', step: 'week', points, headed: true })}</figure>`;
}
