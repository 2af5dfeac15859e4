import { html } from 'hono/html';
import { dayMs } from '../../../db/durations.ts';
import type { Tier } from '../../../db/tier.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import { nextCheck } from '../tracking/labels.ts';
import type { ItemRow } from '../tracking/rows.ts';
import { count, type Piece } from '../ui/components.ts';
import { until } from '../ui/parts/numbers.ts';

/**
 * Returns a line that says how many tracked items were checked in the last 24 hours, how many of these checks failed,
 * and when the next check is due.
 */
export function checksLine(rows: readonly ItemRow[], tier: Tier, now: Date): Piece {
  const recent = rows.filter(({ item }) => item.noted_at !== null && item.noted_at.getTime() > now.getTime() - dayMs);
  const failed = recent.filter(({ item }) => item.outcome !== 'OK').length;
  const due = rows.flatMap(({ item }) => nextCheck(item, tier, now) ?? []).sort((a, b) => a.getTime() - b.getTime());
  const failedLink = html`<a href="/dashboard/tracking?state=failing">${quantity(failed, 'check')} failed</a>`;
  return html`<dl class="facts-list"><div><dt>Last 24 hours</dt><dd>new numbers of ${count(recent.length - failed)} of ${count(rows.length)} items${failed > 0 ? html`; ${failedLink}` : null}</dd></div>
<div><dt>Next check</dt><dd>${due[0] ? until(due[0], now) : 'none is scheduled'}</dd></div></dl>`;
}
