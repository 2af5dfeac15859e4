import { html, raw } from 'hono/html';
import { dayOf } from '../../db/calendar.ts';
import { dayMs } from '../../db/durations.ts';
import type { DayHealth } from '../../db/requests/health-history.ts';
import { numberText } from '../../pipeline/quantity.ts';
import { columnClass } from '../design/columns.ts';
import { timeText } from '../design/dates.ts';
import { icon, platformMark } from '../design/icons.ts';
import type { HealthHistory } from '../status/health.ts';
import { daysShown, type Incident, incidentsOf } from '../status/incidents.ts';
import type { ServiceStatus } from '../status/status.ts';
import { type Html, layout } from './layout.ts';

type RouteStatus = ServiceStatus['routes'][number];

const summaries: Record<ServiceStatus['status'], string> = {
  ok: 'The service and all its sources work.',
  degraded: 'The service works with limits: a source is paused, a route fails, or the numbers below cannot be read.',
};

/** The summary when no problem is known and no request was counted. */
const untried = 'No problem is known. Nothing was requested in the last 24 hours.';

const stateLabels: Record<ServiceStatus['sources'][number]['state'], string> = {
  closed: 'in use',
  open: 'paused',
  probing: 'being tested',
};

const groups = [
  ['photo', 'Instagram'],
  ['shortvideo', 'TikTok'],
  ['longvideo', 'YouTube'],
  ['microblog', 'X'],
  ['adlibrary', 'Meta Ad Library'],
] as const;

/** Returns the status page: the state now, one bar for each day and route, and the incidents in words. */
export function statusPage(status: ServiceStatus, history: HealthHistory): Html | Promise<Html> {
  const good = status.status === 'ok';
  const isUntried = status.routes.every(({ requests_24h }) => requests_24h === null);
  const summary = good && isUntried ? untried : summaries[status.status];
  const shown = groups.map(([code, name]) => group(code, name, status, history));
  return layout(
    'Status',
    '/status',
    html`<h1>Status</h1>
<p class="state-now notice ${good ? 'good' : 'warn'}" role="status">${icon(good ? 'circle-check' : 'circle-alert')}${summary}</p>
<p class="hint">Updated ${time(status.generated_at)}. Each bar is one day (UTC), up to ${daysShown} days, the last one today so far: green when at least 99 of 100 requests for new data were answered, yellow when some were not, red when most were not, gray without requests. Point at a bar to read its day, or choose one with the arrow keys. &ldquo;Not found&rdquo; and &ldquo;private&rdquo; are answers. Samples and cached answers are not counted.</p>
${raw(barShapes)}${shown}
<h2>Incidents</h2>
${incidentList(incidentsOf(history.hours))}
<h2>Numbers of the last 24 hours</h2>
<p class="hint">&ldquo;Last verified&rdquo;: this server asks each route several times a week for well-known public data, such as the first video on YouTube, and compares the answer with what is known. Routes without numbers are not listed.</p>
${routesTable(status.routes)}
<h2>Sources</h2>
${sourcesTable(status.sources)}
<p class="hint">Programs get this page as JSON at <code>/v1/status</code>.</p>`,
  );
}

function group(
  code: string,
  name: string,
  { routes, generated_at }: ServiceStatus,
  { days }: HealthHistory,
): Html | Promise<Html> | null {
  const own = routes.filter(({ path, availability }) => codeOf(path) === code && availability !== 'planned');
  if (own.length === 0) return null;
  const daysOf = Map.groupBy(days, ({ route }) => route);
  const used = own.filter(({ path }) => daysOf.has(path));
  const rows = used.map((route) => routeBars(route, daysOf.get(route.path) ?? [], generated_at));
  const others = own.filter(({ path }) => !daysOf.has(path));
  const unavailable = others.filter(({ availability }) => availability === 'unavailable');
  const unused = others.filter(({ availability }) => availability !== 'unavailable');
  const rest = html`${namesOf(`No requests in ${daysShown} days`, unused)}${namesOf('Not available on this server', unavailable)}`;
  return html`<section class="card"><h2>${code === 'adlibrary' || code === 'microblog' ? null : platformMark(code)} ${name}</h2>${rows}${rest}</section>`;
}

/** Returns a line with the names of routes, or null without routes. */
function namesOf(label: string, routes: readonly RouteStatus[]): Html | Promise<Html> | null {
  return routes.length === 0
    ? null
    : html`<p class="hint">${label}: ${routes.map(({ path }) => nameOf(path)).join(', ')}.</p>`;
}

