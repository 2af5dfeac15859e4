import { html, raw } from 'hono/html';

export type Html = ReturnType<typeof html>;

const menu = [
  ['/docs', 'Start'],
  ['/docs/api', 'Reference'],
  ['/docs/guides', 'Guides'],
  ['/docs/recipes', 'Recipes'],
  ['/docs/errors', 'Errors'],
  ['/addon', 'Add-on'],
  ['/docs/changelog', 'Changelog'],
  ['/v1/status', 'Status'],
  ['/dashboard', 'Dashboard'],
] as const;

export interface LayoutOptions {
  /** A list of links beside the content. On a narrow screen, it is below the content. */
  side?: Html | Promise<Html>;
  /** The path at which this page is served as Markdown. */
  markdown?: string;
}

/** Returns a page of the documentation, which works without JavaScript. `here` is the path of the page. */
export function layout(
  title: string,
  here: string,
  content: Html | Promise<Html>,
  { side, markdown }: LayoutOptions = {},
): Html | Promise<Html> {
  const current =
    menu.find(([path]) => path === here)?.[0] ??
    (here.startsWith('/docs/api/') ? '/docs/api' : here === '/docs/start' ? '/docs' : side ? '/docs/guides' : null);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tidemark</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/page.js" defer></script>${markdown ? html`<link rel="alternate" type="text/markdown" href="${markdown}">` : ''}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><a class="brand" href="/">Tidemark</a><nav aria-label="Documentation">${menu.map(
    ([path, name]) => html`<a href="${path}"${path === current ? raw(' aria-current="page"') : ''}>${name}</a>`,
  )}</nav><form class="search" action="/docs/search" role="search" aria-label="Documentation"><input type="search" name="q" placeholder="Search" aria-label="Search" maxlength="100"></form></header>
<div class="${side ? 'page with-side' : 'page'}"><main id="content">${content}${markdown ? html`<p class="hint end"><a href="${markdown}">This page as Markdown</a></p>` : ''}</main>${side ?? ''}</div>
</body>
</html>`;
}
