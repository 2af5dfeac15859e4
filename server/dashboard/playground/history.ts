import { html } from 'hono/html';
import type { Piece } from '../ui/components.ts';
import type { Visitor } from '../ui/visitor.ts';
import { fieldName, type PlayCall } from './routes.ts';

/** A request that was sent in the playground, as the browser stores it. The entry contains no API key and no answer. */
export interface HistoryEntry {
  /** Path of the playground page with the values of this request in its form. Opening the page sends nothing. */
  path: string;
  /** The request in words, such as `/v1/photo/profile handle=nasa`. */
  request: string;
  status: number;
  /** Credits that the request cost. Null when it is unknown whether the request was charged. */
  credits: number | null;
  milliseconds: number;
}

/** Returns the path of the playground page whose form contains the values of an API call. */
export function playgroundPath({ route, values }: PlayCall): string {
  const fields = Map.groupBy(values, ([name]) => name);
  const query = new URLSearchParams({ route: route.path });
  for (const [name, pairs] of fields) query.set(fieldName(name), pairs.map(([, value]) => value).join('\n'));
  return `/dashboard/playground?${query}`;
}

interface Answered {
  status: number;
  headers: Headers;
  duration_ms: number;
}

/** Returns the charged credits of an API answer. Null when it is not known whether the request was charged. */
export function creditsIn(headers: Headers): number | null {
  const charged = headers.get('x-credits-charged');
  return charged === null ? null : Number(charged);
}

/** Returns the history entry for an API request that was answered. */
export function historyEntry(call: PlayCall, { status, headers, duration_ms }: Answered): HistoryEntry {
  return {
    path: playgroundPath(call),
    request: [call.route.path, ...call.values.map(([name, value]) => `${name}=${value}`)].join(' '),
    status,
    credits: creditsIn(headers),
    milliseconds: Math.round(duration_ms),
  };
}

/**
 * Returns the empty card for the last requests. The requests are stored in the browser (docs/adr/0126), so the page's
 * script fills and shows the card.
 */
export function historyPiece({ workspace_id }: Pick<Visitor, 'workspace_id'>): Piece {
  return html`<section class="card" data-history="${workspace_id}" hidden><h2>Last requests</h2><ol class="history"></ol>
<p class="hint">Kept in this browser until you sign out. A link fills in the form and sends nothing.</p><button type="button" class="quiet">Clear</button></section>`;
}