function routeBars(route: RouteStatus, days: readonly DayHealth[], at: string): Html | Promise<Html> {
  const { path, availability } = route;
  const total = days.reduce(
    (sum, { answered, failed }) => ({ answered: sum.answered + answered, failed: sum.failed + failed }),
    { answered: 0, failed: 0 },
  );
  const requests = total.answered + total.failed;
  const rate =
    requests === 0
      ? 'no requests'
      : `${percent(total.answered / requests)} of ${numberText(requests)} requests answered`;
  const byDay = new Map(days.map((day) => [day.day, day]));
  const firstMs = Date.parse(at.slice(0, 10)) - (daysShown - 1) * dayMs;
  const shown = Array.from({ length: daysShown }, (_, index) => byDay.get(dayOf(firstMs + index * dayMs)));
  const [label, tone] = stateOf(route);
  return html`<div class="health"><span><b>${nameOf(path)}</b>${requests === 0 ? null : html` <span class="hint">${rate}</span>`}</span><span class="tag ${tone}">${label}</span>
<svg viewBox="0 0 ${daysShown * barStep} ${barHeight}" preserveAspectRatio="none" role="img" aria-label="${nameOf(path)}, ${daysShown} days: ${rate}${availability === 'preview' ? ', preview' : ''}" data-first="${dayOf(firstMs)}" data-days="${shown.map(textOf).join('|')} so far">${raw(barsOf(shown))}</svg></div>`;
}

const barStep = 10;
const barWidth = 8;
const barHeight = 28;

/**
 * The shape of the bars of one row, as a clip path. The clip path cuts the colored areas of a row into bars, because a
 * page with one element for each bar would have thousands of elements.
 */
const barShapes = `<svg class="bar-shapes" aria-hidden="true"><clipPath id="bars"><path d="${Array.from(
  { length: daysShown },
  (_, index) =>
    `M${index * barStep + 2} 0h${barWidth - 4}a2 2 0 0 1 2 2v${barHeight - 4}a2 2 0 0 1-2 2h-${barWidth - 4}a2 2 0 0 1-2-2V2a2 2 0 0 1 2-2z`,
).join('')}"/></clipPath></svg>`;

/** Returns the colored areas of a row: one path for each color, with a rectangle for each run of days of that color. */
function barsOf(days: readonly (DayHealth | undefined)[]): string {
  const areas = new Map<string, string>();
  for (let start = 0, end = 0; start < days.length; start = end) {
    const tone = toneOf(days[start]);
    while (end < days.length && toneOf(days[end]) === tone) end += 1;
    const width = (end - start) * barStep;
    areas.set(tone, `${areas.get(tone) ?? ''}M${start * barStep} 0h${width}v${barHeight}h-${width}z`);
  }
  const paths = [...areas].map(([tone, shape]) => `<path class="${tone}" d="${shape}"/>`);
  return `<g clip-path="url(#bars)">${paths.join('')}</g>`;
}

/** Returns the part of a route's path that names the platform: `photo` for /v1/photo/post. */
const codeOf = (path: string) => path.split('/')[2];

/**
 * Returns the name of a route on the page: "post children" for /v1/photo/post/children, "user posts (v2)" for
 * /v2/photo/user/posts.
 */
function nameOf(path: string): string {
  const [, version, , ...parts] = path.split('/');
  return `${parts.join(' ').replaceAll('-', ' ')}${version === 'v1' ? '' : ` (${version})`}`;
}

const minRate = 0.99;

function toneOf(day: DayHealth | undefined): string {
  if (!day) return 'none';
  const share = day.answered / (day.answered + day.failed);
  return share >= minRate ? 'good' : share >= 0.5 ? 'partly' : 'bad';
}

const textOf = (day: DayHealth | undefined) =>
  day ? `${numberText(day.answered)} of ${numberText(day.answered + day.failed)} requests answered` : 'no requests';

/** Returns the current state of a route in words, and the CSS class that colors its tag. */
function stateOf({ availability, requests_24h, success_rate_24h: rate }: RouteStatus): [string, string] {
  if (availability === 'unavailable') return ['not available', 'bad'];
  if (requests_24h === null || rate === null) return ['no requests in 24 hours', ''];
  if (rate >= minRate) return ['works', 'good'];
  return rate >= 0.5 ? ['works partly', 'warn'] : ['fails', 'bad'];
}

