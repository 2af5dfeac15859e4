import { html, raw } from 'hono/html';
import type { ReportBrand } from '../../../db/campaigns/report-brands.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import type { Piece } from '../ui/components.ts';
import { formatDays, reportTitle } from './figures.ts';

/** Returns the title of a report with the logo and color of the workspace. In print, this title is the cover page. */
export function brandHead(report: Report, { logo, color }: ReportBrand): Piece {
  // Draws the colored band as an SVG, because the Content-Security-Policy forbids style attributes.
  const band = color
    ? html`<svg class="band" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 1 1"><rect width="1" height="1" fill="${color}"/></svg>`
    : null;
  return html`<header class="cover">${band}${logo ? html`<img class="logo" src="${raw(logo)}" alt="">` : null}
<h1><bdi>${reportTitle(report)}</bdi></h1>
<p class="cover-period">${formatDays(report.period_start, report.period_end)}</p></header>`;
}

export function brandFooter({ footer }: ReportBrand): Piece {
  return footer ? html`<footer class="brand-footer"><p><bdi>${footer}</bdi></p></footer>` : null;
}
