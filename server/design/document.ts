import { html } from 'hono/html';
import { assets } from './assets.ts';

type Html = ReturnType<typeof html>;
type Part = Html | Promise<Html> | string | null;

/**
 * Settings of htmx. The content security policy forbids eval and inline styles, so htmx does not add its own style
 * rules. The body of an error response never replaces a part of a page. The buttons Back and Forward of the browser
 * reload the page, because the scripts of a page start only when it loads.
 */
const htmxConfig = JSON.stringify({ includeIndicatorCSS: false, noSwap: [204, 304, '4xx', '5xx'], history: 'reload' });

/**
 * Returns the meta tags that chats and social networks read to preview a link to a page, with a picture of Tidemark.
 * `baseUrl` makes the URL of the picture absolute, which these tags require.
 */
export function linkPreview(title: string, description: string, baseUrl: string) {
  return html`${textPreview(title, description, 'website')}
<meta property="og:site_name" content="Tidemark">
<meta property="og:image" content="${baseUrl}${assets.open_graph}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="Tidemark: public social data, in your spreadsheet">
<meta name="twitter:card" content="summary_large_image">`;
}

/**
 * Returns the meta tags for a link preview without a picture, such as for a shared report. The preview does not name
 * Tidemark, because a workspace sends the report.
 */
export function textPreview(title: string, description: string, type: 'website' | 'article') {
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="${type}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">`;
}

/** Returns a complete HTML page. `head` is added to the `head` element. `kind` is the class of the `body` element. */
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
