import { html, raw } from 'hono/html';
import { type KeyRow, listKeys } from '../../../db/accounts/keys.ts';
import {
  firstUsage,
  type ScheduledUse,
  scheduledOfMonth,
  type UsagePart,
  type UsageQuery,
  usageLines,
  usageOfMonth,
} from '../../../db/requests/usage-pages.ts';
import { dayMs, dayOf, startOf } from '../../../pipeline/report/period.ts';
import { type TableFormat, tableResponse } from '../../http/attachment.ts';
import type { SectionDeps } from '../deps.ts';
import { barChart, type Chart, chartTable } from '../ui/chart.ts';
import { card, count, type Piece, select, table } from '../ui/components.ts';
import { type Page, PageNotFound, type Section, type Visit } from '../ui/section.ts';

type UsageDeps = Pick<SectionDeps, 'db' | 'now'>;

/** Number of months that the user can choose from, including the current month. */
const maxMonths = 24;
/** Maximum number of rows in one CSV file. Even a busy month with 50 keys has fewer. */
const tableLines = 50_000;

/** Creates the usage page: the requests and credits of one month by day, route, key and result. */
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

function queryOf({ url, visitor }: Visit, now: Date): UsageQuery {
  const running = now.toISOString().slice(0, 7);
  const month = url.searchParams.get('month') || running;
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(month) || month > running) throw new PageNotFound();
  return { workspace_id: visitor.workspace_id, month: `${month}-01`, route: url.searchParams.get('route') || null };
}

async function usagePage(visit: Visit, { db, now }: UsageDeps): Promise<Page> {
  const moment = now();
  const question = queryOf(visit, moment);
  const { workspace_id, month, route } = question;
  const [parts, scheduled, keys, first] = await Promise.all([
    usageOfMonth(db.sql, question),
    scheduledOfMonth(db.sql, workspace_id, month),
    listKeys(db.sql, workspace_id),
    firstUsage(db.sql, workspace_id),
  ]);
  const days = daysOf(month, moment);
  const content = html`${monthChoice(question, monthsSince(first, moment))}
${totals(parts, scheduled, route)}
${route === null && parts.length === 0 && scheduled.length === 0 ? html`<p>No requests in this month.</p>` : null}
${parts.length > 0 ? requestParts(parts, { days, keys, question }) : null}
${scheduled.length > 0 && route === null ? scheduledPart(scheduled, days) : null}
<p class="hint">Updated within seconds, by day in UTC. The <a href="/dashboard/credits">ledger</a> lists every charge.</p>`;
  return { title: 'Usage', content };
}

/** Returns the days of a month. In the current month, they end today. */
function daysOf(month: string, now: Date): string[] {
  const days: string[] = [];
  for (let at = startOf(month); at <= now.getTime(); at += dayMs) {
    const day = dayOf(at);
    if (!day.startsWith(month.slice(0, 7))) break;
    days.push(day);
  }
  return days;
}

/** Returns the current month and the earlier months, back to the month of the first request, at most `maxMonths`. */
function monthsSince(first: string | null, now: Date): string[] {
  const oldest = (first ?? now.toISOString()).slice(0, 7);
  return Array.from({ length: maxMonths }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  ).filter((month, back) => back === 0 || month >= oldest);
}

function monthChoice({ month, route }: UsageQuery, months: readonly string[]): Piece {
  const chosen = month.slice(0, 7);
  const choices = months.includes(chosen) ? months : [...months, chosen];
  const kept = route === null ? null : html`<input type="hidden" name="route" value="${route}">`;
  const query = new URLSearchParams({ month: chosen, ...(route === null ? {} : { route }) });
  return html`<form method="get" class="row filter">${select(
    'Month (UTC)',
    'month',
    choices.map((name): [string, string] => [name, name]),
    { value: chosen },
  )}${kept}<button class="quiet">Show</button>
<a class="button quiet" href="/dashboard/usage/usage.csv?${query}">Download CSV</a>
<a class="button quiet" href="/dashboard/usage/usage.xlsx?${query}">Download Excel</a></form>
${route === null ? null : html`<p>Only <code>${route}</code>. <a href="/dashboard/usage?month=${chosen}">Show all routes</a></p>`}`;
}

