import { html } from 'hono/html';
import { assets } from './assets.ts';

type Html = ReturnType<typeof html>;
type Part = Html | Promise<Html> | string | null;

/** Its rules would be inline styles, which the content security policy forbids. That policy also forbids eval. */
const htmxConfig = JSON.stringify({ includeIndicatorCSS: false });

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
