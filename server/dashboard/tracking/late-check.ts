import { html } from 'hono/html';
import type { Attempt, NotedItem } from '../../../db/tracking/tracked-pages.ts';
import type { Piece } from '../ui/components.ts';
import { awaitedIn, awaitedMessage } from '../ui/parts/awaited.ts';
import { checkNotices } from './changes.ts';

interface LateCheck {
  message: Piece;
  /** True when the check has ended, so that the whole page has new numbers. */
  ended: boolean;
}

/**
 * Returns the message about a manual check that took longer than the user's request: that it continues, or its result.
 * The page looks for the result by itself. Returns null when the user did not start such a check.
 */
export function lateCheck(
  { url, now }: { url: URL; now: Date },
  { attempt_id }: NotedItem,
  [newest]: readonly Attempt[],
): LateCheck | null {
  const awaited = awaitedIn(url, now);
  if (!awaited) return null;
  if (attempt_id === null) return newest ? { message: resultOf(newest), ended: true } : null;
  const message = awaitedMessage(awaited, {
    ...{ id: 'check', also: [], url },
    waiting:
      'The check takes longer than usual and continues in the background. This page shows the result when it ends.',
    late: ['The check has not ended yet and continues in the background.', 'in a few minutes.'],
  });
  return { message, ended: false };
}

function resultOf({ outcome }: Attempt): Piece {
  const name = outcome === 'OK' ? 'check-OK' : 'check-failed';
  return html`<p class="notice ${outcome === 'OK' ? 'good' : 'bad'}" id="check" role="status" data-announce>${checkNotices[name]}</p>`;
}
