import { html } from 'hono/html';
import type { FailedImport, FailingItem, Overview, WaitingBatch } from '../../../db/workspace-data/overview.ts';
import { itemName, outcomeLabel } from '../tracking/labels.ts';
import { count, type Piece } from '../ui/components.ts';
import type { ListRow } from '../ui/parts/blocks.ts';
import { ago } from '../ui/parts/numbers.ts';
import { ownerStep } from '../ui/parts/owner-step.ts';
import { kindName } from '../ui/platform-names.ts';
import type { Visitor } from '../ui/visitor.ts';

/**
 * Number of credits below which the overview shows a warning, in a workspace without a low-balance alert of its own.
 */
const fewCredits = 20;

interface Facts {
  overview: Overview;
  failing: readonly FailingItem[];
  imports: readonly FailedImport[];
  batches: readonly WaitingBatch[];
  visitor: Visitor;
  now: Date;
}

/**
 * Returns a row for each problem that stops work of the workspace, for the overview. A sample workspace has no rows for
 * a low balance or a pause.
 */
export function attentionOf({ overview, failing, imports, batches, visitor, now }: Facts): ListRow[] {
  const failed = [
    ...imports.map(({ import_id, label, message, finished_at }) => ({
      icon: 'circle-x' as const,
      text: html`<a href="/dashboard/imports/${import_id}">Sheet import <bdi>${label}</bdi></a> failed. ${message}`,
      end: ago(finished_at, now),
    })),
    ...failing.map((item) => ({
      icon: 'circle-x' as const,
      text: html`<a href="/dashboard/tracking/${item.item_id}">${kindName(item)} <bdi>${itemName(item)}</bdi></a>: ${outcomeLabel(item.outcome)}`,
      end: ago(item.attempted_at, now),
    })),
  ];
  const waiting = [
    ...(visitor.sample ? [] : balanceLines(overview, visitor)),
    ...(visitor.paused && !visitor.sample
      ? [html`Checks, analyses and imports are paused. ${ownerStep(visitor, 'pause')}`]
      : []),
    ...batches.map(
      ({ batch_id, name, waiting_for, import_id }) =>
        html`<a href="/dashboard/${import_id === null ? `batches/${batch_id}` : `imports/${import_id}`}">${import_id === null ? 'Bulk analysis' : 'Sheet import'} <bdi>${name ?? ''}</bdi></a> is waiting${waiting_for ? `: ${waitingReasons[waiting_for]}` : null}.`,
    ),
  ];
  return [...waiting.map(warned), ...failed, ...moreLines(overview, failing).map(warned)];
}

const warned = (text: Piece): ListRow => ({ icon: 'circle-alert', text });

const waitingReasons = {
  PAUSED: 'checks, analyses and imports are paused',
  CAP_REACHED: 'the monthly cap is reached',
  INSUFFICIENT_CREDITS: 'you do not have enough credits',
  IMPORT_PAUSED: 'the import is paused',
  IMPORT_CAP_REACHED: 'the monthly cap of the import is reached',
} as const;

function balanceLines({ low_balance_alert, monthly_cap, scheduled_credits }: Overview, visitor: Visitor): Piece[] {
  const { balance } = visitor;
  const lines: Piece[] = [];
  const low = balance < (low_balance_alert ?? fewCredits);
  if (low) lines.push(html`Your balance is low: ${count(balance)} credits. ${ownerStep(visitor, 'credits')}`);
  if (monthly_cap !== null && scheduled_credits >= monthly_cap)
    lines.push(
      html`Your monthly cap of ${count(monthly_cap)} credits is reached. Tracking, bulk analyses and sheet imports continue on the 1st (UTC). ${ownerStep(visitor, 'cap')}`,
    );
  return lines;
}

function moreLines({ items_paused, items_changed }: Overview, failing: readonly FailingItem[]): Piece[] {
  const more = (failing[0]?.failing ?? 0) - failing.length;
  const line = (state: string, number: number, one: string, many: string): Piece[] =>
    number > 0
      ? [html`<a href="/dashboard/tracking?state=${state}">${count(number)} ${number === 1 ? one : many}</a>`]
      : [];
  return [
    ...line('failing', more, 'more item failed its last check', 'more items failed their last check'),
    ...line(
      'changed',
      items_changed,
      'tracked handle now belongs to another account',
      'tracked handles now belong to another account',
    ),
    ...line('paused', items_paused, 'tracked item is paused', 'tracked items are paused'),
  ];
}
