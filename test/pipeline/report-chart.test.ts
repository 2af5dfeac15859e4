import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chartSvg, descriptionOf } from '../../pipeline/report-chart.ts';
import type { Series } from '../../pipeline/report-series.ts';
import { utc } from './report-data.ts';

const monday = utc('2026-11-09T00:00:00').getTime();
const day_ms = 86_400_000;

function series(values: (number | null)[], quality: 'exact' | 'rounded' = 'exact', more: Partial<Series> = {}): Series {
  const points = values.map((value, index) => ({
    at: monday + index * day_ms,
    value,
    items: value === null ? 0 : 1,
    items_missing: value === null ? 1 : 0,
    quality: value === null ? null : quality,
  }));
  return { platform: 'photo', metric: 'likes', step: 'day', points, ...more };
}

/** The paths of the line marks: one begins at each M. */
function lineOf(svg: string): string {
  const path = /<g class="mark-line[^>]*>.*?<path[^>]* d="([^"]*)"/.exec(svg)?.[1];
  if (path === undefined) throw new Error('the chart has no line');
  return path;
}

const warnings = vi.fn();
beforeEach(() => {
  for (const method of ['warn', 'error', 'log'] as const) vi.spyOn(console, method).mockImplementation(warnings);
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(warnings).not.toHaveBeenCalled();
});

describe('a chart', () => {
  test('leaves gaps open: the line ends before and begins anew after', async () => {
    expect(lineOf(await chartSvg(series([1, 2, 3, 4, 5]))).match(/M/g)).toHaveLength(1);
    const svg = await chartSvg(series([1, 2, null, null, 5, 6, 7]));
    expect(lineOf(svg).match(/M/g)).toHaveLength(2);
    expect(svg.match(/<g class="mark-symbol[^>]*>.*?<\/g>/)?.[0].match(/<path/g)).toHaveLength(5);
    expect(svg).toContain('grey: not known');
  });

  test('draws rounded counts as dashed steps with squares, exact ones as a plain line with dots: no colour is needed', async () => {
    const corners = (path: string) => [...path.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [x, y]);
    const rounded = await chartSvg(series([1_000, 1_000, 2_000], 'rounded'));
    const steps = corners(lineOf(rounded));
    expect(steps.length).toBeGreaterThan(3);
    for (const [index, [x, y]] of steps.entries()) {
      const before = steps[index - 1];
      if (before) expect(x === before[0] || y === before[1]).toBe(true);
    }
    expect(rounded).toContain('stroke-dasharray="4,2"');
    expect(rounded).toContain('dashed steps: rounded counts');
    const exact = await chartSvg(series([1_000, 1_000, 2_000]));
    expect(exact).not.toContain('stroke-dasharray');
    expect(corners(lineOf(exact))).toHaveLength(3);
    for (const svg of [rounded, exact]) {
      const colours = new Set([...svg.matchAll(/(?:fill|stroke)="(#[0-9a-f]+)"/g)].map(([, colour]) => colour));
      for (const colour of colours) expect(colour).toMatch(/^#([0-9a-f]{1,2})\1\1$/);
    }
  });

  test('names the first and the last count at their points', async () => {
    const svg = await chartSvg(series([1_234_567, 1_300_000, 1_400_001]));
    expect(svg).toContain('>1,234,567<');
    expect(svg).toContain('>1,400,001<');
  });

  test('has a title and a description for those who cannot see it', async () => {
    const svg = await chartSvg(series([10, null, 30], 'rounded', { platform: 'shortvideo', metric: 'total_views' }));
    const id = 'chart-shortvideo-total_views-day';
    expect(svg).toMatch(
      new RegExp(`^<svg [^>]*role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">`),
    );
    expect(svg).toContain(`<title id="${id}-title">Total views, short video, by day</title>`);
    expect(svg).toContain(
      `<desc id="${id}-desc">10 on 2026-11-09, 30 on 2026-11-11; lowest 10, highest 30. 1 of 3 days are not known. Counts are rounded by the source.</desc>`,
    );
    expect(descriptionOf(series([null, null]))).toBe('Not observed on any day.');
  });

  test('refers to nothing outside and holds no script', async () => {
    const svg = await chartSvg(series([1, 2, 3], 'exact', { platform: '<script>"&' }));
    expect(svg).not.toMatch(/href|url\(|<image|<script|<style|@import|onload/i);
    expect(svg.replaceAll(/ xmlns(?::xlink)?="[^"]+"/g, '')).not.toContain('http');
  });

  test('is the same text for the same series, also when several are drawn at once', async () => {
    const one = series([5, 6, null, 8]);
    const [first, ...others] = await Promise.all([one, one, series([1, 2]), one].map(chartSvg));
    expect(others[0]).toBe(first);
    expect(others[2]).toBe(first);
    expect(others[1]).not.toBe(first);
  });

  test.each<[string, Series]>([
    ['nothing known', series([null, null, null])],
    ['no points', series([])],
    ['one point', series([0])],
    ['the same count all the time', series([7, 7, 7])],
    [
      'a year of weeks',
      series(
        Array.from({ length: 53 }, (_, week) => week * 1_000),
        'exact',
        { step: 'week' },
      ),
    ],
    ['very large counts', series([9_007_199_254_740_000, 9_007_199_254_740_990])],
  ])('can be drawn of %s', async (_, of) => {
    const svg = await chartSvg(of);
    expect(svg).toMatch(/^<svg [\s\S]*<\/svg>$/);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });
});
