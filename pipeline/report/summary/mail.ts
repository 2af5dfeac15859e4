import type { ReportBrand } from '../../../db/campaigns/report-brands.ts';
import { dayMs, dayOf } from '../period.ts';
import type { Report } from '../report.ts';
import { headlineOf, metricTitle } from './headline.ts';
import { type Mover, type ReportSummary, summarize, type Tile } from './summary.ts';

export interface ReportMail {
  subject: string;
  /** A complete HTML document that Outlook shows, too: tables and inline styles only, no pictures and no scripts. */
  html: string;
  text: string;
}

/** Maximum characters of a name in a mail. */
const maxName = 80;
const defaultColor = '#0a5f73';
const numbers = new Intl.NumberFormat('en-US');

/**
 * Returns a report as a mail, with the same numbers as its page. The jobs that send mails call it. `url` is the absolute address
 * of the report: a share link for readers without an account, else its page in the dashboard.
 */
export function reportMail(report: Report, { url, brand }: { url: string; brand: ReportBrand }): ReportMail {
  const summary = summarize(report);
  const title = shorten(report.report_name ?? report.campaign.name);
  const period = `${dayOf(report.period_start)} to ${dayOf(report.period_end - dayMs)}`;
  const parts = { report, summary, title, period, url, headline: headlineOf(report, summary) };
  return { subject: `${title}: report ${period}`, html: htmlOf(parts, brand), text: textOf(parts, brand) };
}

interface Parts {
  report: Report;
  summary: ReportSummary;
  title: string;
  period: string;
  headline: string;
  url: string;
}

function textOf({ report, summary, title, period, headline, url }: Parts, { footer }: ReportBrand): string {
  const block = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${heading}\n${lines.join('\n')}`];
  return [
    `${title}\n${period}`,
    headline,
    ...block('Totals', summary.tiles.map(tileLine)),
    ...block('Up most', summary.up.map(moverLine)),
    ...block('Down most', summary.down.map(moverLine)),
    ...block(
      'Best posts',
      summary.best.map((item) => `${nameOf(item)}: ${known(item.metrics.views?.end)} views`),
    ),
    ...block('Notes', report.notes),
    `Full report: ${url}`,
    ...(footer ? [footer] : []),
  ].join('\n\n');
}

const tileLine = ({ metric, total, previous_change }: Tile) =>
  `${metricTitle(metric)}: ${known(total.end)} (${signed(total.change)}; week before ${signed(previous_change)})`;
const moverLine = ({ item, change }: Mover) => `${nameOf(item)}: ${signed(change)}`;

function htmlOf({ report, summary, title, period, headline, url }: Parts, { color, footer }: ReportBrand): string {
  const { metric, tiles, up, down, best } = summary;
  const label = metric ? metricTitle(metric) : '';
  const movers = (heading: string, list: readonly Mover[]) =>
    tableOf(
      heading,
      ['Item', label],
      list.map(({ item, change }) => [nameOf(item), signed(change)]),
    );
  const rows = tiles.map(({ metric, total, previous_change: previous }) => {
    return [metricTitle(metric), known(total.end), signed(total.change), signed(previous)];
  });
  const content = [
    `<p style="${styles.headline}">${escapeHtml(headline)}</p>`,
    tableOf('Totals', ['', 'Now', 'Change', 'Week before'], rows),
    movers('Up most', up),
    movers('Down most', down),
    tableOf(
      'Best posts',
      ['Post', 'Views'],
      best.map((item) => [nameOf(item), known(item.metrics.views?.end)]),
    ),
    report.notes.length === 0
      ? ''
      : `<h2 style="${styles.h2}">Notes</h2>${report.notes.map((note) => `<p style="${styles.note}">${escapeHtml(note)}</p>`).join('')}`,
    `<p style="${styles.text}"><a href="${escapeHtml(url)}" style="color:#0a5f73">Open the full report</a></p>`,
    footer ? `<p style="${styles.note}"><bdi>${escapeHtml(footer)}</bdi></p>` : '',
  ];
  const background = color ?? defaultColor;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:0;background:#f3f4f6"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;background:#ffffff">
<tr><td bgcolor="${background}" style="${styles.cover};background:${background}"><h1 style="${styles.h1}"><bdi>${escapeHtml(title)}</bdi></h1>${escapeHtml(period)}</td></tr>
<tr><td style="padding:24px">${content.join('\n')}</td></tr></table></td></tr></table></body></html>`;
}

const font = 'font-family:Arial,Helvetica,sans-serif';
const styles = {
  cover: `${font};padding:24px;color:#ffffff;font-size:14px`,
  h1: `${font};margin:0 0 4px;font-size:22px;line-height:28px;color:#ffffff`,
  h2: `${font};margin:24px 0 8px;font-size:16px;line-height:22px;color:#1a1f24`,
  headline: `${font};margin:0 0 16px;font-size:18px;line-height:26px;color:#1a1f24`,
  text: `${font};margin:24px 0 0;font-size:14px;line-height:20px;color:#1a1f24`,
  note: `${font};margin:0 0 8px;font-size:12px;line-height:18px;color:#4b5560`,
  cell: `${font};padding:6px 8px;border-bottom:1px solid #d9dee3;font-size:14px;line-height:20px;color:#1a1f24`,
};

/** Returns a table whose first column is text and whose others are numbers. Without rows, returns nothing. */
function tableOf(heading: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const cells = (row: readonly string[], tag: 'td' | 'th') =>
    row
      .map(
        (cell, index) =>
          `<${tag} align="${index === 0 ? 'left' : 'right'}" style="${styles.cell}"><bdi>${escapeHtml(cell)}</bdi></${tag}>`,
      )
      .join('');
  return `<h2 style="${styles.h2}">${heading}</h2><table width="100%" cellpadding="0" cellspacing="0"><tr>${cells(columns, 'th')}</tr>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</table>`;
}

const nameOf = ({ name, url }: { name: string | null; url: string }) => shorten(name || url);
const known = (value: number | null | undefined) => (typeof value === 'number' ? numbers.format(value) : 'unknown');

function signed(value: number | null): string {
  if (value === null) return 'unknown';
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${numbers.format(Math.abs(value))}`;
}

function shorten(name: string): string {
  const characters = [...name];
  return characters.length > maxName ? `${characters.slice(0, maxName).join('')}…` : name;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
