import { describe, expect, test } from 'vitest';
import { barChart, type ChartPoint, chartTable, lineChart } from '../../../server/dashboard/ui/chart.ts';

const days = (values: readonly (number | null)[]): ChartPoint[] =>
  values.map((value, index) => ({ label: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10), value }));
const drawn = async (values: readonly (number | null)[], draw = lineChart, title = 'Followers') =>
  String(await draw({ id: 'a', title, points: days(values) }));
const path = (picture: string, name: string) =>
  new RegExp(`<path class="${name}" d="([^"]*)"`).exec(picture)?.[1] ?? '';
const count = (text: string, part: string) => text.split(part).length - 1;
const ticks = (picture: string) =>
  [...(picture.split('<svg')[0] ?? '').matchAll(/<span>([^<]*)</g)].map((found) => found[1]);

describe('a line chart', () => {
  test('a line chart has a gap and a grey band for a missing day, and no 0', async () => {
    const picture = await drawn([5, 6, null, 7, 8]);
    const line = path(picture, 'line');
    expect([count(line, 'M'), count(line, 'L')]).toEqual([2, 2]);
    expect(count(path(picture, 'gap'), 'M')).toBe(1);
    expect(path(picture, 'dots')).not.toContain('500 ');
    expect(picture).toContain('1 of 5 values are unknown');
    expect(ticks(picture)).not.toContain('0');
  });

  test('a line chart draws an observed 0 at the bottom', async () => {
    const picture = await drawn([0, 4]);
    expect(path(picture, 'line')).toMatch(/^M250 200L/);
    expect(picture).not.toContain('class="gap"');
  });

  test('a line chart marks rounded numbers with squares and explains them', async () => {
    const points = days([1_000, 1_100]).map((point) => ({ ...point, rounded: true }));
    const picture = String(await lineChart({ id: 'a', title: 'Followers', points }));
    expect(count(path(picture, 'squares'), 'h0')).toBe(2);
    expect(path(picture, 'dots')).toBe('');
    expect(picture).toContain('squares: rounded by the platform');
  });

  test('a line chart shows a single observation between two gaps as a dot', async () => {
    const picture = await drawn(Array.from({ length: 365 }, (_, index) => (index === 100 ? 7 : null)));
    expect(count(path(picture, 'dots'), 'h0')).toBe(1);
  });

  test('a line chart has a name, a description and no inline style', async () => {
    const picture = await drawn([10, 20]);
    expect(picture).toMatch(/role="img" aria-labelledby="a-title a-desc"/);
    expect(picture).toContain('10 on 2026-01-01, 20 on 2026-01-02; lowest 10, highest 20.');
    expect(picture).not.toMatch(/\sstyle=/);
  });

  test('a line chart without data shows a message instead of an empty drawing', async () => {
    const picture = await drawn([null, null]);
    expect(picture).toContain('No data for this period');
    expect(picture).not.toContain('<svg');
  });

  test('a line chart escapes a hostile title', async () => {
    expect(await drawn([1], lineChart, '<script>"')).not.toContain('<script>');
  });

  test.each([
    [
      [0, 1],
      ['1', '0'],
    ],
    [
      [7, 7],
      ['8', '7', '6'],
    ],
    [
      [1_000, 1_090],
      ['1.1K', '1.05K', '1K'],
    ],
    [
      [1_234_500, 1_234_900],
      ['1,234,900', '1,234,800', '1,234,700', '1,234,600', '1,234,500'],
    ],
    [
      [0, 4_000_000],
      ['4M', '3M', '2M', '1M', '0'],
    ],
  ])('a line chart of %j has a few whole axis labels that all differ', async (values, expected) => {
    expect(ticks(await drawn(values))).toEqual(expected);
  });

  test('a line chart of any range has 2 to 5 axis labels', async () => {
    for (let range = 1; range < 1e15; range *= 1.7) {
      const labels = ticks(await drawn([Math.round(range / 3), Math.round(range * 1.31)]));
      expect(labels.length).toBeGreaterThanOrEqual(2);
      expect(labels.length).toBeLessThanOrEqual(5);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });
});

describe('a bar chart', () => {
  test('a bar chart has no bar for 0, a grey band for an unknown value, and starts at 0', async () => {
    const picture = await drawn([3, 0, null, 9], barChart);
    expect(count(path(picture, 'bars'), 'M')).toBe(2);
    expect(count(path(picture, 'gap'), 'M')).toBe(1);
    expect(ticks(picture).at(-1)).toBe('0');
  });
});

describe('the table behind a chart', () => {
  test('the chart table shows an unknown value as a dash with its cause, and marks rounded values', async () => {
    const points = [
      { label: '2026-01-01', value: 1_200, rounded: true },
      { label: '2026-01-02', value: null, note: 'source timeout' },
    ];
    const shown = String(await chartTable({ id: 'a', title: 'Followers', points }));
    expect(shown.replace(/<[^>]+>/g, ' ')).toMatch(/2026-01-02\s+–\s+source timeout\s+2026-01-01\s+1,200\s+rounded/);
  });
});