function incidentList(incidents: readonly Incident[]): Html | Promise<Html> {
  if (incidents.length === 0) return html`<p>No incidents are on record.</p>`;
  const lines = incidents.map(
    ({ route, from, hours, failed, requests }) =>
      html`<li><b>${groupName(route)} ${nameOf(route)}</b> failed for ${hours === 1 ? 'an hour' : `${hours} hours`} from ${time(from.toISOString())}: ${numberText(failed)} of ${numberText(requests)} requests got no answer from the source.</li>`,
  );
  return html`<ul>${lines}</ul>`;
}

const groupName = (path: string) => groups.find(([code]) => code === codeOf(path))?.[1] ?? '';

function routesTable(routes: readonly RouteStatus[]): Html | Promise<Html> {
  const columns: Column[] = [
    ['Path', 'title'],
    ['Availability', null],
    ['Requests', 'number'],
    ['Success rate', 'number'],
    ['Median time', 'number'],
    ['95% within', 'number'],
    ['Last success', 'time'],
    ['Last verified', 'time'],
  ];
  const used = routes.filter(
    ({ requests_24h, last_success_at, canary }) => requests_24h !== null || last_success_at !== null || canary !== null,
  );
  if (used.length === 0) return html`<p>No route has numbers yet.</p>`;
  return cardTable('Routes', columns, used.map(routeCells));
}

function sourcesTable(sources: ServiceStatus['sources']): Html | Promise<Html> {
  if (sources.length === 0) return html`<p>No source was used since the service started.</p>`;
  const columns: Column[] = [
    ['Source', 'title'],
    ['State', null],
    ['Failures in a row', 'number'],
    ['Paused until', 'time'],
  ];
  const rows = sources.map(({ source, state, consecutive_failures, open_until }) => [
    html`<code>${source}</code>`,
    html`<span class="badge ${state === 'closed' ? 'available' : 'unavailable'}">${stateLabels[state]}</span>`,
    consecutive_failures,
    time(open_until),
  ]);
  return cardTable('Sources', columns, rows);
}

type Cell = Html | Promise<Html> | string | number;
/** The heading of a column and the CSS class of its cells. */
type Column = readonly [heading: string, name: 'title' | 'number' | 'time' | null];

/** Returns a table whose rows are cards on a phone. */
function cardTable(caption: string, columns: readonly Column[], rows: readonly Cell[][]): Html | Promise<Html> {
  const classes = columns.map(([, name]) => columnClass(name ? { [name]: true } : {}));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table class="as-cards"><thead><tr>${columns.map(([heading], index) => html`<th scope="col"${classes[index]}>${heading}</th>`)}</tr></thead><tbody>
${rows.map((cells) => html`<tr>${cells.map((cell, index) => html`<td${classes[index]} data-label="${columns[index]?.[0]}">${cell}</td>`)}</tr>`)}
</tbody></table></div>`;
}

function routeCells(route: RouteStatus): Cell[] {
  const { path, availability, requests_24h, success_rate_24h, p50_ms, p95_ms, last_success_at, canary } = route;
  return [
    html`<code>${path}</code>`,
    html`<span class="badge ${availability}">${availability}</span>`,
    requests_24h === null ? unknown : numberText(requests_24h),
    success_rate_24h === null ? unknown : percent(success_rate_24h),
    milliseconds(p50_ms),
    milliseconds(p95_ms),
    time(last_success_at),
    verified(canary),
  ];
}

/**
 * Returns the table cell for the last canary of a route (a test request for well-known data). The cell shows the time
 * of the canary when the answer was right, otherwise a badge and the time of the last right answer.
 */
function verified(canary: RouteStatus['canary']): Html | Promise<Html> | string {
  if (canary === null) return unknown;
  if (canary.state === 'right') return time(canary.checked_at);
  const since = canary.last_right_at === null ? 'never right' : html`right until ${time(canary.last_right_at)}`;
  return html`<span class="badge unavailable">${canary.state === 'wrong' ? 'wrong answer' : 'no answer'}</span> ${since}`;
}

const unknown = '–';
const milliseconds = (value: number | null) => (value === null ? unknown : `${value} ms`);
const percent = (share: number) => `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`;

function time(iso: string | null): Html | Promise<Html> | string {
  if (iso === null) return unknown;
  return html`<time datetime="${iso}">${timeText(iso)} UTC</time>`;
}
