import { html, raw } from 'hono/html';
import { type KeyRow, listKeys } from '../../../db/accounts/keys.ts';
import {
  firstUsage,
  type ScheduledUse,
  scheduledOf,
  type UsagePart,
  type UsageQuery,
  usageLines,
  usageOf,
} from '../../../db/requests/usage-pages.ts';
import { type TableFormat, tableResponse } from '../../http/attachment.ts';
import type { SectionDeps } from '../deps.ts';
import { barChart, type Chart, chartTable } from '../ui/chart.ts';
import { card, count, type Piece, select, table } from '../ui/components.ts';
import { tiles } from '../ui/parts/blocks.ts';
import type { Page, Section, Visit } from '../ui/section.ts';
import { keyLabel } from './key-label.ts';
import { daysOf, type Period, periodChoices, periodOf } from './period.ts';
import { routeName } from './route-name.ts';

type UsageDeps = Pick<SectionDeps, 'db' | 'now'>;

/** Maximum number of rows in one CSV or Excel download. Even a busy month with 50 keys has fewer rows. */
const tableLines = 50_000;

/** Creates the usage page: the requests and credits of a period by day, route, key and result. */
export function usageSection(deps: UsageDeps): Section {
  return {
    menu: { path: '/dashboard/usage', label: 'Usage' },
    pages: {
      '/dashboard/usage': (visit) => usagePage(visit, deps),
      '/dashboard/usage/usage.csv': (visit) => usageTable(visit, deps, 'csv'),
      '/dashboard/usage/usage.xlsx': (visit) => usageTable(visit, deps, 'xlsx'),
    },
    forms: {},
  };
}

interface Question extends UsageQuery {
  period: Period;
}

function questionOf({ url, visitor }: Visit, now: Date): Question {
  const period = periodOf(url.searchParams.get('period') ?? '', now);
  const route = url.searchParams.get('route') || null;
  return { workspace_id: visitor.workspace_id, from: period.from, until: period.until, route, period };
}

async function usagePage(visit: Visit, { db, now }: UsageDeps): Promise<Page> {
  const moment = now();
  const question = questionOf(visit, moment);
  const { workspace_id, route, period } = question;
  const [parts, scheduled, keys, first] = await Promise.all([
    usageOf(db.sql, question),
    scheduledOf(db.sql, question),
    listKeys(db.sql, workspace_id),
    firstUsage(db.sql, workspace_id),
  ]);
  const days = daysOf(period, moment);
  const content = html`${periodChoice(question, periodChoices(period, first, moment))}
${totals(parts, scheduled, route)}
${route === null && parts.length === 0 && scheduled.length === 0 ? html`<p>No requests in this period.</p>` : null}
${parts.length > 0 ? requestParts(parts, { days, keys, question }) : null}
${scheduled.length > 0 && route === null ? scheduledPart(scheduled, days) : null}
<p class="hint">Updated within seconds, by day in UTC. The <a href="/dashboard/credits">ledger</a> lists every charge.</p>`;
  return { title: 'Usage', content };
}

function periodChoice({ period, route }: Question, choices: [string, string][]): Piece {
  const kept = route === null ? null : html`<input type="hidden" name="route" value="${route}">`;
  const query = new URLSearchParams({ period: period.name, ...(route === null ? {} : { route }) });
  return html`<form method="get" class="row filter">${select('Period (UTC)', 'period', choices, { value: period.name })}${kept}<button class="quiet">Show</button>
<a class="button quiet" href="/dashboard/usage/usage.csv?${query}">Download CSV</a>
<a class="button quiet" href="/dashboard/usage/usage.xlsx?${query}">Download Excel</a></form>
${route === null ? null : html`<p>Only ${routeCell(route)}. <a href="/dashboard/usage?period=${period.name}">Show all routes</a></p>`}`;
}

/** Returns the readable name of an API route with its path, or only the path when the route has no name. */
function routeCell(route: string): Piece {
  const name = routeName(route);
  return name === null ? html`<code>${route}</code>` : html`${name} (<code>${route}</code>)`;
}

/** Returns the totals of a period: API requests, and scheduled work such as tracking. */
function totals(parts: readonly UsagePart[], scheduled: readonly ScheduledUse[], route: string | null): Piece {
  const outcomes = parts.filter(({ outcome }) => outcome !== null);
  const work = (name: ScheduledUse['work']) =>
    sumOf(
      scheduled.filter((one) => one.work === name),
      'credits',
    );
  const requests = sumOf(outcomes, 'credits');
  const parted: [string, number][] = [
    ['Requests', sumOf(outcomes, 'requests')],
    ['Credits for requests', requests],
  ];
  const figures: [string, number][] =
    route === null
      ? [
          ['Credits in total', requests + work('tracking') + work('bulk')],
          ...parted,
          ['Credits for tracking', work('tracking')],
          ['Credits for bulk analyses and sheet imports', work('bulk')],
        ]
      : parted;
  return tiles(figures.map(([label, value]) => ({ label, value: count(value) })));
}

