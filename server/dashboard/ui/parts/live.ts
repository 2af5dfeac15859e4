import { html } from 'hono/html';
import { minuteMs } from '../../../../db/durations.ts';

/** Milliseconds after the due time of a message during which a page looks for its result. */
const lookedForMs = 2 * minuteMs;
/** Milliseconds after now at which a message is due again while it is being sent. */
const sendingMs = 5 * minuteMs;

/** Returns true when a message is due or being sent, so that its result comes soon. */
export function isDue(dueAt: Date, now: Date): boolean {
  const late = now.getTime() - dueAt.getTime();
  return late < lookedForMs && late >= -sendingMs;
}

interface Live {
  /** HTML id of the element that is refreshed. */
  id: string;
  /** Path of the page that contains the element with its newest content. */
  path: string;
  /**
   * Ids of other elements of this page that are refreshed at the same time.
   */
  also?: readonly string[];
  every_ms?: number;
}

/**
 * Returns the htmx attributes that refresh an element every `every_ms` milliseconds from a page. Ticked boxes and the
 * focus do not change. Refreshing ends when the page returns the element without these attributes. No refresh starts
 * while a search on the page waits for its answer, and a search aborts a refresh, so that older rows never replace
 * newer ones.
 */
export function liveAttributes({ id, path, also = [], every_ms = 2_000 }: Live) {
  const others = also.map((name) => `#${name}:outerMorph`).join(',');
  const oob = others === '' ? null : html` data-hx-select-oob="${others}"`;
  return html` data-hx-get="${path}" data-hx-trigger="every ${every_ms}ms" data-hx-select="#${id}" data-hx-swap="outerMorph" data-hx-sync="#content:drop"${oob}`;
}
