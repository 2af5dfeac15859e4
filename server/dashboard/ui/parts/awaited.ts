import { html } from 'hono/html';
import { minuteMs } from '../../../../db/durations.ts';
import type { Piece } from '../components.ts';
import { liveAttributes } from './live.ts';

/** Milliseconds after an action during which a page looks for its result by itself. */
const refreshedMs = 3 * minuteMs;
/** Milliseconds after an action during which a page shows a message about it. */
const shownMs = 15 * minuteMs;

/** Returns the path of a page that looks for the result of an action, which the user has just started. */
export function awaitingPath(path: string, now: Date, query: Readonly<Record<string, string>> = {}): string {
  return `${path}?${new URLSearchParams({ ...query, since: String(now.getTime()) })}`;
}

interface AwaitedAction {
  /** The time at which the user started the action. */
  since: Date;
  /** True while the page looks for the result by itself. */
  refreshed: boolean;
}

/** Returns the action whose result a page with this URL shows. Null without an action in the last 15 minutes. */
export function awaitedIn({ searchParams }: URL, now: Date): AwaitedAction | null {
  const since = Number(searchParams.get('since'));
  const waited = now.getTime() - since;
  return waited >= 0 && waited < shownMs ? { since: new Date(since), refreshed: waited < refreshedMs } : null;
}

interface AwaitedMessage {
  /** HTML id of the message. */
  id: string;
  /** HTML ids of the other elements that change with the result. */
  also: readonly string[];
  url: URL;
  /** The message while the page looks for the result by itself. */
  waiting: string;
  /** The message afterwards, before and after the link that loads the page again. */
  late: readonly [before: string, after: string];
}

const everyMs = 3_000;

/**
 * Returns the message of a page that waits for the result of an action. The page refreshes the message for three
 * minutes. Afterwards, and without JavaScript, the user loads the page again with a link.
 */
export function awaitedMessage({ refreshed }: AwaitedAction, { id, also, url, waiting, late }: AwaitedMessage): Piece {
  const path = `${url.pathname}${url.search}`;
  if (!refreshed)
    return html`<p class="notice" id="${id}" role="status">${late[0]} <a href="${path}">Reload this page</a> ${late[1]}</p>`;
  const follow = liveAttributes({ id, path, also, every_ms: everyMs });
  return html`<p class="notice" id="${id}" role="status" data-announce${follow}>${waiting}${reloadLink(url)}</p>`;
}

/** Returns the link with which a user without JavaScript loads the page again to see a result. */
export function reloadLink({ pathname, search }: URL): Piece {
  return html`<noscript> <a href="${pathname}${search}">Reload this page</a> to see the result.</noscript>`;
}
