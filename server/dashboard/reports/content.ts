import { html } from 'hono/html';
import { accountsAndPosts } from '../../../pipeline/report/accounts-and-posts.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import { headlineOf, metricTitle, platformsOf } from '../../../pipeline/report/summary/headline.ts';
import { summarize } from '../../../pipeline/report/summary/summary.ts';
import type { Html } from '../../docs/layout.ts';
import { card, count, type Piece, tag, time } from '../ui/components.ts';
import { printedSeries, reportCharts } from './charts.ts';
import { formatDays } from './figures.ts';
import type { PictureOf } from './pictures.ts';
import { summaryPart } from './summary.ts';
import { gapsTable, itemTables, platformParts, totalsTable } from './tables.ts';

/** Where a report is shown: on a screen, or on paper with or without its details. */
type ReportMedium = 'screen' | 'paper' | 'paper summary';

/**
 * Returns a report as HTML for the screen or for printing. On paper, the details are an appendix that begins on a new
 * page.
 */
export function reportContent(report: Report, medium: ReportMedium, pictureOf: PictureOf): Html | Promise<Html> {
  const { notes } = report;
  const summary = summarize(report);
  return html`<div class="report"><p class="headline">${headlineOf(report, summary)}</p>
${headOf(report)}
${summaryPart(report, summary, pictureOf)}
${notes.length > 0 ? card('Notes', html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`) : null}
${medium === 'paper summary' ? card('How to read this', legend()) : details(report, medium)}</div>`;
}

/**
 * Returns all numbers behind the summary of a report. On a screen, they are collapsed. On paper, they are an appendix.
 */
function details(report: Report, medium: 'screen' | 'paper'): Piece {
  const { totals, series, method } = report;
  const charts =
    series.length === 0
      ? html`<p>No charts yet: a chart needs data at the start and at the end of the period.</p>`
      : reportCharts(report, medium);
  const folded = (heading: string, content: Piece | Piece[]) =>
    medium === 'paper'
      ? card(heading, content)
      : html`<details class="card"><summary><h2>${heading}</h2></summary>${content}</details>`;
  const parts = html`${folded(
    'Totals',
    totalsTable('Totals of all accounts and posts', totals, (metric) =>
      metricTitle(metric, platformsOf(report, metric)),
    ),
  )}
${report.by_platform.length > 0 ? folded('By platform', platformParts(report)) : null}
${folded('Charts', charts)}
${report.items.length > 0 ? folded('Accounts and posts', itemTables(report)) : null}
${report.items.length > 0 ? folded('Missing days', gapsTable(report)) : null}
${medium === 'paper' && series.length > 0 ? card('Chart values', printedSeries(report)) : null}
${folded('How to read this', [legend(), html`<p>${method}</p>`])}`;
  return medium === 'paper' ? html`<section class="appendix"><h2>Appendix: details</h2>${parts}</section>` : parts;
}

function headOf({ period_start, period_end, final, generated_at, partial_period, coverage }: Report): Piece {
  const { expected_observations: expected, observations, items, items_never_observed: never } = coverage;
  return html`<p class="period"><b>${formatDays(period_start, period_end)}</b> ${tag(final ? 'finished week' : 'so far', final ? 'good' : 'plain')} ${partial_period ? tag('partial period', 'warn') : null}
<span class="hint">${final ? 'Created' : 'As of'} ${time(new Date(generated_at))} UTC${final ? '. The numbers are final' : ''}.
${items > 0 ? `Based on ${count(observations)} of ${count(expected)} daily checks of ${accountsAndPosts(items)}.` : null}${never > 0 ? ` ${count(never)} ${never === 1 ? 'has' : 'have'} no numbers in this period.` : ''}</span></p>`;
}

const meanings: readonly (readonly [Piece, string])[] = [
  ['–', 'unknown. It never means 0'],
  ['≈', 'rounded by the platform, so small changes are not visible'],
  [tag('hidden'), 'hidden by the account'],
  [tag('not shown'), 'not shown by the platform'],
  [tag('no data'), 'no check found this number in the period'],
  [
    tag('other account', 'warn'),
    'the handle now belongs to another account, so its numbers are not counted in the totals',
  ],
  [
    tag('partial period', 'warn'),
    'not the whole week is covered: it is not over, the campaign began or ended in it, or a number of an account or post was first found in it',
  ],
];

/** Returns the explanation of the marks in a report's tables, such as ≈ and "hidden". */
function legend(): Piece {
  return html`<dl class="legend">${meanings.map(([mark, meaning]) => html`<div><dt>${mark}</dt><dd>${meaning}</dd></div>`)}</dl>`;
}
