import { html } from 'hono/html';
import { type ReportBrand, readBrand, saveBrand } from '../../../db/campaigns/report-brands.ts';
import { isOneLine } from '../../../pipeline/parse/text.ts';
import type { CampaignPageDeps } from '../deps.ts';
import { card, field, notice, type Piece } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { type FormVisit, type Page, redirect, type Section, text, type Visit } from '../ui/section.ts';
import { contrastWithWhite, logoType, maxLogoBytes, minContrast } from './logo.ts';

const path = '/dashboard/branding';
const maxFooter = 200;
type BrandDeps = Pick<CampaignPageDeps, 'db' | 'now'>;

/** Creates the page on which a workspace chooses the logo, color and footer of its reports. */
export function brandingSection(deps: BrandDeps): Section {
  return {
    pages: { [path]: (visit) => brandingPage(visit, deps, null) },
    forms: { [path]: (visit) => save(visit, deps) },
    uploads: [path],
    notices: { 'brand-saved': 'Saved. All reports and share links show it from now on.' },
    audits: { [path]: { action: 'changed the look of reports' } },
  };
}

async function brandingPage({ visitor }: Visit, { db }: BrandDeps, failed: Failed | null): Promise<Page> {
  const stored = await readBrand(db.sql, visitor.workspace_id);
  const brand = { ...stored, ...failed?.typed };
  const content = html`${notice(failed?.problem ?? null, 'bad')}
<p class="no-print"><a href="/dashboard/campaigns">All campaigns</a></p>
${card('Look of your reports', [
  html`<p>Reports, share links and printed reports show your logo, color and footer.</p>`,
  brandForm(brand, stored.logo),
])}`;
  return { title: 'Report branding', content, status: failed ? 400 : 200 };
}

function brandForm({ color, footer }: Pick<ReportBrand, 'color' | 'footer'>, logo: string | null): Piece {
  return html`<form method="post" action="${path}" enctype="multipart/form-data">
${logo ? html`<p><img class="logo" src="${logo}" alt="Your logo"></p><label class="check"><input type="checkbox" name="remove_logo" value="yes"><span>Remove the logo</span></label>` : null}
${field('Logo', 'logo', { type: 'file', hint: `PNG, JPEG or WebP, at most ${maxLogoBytes / 1024} kB.` })}
${field('Color', 'color', { value: color ?? '', placeholder: '#0a5f73', maxlength: 7, hint: 'Optional, such as #0a5f73. White text must be readable on it.' })}
${field('Footer', 'footer', { value: footer ?? '', maxlength: maxFooter, hint: 'Optional, such as your name and website.' })}
<button>Save</button></form>`;
}

interface Failed {
  problem: Problem;
  typed: Pick<ReportBrand, 'color' | 'footer'>;
}

async function save(visit: FormVisit, deps: BrandDeps): Promise<Page | Response> {
  const { form, visitor } = visit;
  const typed = { color: text(form, 'color') || null, footer: text(form, 'footer') || null };
  const logo = form.has('remove_logo') ? null : await readLogo(form.get('logo'));
  const problem =
    colorProblem(typed.color) ?? footerProblem(typed.footer) ?? (logo === 'bad' ? at('logo', badLogo) : null);
  if (problem !== null || logo === 'bad')
    return brandingPage(visit, deps, { problem: problem ?? at('logo', badLogo), typed });
  await saveBrand(deps.db.sql, visitor.workspace_id, { ...typed, ...(logo === undefined ? {} : { logo }) }, deps.now());
  return redirect(path, 'brand-saved');
}

const badLogo = `The logo must be a PNG, JPEG or WebP file of at most ${maxLogoBytes / 1024} kB. Choose another file.`;

/**
 * Returns the chosen logo as a data URL. Returns undefined when no file was chosen, and `bad` when the file cannot be
 * used.
 */
async function readLogo(file: File | string | null): Promise<string | undefined | 'bad'> {
  if (file === null || typeof file === 'string' || file.size === 0) return undefined;
  if (file.size > maxLogoBytes) return 'bad';
  const bytes = new Uint8Array(await file.arrayBuffer());
  const type = logoType(bytes);
  return type === null ? 'bad' : `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

function colorProblem(color: string | null): Problem | null {
  if (color === null) return null;
  if (!/^#[0-9a-f]{6}$/i.test(color))
    return at('color', 'Write the color as # and six digits or letters, such as #0a5f73.');
  if (contrastWithWhite(color) >= minContrast) return null;
  return at('color', `White text is hard to read on ${color}. Choose a darker color.`);
}

function footerProblem(footer: string | null): Problem | null {
  if (footer === null || (footer.length <= maxFooter && isOneLine(footer))) return null;
  return at('footer', `The footer has at most ${maxFooter} characters on one line.`);
}
