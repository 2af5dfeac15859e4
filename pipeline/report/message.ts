import type { Message } from '../notify/message.ts';
import { dayMs } from './period.ts';
import type { Report } from './report.ts';
import type { Total } from './totals.ts';
import type { Change } from './values.ts';

const whole = new Intl.NumberFormat('en-US');
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const maxNotes = 5;
const itemsInList = 5;

/**
 * Returns a weekly report as a message: the totals, the items that changed most, and what was not counted. It opens to people
 * without an account.
 */
export function reportMessage(report: Report): Message {
  const { totals, period_start, period_end, notes, coverage } = report;
  // Without the thin spaces around the dash, which some mail programs show as boxes.
  const period = days.formatRange(period_start, period_end - dayMs).replaceAll('\u2009', '');
  const rows = Object.entries(totals).map(([metric, total]) => [wordOf(metric), number(total.end), changeText(total)]);
  const [main] = Object.entries(totals);
  const headline = main ? headlineOf(main[0], main[1]) : 'There are no numbers for this week.';
  return {
    subject: `${report.report_name ?? report.campaign.name}: weekly report, ${period}`.slice(0, 150),
    lines: [headline, ...moversOf(report)],
    table: { columns: ['Total', 'Now', 'This week'], rows },
    notes: [
      `${whole.format(coverage.observations)} of ${whole.format(coverage.expected_observations)} daily checks have data.`,
      ...notes.slice(0, maxNotes),
    ],
    action: {
      label: 'Open report',
      path: `/reports/${report.campaign.id}/${report.report_id}`,
      open_to_recipient: true,
    },
  };
}

function headlineOf(metric: string, total: Total): string {
  const missing = total.items_missing > 0 ? ` ${total.items_missing} more without a number.` : '';
  return `${wordOf(metric)} of ${total.items === 1 ? '1 item' : `${total.items} items`}: ${number(total.end)} (${changeText(total)}).${missing}`;
}

/** Returns a sentence about the items with the largest change in per cent of their first metric. */
function moversOf({ items }: Report): string[] {
  const moved = items.flatMap(({ name, url, metrics }) => {
    const [first] = Object.entries(metrics);
    const percent = first?.[1].change_percent ?? null;
    return first && percent !== null && percent !== 0
      ? [{ label: name ?? url, percent, text: changeText(first[1]) }]
      : [];
  });
  const top = moved.toSorted((a, b) => Math.abs(b.percent) - Math.abs(a.percent)).slice(0, itemsInList);
  return top.length > 0 ? [`Biggest changes: ${top.map(({ label, text }) => `${label} ${text}`).join('; ')}.`] : [];
}

function wordOf(metric: string): string {
  const word = metric.replaceAll('_', ' ');
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

const number = (value: number | null) => (value === null ? '–' : whole.format(value));
const signed = (value: number) => `${value > 0 ? '+' : ''}${whole.format(value)}`.replace('-', '−');

function changeText({ change, change_percent }: Change): string {
  if (change === null) return '–';
  return change_percent === null ? signed(change) : `${signed(change)}, ${signed(change_percent)}%`;
}
