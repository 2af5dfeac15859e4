import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { html } from 'hono/html';
import { count, type Piece, shortCount } from '../components.ts';

/**
 * Returns a small line chart without axes, for a table. Returns a dash for fewer than two known values. The label for
 * screen readers names the first and the last known value.
 */
export function sparkline(values: readonly (number | null)[]): Piece {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return html`<span class="hint">–</span>`;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const y = low === high ? () => 14 : scaleLinear([low, high], [26, 2]);
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => (index * 100) / (values.length - 1))
    .y((value) => y(value ?? 0))
    .digits(1);
  return html`<svg class="sparkline" viewBox="0 0 100 28" preserveAspectRatio="none" role="img" aria-label="from ${count(known[0])} to ${count(known.at(-1))}"><path d="${path(values) ?? ''}"/></svg>`;
}

/** Returns a list with a name, a number and a bar for each entry. The caller sorts the entries. */
export function rankedBars(entries: readonly { label: Piece; value: number; shown?: Piece }[]): Piece {
  const most = Math.max(1, ...entries.map(({ value }) => value));
  return html`<ol class="ranked">${entries.map(
    ({ label, value, shown }) =>
      html`<li><span>${label}</span><b>${shown ?? html`<span title="${count(value)}">${shortCount(value)}</span>`}</b><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="6" rx="1"/><rect width="${Math.round((Math.max(0, value) * 1000) / most) / 10}" height="6" rx="1"/></svg></li>`,
  )}</ol>`;
}
