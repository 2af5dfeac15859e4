import { html, raw } from 'hono/html';
import { documentPage, linkPreview } from '../design/document.ts';
import { logo } from '../design/icons.ts';

export type Html = ReturnType<typeof html>;

const menu = [
  ['/docs', 'Start here'],
  ['/docs/api', 'API reference'],
  ['/docs/guides', 'Guides'],
  ['/docs/recipes', 'Recipes'],
  ['/docs/errors', 'Errors'],
  ['/addon', 'Get the add-on'],
  ['/docs/changelog', 'Changelog'],
  ['/status', 'Status'],
  ['/dashboard', 'Dashboard'],
] as const;

interface LayoutOptions {
  /** A list of links beside the content, or below the content on a narrow screen. */
  side?: Html | Promise<Html>;
  /** The path at which this page is served as Markdown. */
  markdown?: string;
  /** The text that chats and social networks show beside a link to this page. */
  preview?: { description: string; base_url: string };
}

/** Returns a page of the documentation, which works without JavaScript. `here` is the path of the page. */
export function layout(
  title: string,
  here: string,
  content: Html | Promise<Html>,
  { side, markdown, preview }: LayoutOptions = {},
): Html | Promise<Html> {
  const current =
    menu.find(([path]) => path === here)?.[0] ??
    (here.startsWith('/docs/api/') ? '/docs/api' : here === '/docs/start' ? '/docs' : side ? '/docs/guides' : null);
  const links = menu.map(
    ([path, name]) => html`<a href="${path}"${path === current ? raw(' aria-current="page"') : ''}>${name}</a>`,
  );
  const body = html`<header class="bar"><a class="brand" href="/">${logo()}Tidemark</a><nav aria-label="Documentation">${links}</nav>
<form class="search" action="/docs/search" role="search" aria-label="Documentation"><input type="search" name="q" placeholder="Search" aria-label="Search" aria-keyshortcuts="/" maxlength="100" data-search></form></header>
<div class="${side ? 'page with-side' : 'page'}"><main id="content">${content}${markdown ? html`<p class="hint end"><a href="${markdown}">This page as Markdown</a></p>` : ''}</main>${side ?? ''}</div>
<footer class="foot"><span>Tidemark</span><a href="/privacy">Privacy</a><a href="/terms">Terms</a></footer>`;
  const head = html`${preview ? linkPreview(title, preview.description, preview.base_url) : ''}<link rel="stylesheet" href="/docs/style.css">${markdown ? html`<link rel="alternate" type="text/markdown" href="${markdown}">` : ''}`;
  return documentPage(title, body, { kind: 'docs', head });
}
