import { expect, test } from 'vitest';
import { mailHtml, mailText } from '../../../../pipeline/notify/message.ts';
import type { ReportInput } from '../../../../pipeline/report/input.ts';
import { buildReport } from '../../../../pipeline/report/report.ts';
import { reportMessage } from '../../../../pipeline/report/summary/message.ts';
import { packQuality } from '../../../../pipeline/tracking/metrics.ts';
import { item, observed } from '../report-data.ts';
import { example } from '../report-example.ts';

const footer = { workspace_name: 'Ada', base_url: 'https://a.example', unsubscribe_url: 'https://a.example/s/1' };
const brand = { color: '#112233', footer: 'Ada & Co' };
const hostile = `<script>alert(1)</script>\u202eabc${'é'.repeat(200)}`;
const base: ReportInput = { ...example, campaign: { ...example.campaign, name: hostile, report_name: null } };
const report = buildReport({
  ...base,
  items: [item({ item_id: 'a', kind: 'post', name: hostile }), item({ item_id: 'b', kind: 'post', name: 'שלום' })],
  observations: [
    observed('a', '2026-11-08T10:00:00', { views: 1_000 }),
    observed('a', '2026-11-15T10:00:00', { views: 1_500 }),
    observed('b', '2026-11-15T10:00:00', { views: 7 }),
  ],
  missed: [],
});

test('the email of a report has its totals, movers and best posts, the same as HTML and as text', () => {
  const message = reportMessage(report, brand);
  for (const body of [mailHtml(message, footer), mailText(message, footer)]) {
    for (const part of ['1,507', '+500', 'שלום', 'Biggest gains', 'Posts with the most new views'])
      expect(body).toContain(part);
    // The message leaves out the column of the previous week, because none of its numbers is known.
    expect(body).not.toContain('Previous week');
    expect(body).toContain('unknown');
  }
  expect(mailText(message, footer)).toContain('Open report: https://a.example/s/1/reports/');
});

test('the email of a report has ≈ before every number that was computed from a rounded one', () => {
  const rounded = [
    ['2026-10-31T10:00:00', 900],
    ['2026-11-01T10:00:00', 950],
    ['2026-11-08T10:00:00', 1_000],
    ['2026-11-15T10:00:00', 1_500],
  ] as const;
  const quality = packQuality({ views: 'rounded' });
  const input = { ...base, campaign: { ...base.campaign, starts_on: '2026-10-01' } };
  const { tables } = reportMessage(
    buildReport({
      ...input,
      items: [item({ item_id: 'a', kind: 'post' })],
      observations: rounded.map(([at, views]) => observed('a', at, { views }, { quality })),
      missed: [],
    }),
    brand,
  );
  expect(tables?.map(({ rows }) => rows[0])).toEqual([
    ['Views', '≈1,500', '≈+500', '≈+50'],
    ['a', '≈+500'],
    ['a', '≈+500', 'unknown'],
  ]);
});

test('the email of a report has the color and the footer of the workspace, and escapes and cuts names', () => {
  const message = reportMessage(report, brand);
  const html = mailHtml(message, footer);
  expect(html).toContain('background:#112233');
  expect(html).toContain('Ada &amp; Co');
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain('&lt;script&gt;alert(1)');
  expect([...message.subject].length).toBeLessThan(150);
});

test('the email of a report without numbers says so and has no empty table', () => {
  const empty = buildReport({ ...base, items: [], observations: [], missed: [] });
  const message = reportMessage(empty, { color: null, footer: null });
  expect(mailText(message, footer)).toContain('This campaign has no accounts or posts yet.');
  expect(message.tables).toEqual([]);
});
