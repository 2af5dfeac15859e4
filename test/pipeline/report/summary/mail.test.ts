import { expect, test } from 'vitest';
import type { ReportInput } from '../../../../pipeline/report/input.ts';
import { buildReport } from '../../../../pipeline/report/report.ts';
import { reportMail } from '../../../../pipeline/report/summary/mail.ts';
import { item, observed } from '../report-data.ts';
import { example } from '../report-example.ts';

const url = 'https://tidemark.example/shared/reports/x?a=1&b="2"';
const brand = { logo: null, color: '#112233', footer: 'Ada & Co' };
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

test('the mail of a report has the same numbers as HTML and as text', () => {
  const mail = reportMail(report, { url, brand });
  for (const body of [mail.html, mail.text]) {
    for (const part of ['1,507', '+500', 'שלום']) expect(body).toContain(part);
    expect(body).toContain('unknown');
  }
  expect(mail.text).toContain(`Full report: ${url}`);
  expect(mail.html).toContain('bgcolor="#112233"');
});

test('the HTML mail of a report escapes names, cuts long ones, and needs no script, style sheet or class', () => {
  const { html, subject } = reportMail(report, { url, brand });
  expect(html).not.toMatch(/<script|<style|class=|<img/);
  expect(html).toContain('&lt;script&gt;alert(1)');
  expect(html).toContain('x?a=1&amp;b=&quot;2&quot;');
  expect(html).toContain('Ada &amp; Co');
  expect(subject.length).toBeLessThan(140);
});

test('the mail of a report without numbers says so and has no empty table', () => {
  const empty = buildReport({ ...base, items: [], observations: [], missed: [] });
  const { html, text } = reportMail(empty, { url, brand: { logo: null, color: null, footer: null } });
  expect(text).toContain('This campaign has no items yet.');
  expect(html).not.toContain('Up most');
});
