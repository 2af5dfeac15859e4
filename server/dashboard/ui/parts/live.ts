import { html } from 'hono/html';

interface Live {
  /** HTML id of the element. */
  id: string;
  /** The page that has the element with its newest content. */
  path: string;
  /** Ids of other elements of that page that are refreshed together with this one. Ticked boxes and the focus in them do not change. */
  also?: readonly string[];
  every_ms?: number;
}

/** Returns the attributes with which an element is refreshed from a page, until the page returns the element without these attributes. */
export function liveAttributes({ id, path, also = [], every_ms = 2_000 }: Live) {
  const others = also.map((name) => `#${name}:outerMorph`).join(',');
  const oob = others === '' ? null : html` data-hx-select-oob="${others}"`;
  return html` data-hx-get="${path}" data-hx-trigger="every ${every_ms}ms" data-hx-select="#${id}" data-hx-swap="outerHTML"${oob}`;
}
