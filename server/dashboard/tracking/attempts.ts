import { html, raw } from 'hono/html';
import type { Attempt } from '../../../db/tracking/tracked-pages.ts';
import { count, type Piece, table, time } from '../ui/components.ts';
import { outcomeLabel } from './labels.ts';

export const attemptsAPage = 20;

/** Returns the log of the checks of a tracked item, newest first, with a link to older checks. */
export function attemptLog(itemId: string, attempts: readonly Attempt[]): Piece {
  if (attempts.length === 0) return html`<p>No checks yet.</p>`;
  const shown = attempts.slice(0, attemptsAPage);
  const number = (heading: string) => ({ heading, number: true });
  const columns = [
    { heading: 'Time', time: true },
    'Started by',
    { heading: 'Result', long: true },
    number('Credits'),
    number('Duration'),
  ];
  const rows = shown.map((attempt) => [
    time(attempt.attempted_at),
    attempt.trigger === 'manual' ? 'a person' : 'the schedule',
    outcomeCell(attempt),
    count(attempt.credits),
    attempt.duration_ms === null ? '–' : `${count(attempt.duration_ms)} ms`,
  ]);
  const last = shown.at(-1);
  const older =
    last && attempts.length > attemptsAPage
      ? html`<p><a href="/dashboard/tracking/${itemId}?before=${last.attempt_id}">Older checks</a></p>`
      : null;
  return html`${table('Checks of this item', columns, rows, { as_cards: true })}${older}`;
}

function outcomeCell({ outcome, message }: Attempt): Piece {
  const label = html`<span class="${raw(outcome === 'OK' ? 'said' : 'said error')}">${outcomeLabel(outcome)}</span>`;
  return html`${label}${outcome === 'OK' ? null : html` <code>${outcome}</code>`}${addsToLabel(message, outcome) ? html`<br><span class="hint">${message}</span>` : null}`;
}

/**
 * Returns true when the message of a check says more than the label of its outcome. Many messages only repeat the
 * label.
 */
function addsToLabel(message: string | null, outcome: string): boolean {
  return message !== null && message.toLowerCase().replace(/\.$/, '') !== outcomeLabel(outcome);
}