/** Returns the totals of requests and scheduled work. */
function totals(parts: readonly UsagePart[], scheduled: readonly ScheduledUse[], route: string | null): Piece {
  const outcomes = parts.filter(({ outcome }) => outcome !== null);
  const work = (name: ScheduledUse['work']) =>
    sumOf(
      scheduled.filter((one) => one.work === name),
      'credits',
    );
  const figures: [string, number][] = [
    ['Requests', sumOf(outcomes, 'requests')],
    ['Credits for requests', sumOf(outcomes, 'credits')],
    ...(route === null
      ? ([
          ['Credits for tracking', work('tracking')],
          ['Credits for bulk analysis', work('bulk')],
        ] as [string, number][])
      : []),
  ];
  return html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${count(value)}</dd></div>`)}</dl>`;
}

function sumOf<K extends string>(rows: readonly Record<K, number>[], name: K): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}

interface Shown {
  days: readonly string[];
  keys: readonly KeyRow[];
  question: UsageQuery;
}

function requestParts(parts: readonly UsagePart[], { days, keys, question }: Shown): Piece {
  const byDay = new Map(parts.flatMap((part) => (part.day === null ? [] : [[part.day, part] as const])));
  const chart = (name: 'requests' | 'credits', title: string): Chart => ({
    id: `chart-${name}`,
    title,
    headed: true,
    points: days.map((label) => ({ label, value: byDay.get(label)?.[name] ?? 0 })),
  });
  const charts = [chart('requests', 'Requests per day'), chart('credits', 'Credits for requests per day')];
  const names = new Map(keys.map((key) => [key.key_id, key]));
  const month = question.month.slice(0, 7);
  return html`<div class="columns">${charts.map((one) => card(one.title, html`${barChart(one)}${chartTable(one)}`))}</div>
${card(
  'By route',
  partTable(
    'Route',
    parts.filter(({ route }) => route !== null),
    ({ route }) => html`<a href="/dashboard/usage?${new URLSearchParams({ month, route: route ?? '' })}">${route}</a>`,
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
  HIT: 'from the cache, free',
  SANDBOX: 'sandbox, free',
};

function outcomeCell(outcome: string): Piece {
  const label = outcomeLabels[outcome] ?? 'error, free';
  return html`<code>${outcome}</code><br><span class="${raw(outcomeLabels[outcome] ? 'hint' : 'error')}">${label}</span>`;
}

function keyCell(key: KeyRow | undefined): Piece {
  return key ? html`${key.name} <code>…${key.last_four}</code>` : 'dashboard or deleted key';
}

function scheduledPart(scheduled: readonly ScheduledUse[], days: readonly string[]): Piece {
  const credits = Map.groupBy(scheduled, ({ day }) => day);
  const points = days.map((label) => ({ label, value: sumOf(credits.get(label) ?? [], 'credits') }));
  const chart = { id: 'chart-scheduled', title: 'Credits per day', points };
  const rows = (['tracking', 'bulk'] as const).map((work) => {
    const own = scheduled.filter((one) => one.work === work);
    const name = work === 'tracking' ? 'Checks of tracked items' : 'Profiles in bulk analysis';
    return [name, count(sumOf(own, 'done')), count(sumOf(own, 'credits'))];
  });
  const number = (heading: string) => ({ heading, number: true });
  return card(
    'Tracking and bulk analysis',
    html`${barChart(chart)}${chartTable(chart, 'Day', 'Credits')}${table('Scheduled work', ['Work', number('Done'), number('Credits')], rows)}`,
  );
}

const tableColumns = ['day', 'route', 'key', 'key_last_four', 'outcome', 'requests', 'credits'] as const;

/** Returns the usage of a month as a download, which is free. */
async function usageTable(visit: Visit, { db, now }: UsageDeps, format: TableFormat): Promise<Response> {
  const question = queryOf(visit, now());
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
  return tableResponse(`usage-${question.month.slice(0, 7)}`, format, tableColumns, rows);
}
