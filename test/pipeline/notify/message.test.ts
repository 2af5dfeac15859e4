import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { mailHtml } from '../../../pipeline/notify/message.ts';

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

test('every color of an email is a color of the design tokens', () => {
  const tokens = readFileSync(resolve('addon/sidebar/design/tokens.css'), 'utf8');
  const known = [...tokens.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map(([, l, c, h]) =>
    hexOf(Number(l), Number(c), Number(h)),
  );
  const footer = { workspace_name: 'a', base_url: 'https://a.example', unsubscribe_url: 'https://a.example/u' };
  const mail = mailHtml({ subject: 'a', lines: [], action: { label: 'Open', path: '/' } }, footer);
  const used = [...mail.matchAll(/#[0-9a-f]{6}\b/g)].map(([color]) => color);
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((color) => !known.includes(color))).toEqual([]);
});
