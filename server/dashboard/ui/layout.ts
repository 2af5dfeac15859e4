import { html } from 'hono/html';
import { tiers } from '../../../pipeline/tiers.ts';
import { documentPage } from '../../design/document.ts';
import { icon, logo } from '../../design/icons.ts';
import type { Html } from '../../docs/layout.ts';
import { count, type Piece } from './components.ts';
import { currentEntry, navigation } from './navigation.ts';
import { avatar } from './parts/avatar.ts';
import { ownerStep } from './parts/owner-step.ts';
import { may } from './rules.ts';
import { sampleBanner } from './sample-banner.ts';
import type { MenuEntry, Page } from './section.ts';
import type { Visitor } from './visitor.ts';
import { workspaceSwitcher } from './workspace-switcher.ts';

interface DashboardPage extends Page {
  menu: readonly MenuEntry[];
  /** The path of the page. The menu highlights the entry that this path belongs to. */
  path: string;
  visitor: Visitor;
  notice: Piece;
}

/** Returns a page for a signed-in user, with the menu and the balance. */
export function dashboardPage(page: DashboardPage): Html | Promise<Html> {
  const { title, menu, path, visitor, notice, content } = page;
  const shownMenu = menu.filter((entry) => may(visitor, 'GET', entry.path));
  const body = html`<aside class="side" id="menu" popover><a class="brand" href="/dashboard">${logo()}Tidemark</a>
<button type="button" class="icon-only close" popovertarget="menu" popovertargetaction="hide" aria-label="Close menu">${icon('x')}</button>
${workspaceSwitcher(visitor)}${navigation(shownMenu, path)}</aside>
<header class="top"><button type="button" class="icon-only menu-button" popovertarget="menu" aria-label="Menu">${icon('menu')}</button>${crumbs(page)}
<div class="end"><p class="balance" id="balance"><a href="/dashboard/credits"><b>${count(visitor.balance)}</b> credits</a> <span class="tag" title="Tier of this workspace">${tiers[visitor.tier].name}</span></p>${userMenu(visitor)}</div></header>
<main id="content" data-workspace="${visitor.workspace_id}">${sampleBanner(visitor)}${visitor.paused && !visitor.sample ? html`<p class="notice warn">Checks, analyses and imports are paused. ${ownerStep(visitor, 'pause')}</p>` : null}
${notice}${pageHead({ ...page, title })}${content}</main>`;
  return documentPage(title, body, { kind: 'app' });
}

/** Returns the top of a dashboard page: its heading with its picture, facts and buttons. */
function pageHead({ title, picture = null, facts, actions }: Page): Piece {
  return html`<div class="page-head">${picture}<div><h1>${title}</h1>${facts ? html`<p class="facts">${facts}</p>` : null}</div>${actions ? html`<div class="actions">${actions}</div>` : null}</div>`;
}

function crumbs({ menu, path, crumbs: above = [] }: DashboardPage): Piece {
  const area = currentEntry(menu, path);
  const links = area && area.path !== path ? [[area.label, area.path] as const, ...above] : above;
  if (links.length === 0) return null;
  return html`<nav class="crumbs" aria-label="Breadcrumbs">${links.map(([label, to]) => html`<a href="${to}">${label}</a>`)}</nav>`;
}

function userMenu({ name, email }: Visitor): Piece {
  return html`<details class="menu"><summary>${avatar(name || email)}<span class="hidden">Your account</span></summary>
<div><p>${email}</p><a href="/dashboard/settings">${icon('settings')}Settings</a><form method="post" action="/sign-out"><button>${icon('log-out')}Sign out</button></form></div></details>`;
}

const siteLinks = html`<a href="/addon">Get the add-on</a><a href="/prices">Prices</a><a href="/docs">Docs</a><a href="/status">Status</a>`;

/** Returns a page that needs no sign-in, such as the landing page, the prices and a shared report. */
export function publicPage(
  title: string,
  content: Html | Promise<Html>,
  wide = false,
  head: Html | Promise<Html> | null = null,
): Html | Promise<Html> {
  const body = html`<header class="bar"><a class="brand" href="/">${logo()}Tidemark</a>
<nav aria-label="Site">${siteLinks}<a class="button quiet" href="/dashboard">Dashboard</a></nav></header>
<main id="content" class="${wide ? 'wide' : 'narrow'}">${content}</main>
<footer class="foot"><span>Tidemark</span><a href="/privacy">Privacy</a><a href="/terms">Terms</a></footer>`;
  return documentPage(title, body, { head });
}

/** Returns a page without a menu, for printing and for shared reports. */
export function printPage(
  title: string,
  content: Html | Promise<Html>,
  head: Html | Promise<Html> | null = null,
): Html | Promise<Html> {
  return documentPage(title, html`<main id="content" class="print">${content}</main>`, { head });
}
