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
  [...(/<g class="y"[^>]*>(.*?)<\/g>/s.exec(picture)?.[1] ?? '').matchAll(/>([^<]*)<\/text/g)].map((found) => found[1]);

describe('a line chart', () => {
  test('a line chart has a gap and a gray band for a missing day, and no 0', async () => {
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
    expect(path(picture, 'line')).toMatch(/^M0,200L/);
    expect(picture).not.toContain('class="gap"');
  });

  test('a line chart goes from its left to its right end, with each date below its point', async () => {
    const picture = await drawn([1, 2, 3, 4, 5]);
    const marks = [...path(picture, 'dots').matchAll(/M([\d.]+) /g)].map((found) => Number(found[1]) / 10);
    const dates = /<g class="x"[^>]*>(.*?)<\/g>/s.exec(picture)?.[1] ?? '';
    expect(marks).toEqual([0, 25, 50, 75, 100]);
    expect([...dates.matchAll(/x="([\d.]+)%".*?text-anchor="(\w+)"/g)].map(([, x, anchor]) => [x, anchor])).toEqual([
      ['0', 'start'],
      ['25', 'middle'],
      ['50', 'middle'],
      ['75', 'middle'],
      ['100', 'end'],
    ]);
  });

  test('a line chart marks rounded numbers with squares and explains them', async () => {
    const points = days([1_000, 1_100]).map((point) => ({ ...point, rounded: true }));
    const picture = String(await lineChart({ id: 'a', title: 'Followers', points }));
    expect(count(path(picture, 'squares'), 'h0')).toBe(2);
    expect(path(picture, 'inside')).toBe(path(picture, 'squares'));
    expect(path(picture, 'dots')).toBe('');
    expect(picture).toContain('squares (≈): rounded by the platform');
    expect(picture).toContain('≈1,000 on 1 Jan 2026, ≈1,100 on 2 Jan 2026; lowest ≈1,000, highest ≈1,100.');
  });

  test('a line chart also explains the squares of a further line', async () => {
    const others = [{ name: 'Other', points: days([5, 6]).map((point) => ({ ...point, rounded: true })) }];
    const picture = String(await lineChart({ id: 'a', title: 'Followers', points: days([1, 2]), others }));
    expect(picture).toContain('squares (≈): rounded by the platform');
  });

  test('a line chart shows an observation between two gaps as a dot', async () => {
    const picture = await drawn(Array.from({ length: 365 }, (_, index) => (index === 100 || index > 363 ? 7 : null)));
    expect(count(path(picture, 'dots'), 'h0')).toBe(2);
  });

  test('a single observation is shown as its exact number, without a chart', async () => {
    const picture = await drawn([null, 2_520_817, null]);
    expect(picture).toContain('2,520,817');
    expect(picture).not.toContain('<svg');
  });

  test('the tooltip of a chart has the exact value of each point and the cause of a gap', async () => {
    const points = [...days([1_204_567, 1_204_999]), { label: '2026-01-03', value: null, note: 'paused' }];
    const picture = String(await lineChart({ id: 'a', title: 'Followers', points }));
    const data = /data-chart="([^"]*)"/.exec(picture)?.[1]?.replaceAll('&quot;', '"') ?? '';
    expect(JSON.parse(data).points).toEqual([
      ['1 Jan 2026', [1_204_567, '']],
      ['2 Jan 2026', [1_204_999, '']],
      ['3 Jan 2026', [null, 'paused']],
    ]);
  });

  test('a chart that compares several items has one line and one legend entry for each', async () => {
    const others = [{ name: 'Ben', points: days([4, 5]) }];
    const picture = String(await lineChart({ id: 'a', title: 'Followers', name: 'Ann', points: days([1, 2]), others }));
    expect(path(picture, 'line series-2')).toMatch(/^M/);
    expect(count(path(picture, 'dots series-2'), 'h0')).toBe(2);
    expect(picture.replace(/<[^>]+>/g, '')).toMatch(/Ann\s*Ben/);
  });

  test('a line chart has a name, a description and no inline style', async () => {
    const picture = await drawn([10, 20]);
    expect(picture).toMatch(/role="img" aria-labelledby="a-title a-desc"/);
    expect(picture).toContain('10 on 1 Jan 2026, 20 on 2 Jan 2026; lowest 10, highest 20.');
    expect(picture).not.toMatch(/\sstyle=/);
  });

  test('a line chart without data shows a message instead of an empty drawing', async () => {
    const picture = await drawn([null, null]);
    expect(picture).toContain('No data for this period');
    expect(picture).not.toContain('<svg');
  });

  test('a line chart escapes a hostile title', async () => {
    expect(await drawn([1, 2], lineChart, '<script>"')).not.toContain('<script>');
  });

  test.each([
    [
      [0, 1],
      ['0', '1'],
    ],
    [
      [7, 7],
      ['5', '6', '7', '8', '9'],
    ],
    [
      [1_000, 1_090],
      ['1K', '1.05K', '1.1K'],
    ],
    [
      [1_234_500, 1_234_900],
      ['1,234,500', '1,234,600', '1,234,700', '1,234,800', '1,234,900'],
    ],
    [
      [0, 4_000_000],
      ['0', '1M', '2M', '3M', '4M'],
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
  test('a bar chart has no bar for 0, a gray band for an unknown value, and starts at 0', async () => {
    const picture = await drawn([3, 0, null, 9], barChart);
    expect(count(path(picture, 'bars'), 'M')).toBe(2);
    expect(count(path(picture, 'gap'), 'M')).toBe(1);
    expect(ticks(picture)[0]).toBe('0');
    expect(path(picture, 'bars')).toMatch(/^M35 /);
  });

  test('a bar chart in which every value is 0 says so, instead of showing an empty drawing', async () => {
    const picture = await drawn([0, 0], barChart);
    expect(picture).toContain('All values are 0.');
    expect(picture).not.toContain('<svg');
    expect(await drawn([0, 0, null], barChart)).toContain('class="gap"');
  });
});

describe('the table behind a chart', () => {
  test('the chart table shows an unknown value as a dash with its cause, and marks rounded values', async () => {
    const points = [
      { label: '2026-01-01', value: 1_200, rounded: true },
      { label: '2026-01-02', value: null, note: 'source timeout' },
    ];
    const shown = String(await chartTable({ id: 'a', title: 'Followers', points }));
    expect(shown.replace(/<[^>]+>/g, ' ')).toMatch(
      /2 Jan 2026\s+–\s+source timeout\s+1 Jan 2026\s+≈1,200\s+rounded by the platform/,
    );
  });
});
