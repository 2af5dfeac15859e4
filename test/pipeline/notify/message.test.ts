import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { RaisedAlert } from '../../../db/alerts/evaluate.ts';
import { alertMessage } from '../../../pipeline/alerts/messages.ts';
import { mailHtml, mailText } from '../../../pipeline/notify/message.ts';
import { slackBody } from '../../../pipeline/notify/slack.ts';

/** Converts an OKLCH color to hexadecimal sRGB. Source: https://bottosson.github.io/posts/oklab/ */
function hexOf(lightness: number, chroma: number, hue: number): string {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const channel = (value: number) => {
    const x = Math.min(1, Math.max(0, value));
    const shown = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
    return Math.round(shown * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${linear.map(channel).join('')}`;
}

const footer = { workspace_name: 'a', base_url: 'https://a.example', unsubscribe_url: 'https://a.example/u' };

test('every color of an email is a color of the design tokens', () => {
  const tokens = readFileSync(resolve('addon/sidebar/design/tokens.css'), 'utf8');
  const known = [...tokens.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map(([, l, c, h]) =>
    hexOf(Number(l), Number(c), Number(h)),
  );
  const mail = mailHtml({ subject: 'a', lines: [], action: { label: 'Open', path: '/' } }, footer);
  const used = [...mail.matchAll(/#[0-9a-f]{6}\b/g)].map(([color]) => color);
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((color) => !known.includes(color))).toEqual([]);
});

test('a table of sentences has no headings in Slack and in plain text, and its sentences are not aligned to the right', () => {
  const tables = [
    { columns: ['What failed', 'Reason'], rows: [['Webhook https://a.example', 'HTTP 500']], texts: true },
  ];
  const message = { subject: 'One webhook failed', lines: [], tables };
  expect(JSON.parse(slackBody(message, footer)).text).toBe('One webhook failed\n• Webhook https://a.example: HTTP 500');
  expect(mailText(message, footer)).toContain('\n\n- Webhook https://a.example: HTTP 500\n\n');
  expect(mailHtml(message, footer)).not.toContain('align="right"');
  expect(mailHtml(message, footer)).toContain('>Reason</bdi></th>');
});

test('the name of a workspace in the footer of an email cannot become a link', () => {
  const message = { subject: 'Report', lines: [] };
  const named = { ...footer, workspace_name: 'Win at https://win.example/x' };
  for (const mail of [mailText(message, named), mailHtml(message, named)]) expect(mail).not.toContain('win.example');
});

test('a table of numbers has its headings in Slack', () => {
  const tables = [{ columns: ['Biggest gains', 'Views'], rows: [['Latte art', '+22,679']] }];
  const { text } = JSON.parse(slackBody({ subject: 'Report', lines: [], tables }, footer));
  expect(text).toBe('Report\nBiggest gains\n• Latte art: Views +22,679');
});

/** Returns the visible parts of a Slack message. */
function shownInSlack(message: Parameters<typeof slackBody>[0]): { type: string; text: string }[] {
  const { blocks, mrkdwn } = JSON.parse(slackBody(message, footer));
  expect(mrkdwn).toBe(false);
  expect(blocks).toMatchObject([{ type: 'rich_text', elements: [{ type: 'rich_text_section' }] }]);
  return blocks[0].elements[0].elements;
}

test('Slack shows the characters of names and texts as they are, without formatting, mentions or hidden links', () => {
  const name = '_tide_ *pool* ~kelp~ `reef` <!channel> <https://a.example|b> & :wave:';
  const tables = [{ columns: [name, 'Views'], rows: [[name, '+1']] }];
  const action = { label: name, path: '/x' };
  expect(shownInSlack({ subject: name, lines: [name], tables, notes: [name], action })).toEqual([
    { type: 'text', text: `${name}\n`, style: { bold: true } },
    { type: 'text', text: `${name}\n` },
    { type: 'text', text: `${name}\n`, style: { bold: true } },
    { type: 'text', text: `• ${name}: Views +1\n` },
    { type: 'text', text: `${name}\n` },
    { type: 'link', url: 'https://a.example/x', text: name },
  ]);
});

test.each(['Tide', 'Tides'])(
  'a long Slack message is cut at a whole character, and its link is kept (%s)',
  (subject) => {
    const action = { label: 'Open', path: '/x' };
    const lines = ['🌊'.repeat(2_000), 'never shown'];
    const shown = shownInSlack({ subject, lines, action });
    expect(shown.map(({ text }) => text)).toEqual([
      `${subject}\n`,
      expect.stringMatching(/^(?:🌊){1496,1497}…\n$/u),
      'Open',
    ]);
    expect(JSON.parse(slackBody({ subject, lines, action }, footer)).text).toMatch(/\nOpen: https:\/\/a\.example\/x$/);
  },
);

test.each([2_990, 2_991, 2_992, 2_993, 2_994])(
  'a long Slack message whose first line has %i characters says that lines are missing',
  (length) => {
    const shown = shownInSlack({ subject: 'Tide', lines: ['a'.repeat(length), 'second line', 'third line'] });
    const text = shown.map((part) => part.text).join('');
    expect(text).toMatch(/…$/);
    expect(text.length).toBeLessThanOrEqual(3_000);
    expect(text).not.toContain('third');
  },
);

test('a Slack message of exactly the accepted length is not cut', () => {
  const lines = ['a'.repeat(2_989), 'third'];
  expect(shownInSlack({ subject: 'Tide', lines }).map(({ text }) => text)).toEqual([
    'Tide\n',
    `${lines[0]}\n`,
    'third',
  ]);
});

const alert: RaisedAlert = {
  ...{
    workspace_id: 'w',
    item_name: null,
    recipient_ids: [],
    alert_id: 'a',
    rule_id: 'r',
    rule_name: 'Followers fall',
    item_id: 'i',
    item_url: 'https://a.example/tide',
  },
  ...{ condition: 'change', metric: 'followers', direction: 'down', amount: 5, days: 7, checks: null },
  ...{ value: 900, previous: 1_000, rounded: false, attempted_at: new Date('2026-11-20T10:00:00Z') },
};

test('a message about one alert describes the alert once, in its heading, unless the heading is cut', () => {
  const one = (itemName: string) => alertMessage([{ ...alert, item_name: itemName }], alert.attempted_at);
  expect(one('Tide')).toMatchObject({ subject: 'Tide: followers −10% in 7 days: 1,000 → 900', tables: [] });
  expect(one('Tide '.repeat(40)).tables?.[0]?.rows).toHaveLength(1);
});

test('the numbers of the last column of an email end at the end of the lines between the rows', () => {
  const tables = [{ columns: ['Total', 'Now', 'This week'], rows: [['Followers', '1,200', '+12']] }];
  const ends = [
    ...mailHtml({ subject: 'Numbers', lines: [], tables }, footer).matchAll(
      /<td class="line"[^>]*padding:8px (\d+)px/g,
    ),
  ];
  expect(ends.map(([, pixels]) => Number(pixels))).toEqual([8, 8, 0]);
});
