import { html, raw } from 'hono/html';
import { tiers } from '../../../pipeline/tiers.ts';
import type { Html } from '../../docs/layout.ts';
import { count, type Piece } from './components.ts';
import { may } from './rules.ts';
import type { MenuEntry } from './section.ts';
import type { Visitor } from './visitor.ts';
import { workspaceSwitcher } from './workspace-switcher.ts';

/** Returns a complete HTML document. */
function document(title: string, head: Piece, body: Html | Promise<Html>): Html | Promise<Html> {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tidemark</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/dashboard/style.css">
<script src="/dashboard/page.js" defer></script>${head}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${body}
</body>
</html>`;
}

export interface DashboardPage {
  title: string;
  menu: readonly MenuEntry[];
  /** The path of the page. The menu highlights the entry that this path belongs to. */
  path: string;
  visitor: Visitor;
  notice: Piece;
  content: Html | Promise<Html>;
}

/** Returns a page for a signed-in user, with the menu and the balance. */
export function dashboardPage({
  title,
  menu,
  path: here,
  visitor,
  notice,
  content,
}: DashboardPage): Html | Promise<Html> {
  const current = menu.findLast(({ path }) => here === path || (path !== '/dashboard' && here.startsWith(`${path}/`)));
  const body = html`<header class="bar"><a class="brand" href="/dashboard">Tidemark</a>
${workspaceSwitcher(visitor)}<p class="balance" id="balance"><a href="/dashboard/credits"><b>${count(visitor.balance)}</b> credits</a> <span class="tag plain">${tiers[visitor.tier].name}</span></p>
<form method="post" action="/sign-out"><button class="link" title="${visitor.email}">Sign out</button></form></header>
<nav class="areas" aria-label="Dashboard">${menu
    .filter(({ path }) => may(visitor, 'GET', path))
    .map(
      ({ path, label }) =>
        html`<a href="${path}"${path === current?.path ? raw(' aria-current="page"') : ''}>${label}</a>`,
    )}<a href="/docs">Docs</a></nav>
<main id="content">${visitor.paused ? html`<p class="notice warn">All scheduled work of this workspace is paused. <a href="/dashboard/settings">Resume in settings</a></p>` : null}
${notice}<h1>${title}</h1>${content}</main>`;
  return document(title, null, body);
}

/** Returns a page that needs no sign-in, such as the landing page, the prices and a shared report. */
export function publicPage(title: string, content: Html | Promise<Html>, wide = false): Html | Promise<Html> {
  const body = html`<header class="bar"><a class="brand" href="/">Tidemark</a>
<nav aria-label="Site"><a href="/addon">Add-on</a><a href="/prices">Prices</a><a href="/docs">Docs</a><a href="/v1/status">Status</a><a href="/dashboard">Dashboard</a></nav></header>
<main id="content" class="${wide ? 'wide' : 'narrow'}">${content}</main>`;
  return document(title, null, body);
}

/** Returns a page without a menu, for printing. */
export function printPage(title: string, content: Html | Promise<Html>): Html | Promise<Html> {
  return document(title, null, html`<main id="content" class="print">${content}</main>`);
}