function sumOf<K extends string>(rows: readonly Record<K, number>[], name: K): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}

interface Shown {
  days: readonly string[];
  keys: readonly KeyRow[];
  question: Question;
}

function requestParts(parts: readonly UsagePart[], { days, keys, question }: Shown): Piece {
  const byDay = new Map(parts.flatMap((part) => (part.day === null ? [] : [[part.day, part] as const])));
  const chart = (name: 'requests' | 'credits', title: string, unit: string): Chart & { unit: string } => ({
    unit,
    id: `chart-${name}`,
    title,
    headed: true,
    points: days.map((label) => ({ label, value: byDay.get(label)?.[name] ?? 0 })),
  });
  const charts = [
    chart('requests', 'Requests per day', 'Requests'),
    chart('credits', 'Credits for requests per day', 'Credits'),
  ];
  const names = new Map(keys.map((key) => [key.key_id, key]));
  const period = question.period.name;
  return html`<div class="columns">${charts.map((one) => card(one.title, html`${barChart(one)}${chartTable(one, 'Day', one.unit)}`))}</div>
${card(
  'By route',
  partTable(
    'Route',
    parts.filter(({ route }) => route !== null),
    ({ route }) =>
      html`<a href="/dashboard/usage?${new URLSearchParams({ period, route: route ?? '' })}">${routeName(route ?? '') ?? route}</a>${routeName(route ?? '') === null ? null : html`<br><small>${route}</small>`}`,
  ),
)}
<div class="columns">${card(
    'By result',
    partTable(
      'Result',
      parts.filter(({ outcome }) => outcome !== null),
      ({ outcome }) => outcomeCell(outcome ?? ''),
    ),
  )}
${card(
  'By key',
  partTable(
    'Key',
    parts.filter(({ key_id }) => key_id !== null),
    ({ key_id }) => keyCell(names.get(key_id ?? '')),
  ),
)}</div>`;
}

function partTable(heading: string, parts: readonly UsagePart[], name: (part: UsagePart) => Piece): Piece {
  const number = (label: string) => ({ heading: label, number: true });
  const rows = parts.map((part) => [name(part), count(part.requests), count(part.credits)]);
  return table(`By ${heading.toLowerCase()}`, [heading, number('Requests'), number('Credits')], rows);
}

const outcomeLabels: Readonly<Record<string, string>> = {
  OK: 'new data, charged',
  HIT: 'cached, free',
  SANDBOX: 'sandbox, free',
};

function outcomeCell(outcome: string): Piece {
  const label = outcomeLabels[outcome] ?? 'error, free';
  return html`<code>${outcome}</code><br><span class="${raw(outcomeLabels[outcome] ? 'hint' : 'error')}">${label}</span>`;
}

function keyCell(key: KeyRow | undefined): Piece {
  return key ? keyLabel(key) : 'dashboard or deleted key';
}

function scheduledPart(scheduled: readonly ScheduledUse[], days: readonly string[]): Piece {
  const credits = Map.groupBy(scheduled, ({ day }) => day);
  const points = days.map((label) => ({ label, value: sumOf(credits.get(label) ?? [], 'credits') }));
  const chart = { id: 'chart-scheduled', title: 'Credits per day', points };
  const rows = (['tracking', 'bulk'] as const).map((work) => {
    const own = scheduled.filter((one) => one.work === work);
    const name = work === 'tracking' ? 'Checks of tracked items' : 'Rows of bulk analyses and sheet imports';
    return [name, count(sumOf(own, 'done')), count(sumOf(own, 'credits'))];
  });
  const number = (heading: string) => ({ heading, number: true });
  return card(
    'Tracking, bulk analyses and sheet imports',
    html`${barChart(chart)}${chartTable(chart, 'Day', 'Credits')}${table('Checks, analyses and imports', ['Work', number('Done'), number('Credits')], rows)}`,
  );
}

const tableColumns = ['day', 'route', 'key', 'key_last_four', 'outcome', 'requests', 'credits'] as const;

/** Returns the usage of a period as a CSV or Excel download. */
async function usageTable(visit: Visit, { db, now }: UsageDeps, format: TableFormat): Promise<Response> {
  const question = questionOf(visit, now());
  const lines = await usageLines(db.sql, question, tableLines);
  const rows = lines.map((line) => [
    line.day,
    line.route,
    line.key_name,
    line.key_last_four,
    line.outcome,
    line.requests,
    line.credits,
  ]);
  return tableResponse(`usage-${question.period.name}`, format, tableColumns, rows);
}
