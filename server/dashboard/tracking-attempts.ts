import { html, raw } from 'hono/html';
import type { Attempt } from '../../db/tracked-pages.ts';
import { outcomeWords } from './tracking-words.ts';
import { count, type Piece, table, time } from './ui.ts';

export const attempts_a_page = 20;

/** What was attempted, newest first, with a way to what is older. */
export function attemptLog(item_id: string, attempts: readonly Attempt[]): Piece {
  if (attempts.length === 0) return html`<p>Nothing was attempted yet.</p>`;
  const shown = attempts.slice(0, attempts_a_page);
  const number = (heading: string) => ({ heading, number: true });
  const columns = ['When (UTC)', 'Asked by', 'Outcome', number('Credits'), number('Took')];
  const rows = shown.map((attempt) => [
    time(attempt.attempted_at),
    attempt.trigger === 'manual' ? 'a person' : 'the schedule',
    outcomeCell(attempt),
    count(attempt.credits),
    attempt.duration_ms === null ? '–' : `${count(attempt.duration_ms)} ms`,
  ]);
  const last = shown.at(-1);
  const older =
    last && attempts.length > attempts_a_page
      ? html`<p><a href="/dashboard/tracking/${item_id}?before=${last.attempt_id}">Older</a></p>`
      : null;
  return html`${table('Attempts at this item', columns, rows)}${older}`;
}

function outcomeCell({ outcome, message }: Attempt): Piece {
  const words = html`<span class="${raw(outcome === 'OK' ? 'said' : 'said error')}">${outcomeWords(outcome)}</span>`;
  return html`${words}${outcome === 'OK' ? null : html` <code>${outcome}</code>`}${saysMore(message, outcome) ? html`<br><span class="hint">${message}</span>` : null}`;
}

/** Many messages are the words of their outcome over again. */
function saysMore(message: string | null, outcome: string): boolean {
  return message !== null && message.toLowerCase().replace(/\.$/, '') !== outcomeWords(outcome);
}
