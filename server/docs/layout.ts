import { html, raw } from 'hono/html';

export type Html = ReturnType<typeof html>;

const pages = [
  ['/docs', 'Reference'],
  ['/docs/errors', 'Errors'],
  ['/v1/status', 'Status'],
  ['/openapi.json', 'OpenAPI'],
] as const;

/** A page of the documentation: self-contained, readable without JavaScript. */
export function layout(title: string, here: string, content: Html | Promise<Html>): Html | Promise<Html> {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tidemark</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header><a class="brand" href="/docs">Tidemark</a><nav aria-label="Documentation">${pages.map(
    ([path, name]) => html`<a href="${path}"${path === here ? raw(' aria-current="page"') : ''}>${name}</a>`,
  )}</nav></header>
<main>${content}</main>
</body>
</html>`;
}
