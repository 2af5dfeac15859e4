import { html } from 'hono/html';

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
 * Returns the htmx attributes that refresh an element from a page regularly. Ticked boxes and the focus do not change.
 * The refreshing ends when the page returns the element without these attributes. No refresh starts while a search of
 * the page waits for its answer, and a search aborts a refresh, so that older rows never replace newer ones.
 */
export function liveAttributes({ id, path, also = [], every_ms = 2_000 }: Live) {
  const others = also.map((name) => `#${name}:outerMorph`).join(',');
  const oob = others === '' ? null : html` data-hx-select-oob="${others}"`;
  return html` data-hx-get="${path}" data-hx-trigger="every ${every_ms}ms" data-hx-select="#${id}" data-hx-swap="outerMorph" data-hx-sync="#content:drop"${oob}`;
}
