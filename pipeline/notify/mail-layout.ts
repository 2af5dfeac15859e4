interface Layout {
  /** The background of the heading, as #rrggbb. Default: no background. */
  color?: string | undefined;
  /** The HTML of the last line, below the card. */
  footer: string;
}

/**
 * Returns an HTML email with a heading and the given HTML parts. The email has inline styles, a light and a dark color
 * scheme, and no pictures or scripts.
 */
export function mailPage(heading: string, parts: readonly string[], { color, footer }: Layout): string {
  const band = color ? `;padding:20px 24px;background:${color};color:#ffffff;border-radius:6px` : '';
  const title = escapeHtml(heading);
  const content = [
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3;word-break:break-word${band}">${title}</h1>`,
    ...parts,
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${title}</title><style>${mailStyle}</style></head>
<body class="page" style="margin:0;padding:0"><main><table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px"><tr><td style="padding:0 24px 12px;font-weight:700">Tidemark</td></tr>
<tr><td class="card" style="padding:24px;border-radius:10px">${content.join('\n')}</td></tr>
<tr><td class="quiet" style="padding:16px 24px;font-size:12px">${footer}</td></tr></table>
</td></tr></table></main></body></html>`;
}

/**
 * The styles of HTML emails. Their colors are those of `addon/sidebar/design/tokens.css`, written as hexadecimal
 * numbers because mail programs do not support OKLCH colors and CSS variables.
 */
const mailStyle = `body,td{font-family:Inter,system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-size:15px;line-height:1.5}
.page{background:#f5f7f9;color:#1f242d}.card{background:#ffffff;border:1px solid #e0e3e7}.quiet{color:#565d67}a{color:#054eb1}
.button{background:#0b5ed0;color:#ffffff!important}.line{border-bottom:1px solid #e0e3e7}
@media (prefers-color-scheme:dark){.page{background:#171a1d;color:#e9ebef}.card{background:#202328;border-color:#393d45}.quiet{color:#acb1ba}a{color:#94c0fe}.button{background:#83b3f6;color:#101926!important}.line{border-color:#393d45}}`;

/** Returns a paragraph of text in which long words, such as URLs, may break. */
export function paragraph(text: string): string {
  return `<p style="margin:0 0 12px;word-break:break-word">${escapeHtml(text)}</p>`;
}

/** Returns a paragraph in small gray type. `html` is not escaped. */
export function quietLine(html: string): string {
  return `<p class="quiet" style="margin:0 0 12px;font-size:13px;word-break:break-word">${html}</p>`;
}

export function link(label: string, url: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
}

export function button(label: string, url: string): string {
  return `<p style="margin:20px 0 8px"><a class="button" href="${escapeHtml(url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;text-decoration:none;font-weight:600">${escapeHtml(label)}</a></p>`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
