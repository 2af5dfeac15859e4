import { html } from 'hono/html';
import type { Report } from '../../pipeline/report.ts';
import type { Html } from '../docs/layout.ts';
import { reportCharts, seriesTables } from './report-charts.ts';
import { daysInWords } from './report-figures.ts';
import { gapsTable, itemTables, platformParts, totalsTable } from './report-tables.ts';
import { card, count, type Piece, tag, time } from './ui.ts';

/** A report as people read it, on a page, shared, or on paper: everything of it comes from the one object. */
export function reportContent(report: Report, where: 'screen' | 'paper'): Html | Promise<Html> {
  const { notes, totals, series, method } = report;
  const charts = series.length === 0 ? html`<p>No count is known at both ends yet.</p>` : reportCharts(report);
  return html`<div class="report">${headOf(report)}
${card('Totals', totalsTable('Totals of all items', totals))}
${notes.length > 0 ? card('What to know', html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`) : null}
${report.by_platform.length > 0 ? card('By platform', platformParts(report)) : null}
${card('Charts', charts)}
${report.items.length > 0 ? card('Items', itemTables(report)) : null}
${report.items.length > 0 ? card('Gaps', gapsTable(report)) : null}
${where === 'paper' && series.length > 0 ? card('Numbers of the charts', seriesTables(report)) : null}
${card('How to read this', [legend(), html`<p>${method}</p>`])}</div>`;
}

function headOf({ period_start, period_end, final, generated_at, partial_period, coverage }: Report): Piece {
  const { expected_observations: expected, observations, items, items_never_observed: never } = coverage;
  return html`<p class="period"><b>${daysInWords(period_start, period_end)}</b> ${tag(final ? 'finished week' : 'so far', final ? 'good' : 'plain')} ${partial_period ? tag('partial period', 'warn') : null}</p>
<p>${final ? 'Made' : 'As of'} ${time(new Date(generated_at))} UTC${final ? '; its numbers do not change any more' : ''}.
${count(observations)} of ${count(expected)} daily observations of ${items === 1 ? '1 item' : `${count(items)} items`}${never > 0 ? `; ${count(never)} never observed in this period` : ''}.</p>`;
}

const meanings: readonly (readonly [Piece, string])[] = [
  ['–', 'not known; never 0'],
  [
    tag('rounded', 'warn'),
    'rounded by the source (~ among the numbers of the charts), so that a small change does not show',
  ],
  [tag('hidden'), 'hidden by the account'],
  [tag('not given'), 'not given by the source'],
  [tag('not observed'), 'no check gave this count in the period'],
  [tag('changed hands', 'warn'), 'the address belongs to another account now: it is in no total'],
];

/** What the marks mean. */
function legend(): Piece {
  return html`<dl class="legend">${meanings.map(([mark, meaning]) => html`<div><dt>${mark}</dt><dd>${meaning}</dd></div>`)}</dl>`;
}
