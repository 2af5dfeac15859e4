import { html } from 'hono/html';
import { assets } from './assets.ts';

type Html = ReturnType<typeof html>;
type Part = Html | Promise<Html> | string | null;

/**
 * The rules of htmx would be inline styles, which the content security policy forbids. That policy also forbids eval. An error page never
 * replaces a part of a page.
 */
const htmxConfig = JSON.stringify({ includeIndicatorCSS: false, noSwap: [204, 304, '4xx', '5xx'] });

/** Returns the tags with which chats and social networks show a link to a page, with the picture of Tidemark. They need whole addresses. */
export function linkPreview(title: string, description: string, baseUrl: string) {
  return html`${textPreview(title, description, 'website')}
<meta property="og:site_name" content="Tidemark">
<meta property="og:image" content="${baseUrl}${assets.open_graph}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="Tidemark: public social data, in your spreadsheet">
<meta name="twitter:card" content="summary_large_image">`;
}

/** Returns the tags of a link that is shown as text only, such as a report of a workspace, which does not name Tidemark. */
export function textPreview(title: string, description: string, type: 'website' | 'article') {
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="${type}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">`;
}

/** Returns a complete HTML page. `head` is added to its head, `kind` is the class of the body. */
export function documentPage(
  title: string,
  body: Part,
  { head = null, kind = '' }: { head?: Part; kind?: string } = {},
) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tidemark</title>
<link rel="icon" type="image/svg+xml" href="${assets.favicon}">
<link rel="preload" as="font" type="font/woff2" href="${assets.latin}" crossorigin>
<link rel="stylesheet" href="${assets.style}">
<meta name="htmx-config" content="${htmxConfig}">
<script src="${assets.htmx}" defer></script>
<script src="${assets.page}" defer></script>${head}
</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to content</a>
${body}
</body>
</html>`;
}
