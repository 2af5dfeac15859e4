import { html } from 'hono/html';
import { listAudit } from '../../../db/accounts/audit.ts';
import { auditDays } from '../../../pipeline/jobs/cleanup.ts';
import type { SectionDeps } from '../deps.ts';
import { type Piece, table, time } from '../ui/components.ts';
import { idOf, type Page, type Section, type Visit } from '../ui/section.ts';

const pageRows = 100;
const path = '/dashboard/settings/audit';

/** Creates the page of the audit log: sign-ins, and changes to keys, settings and sessions. */
export function auditSection(deps: Pick<SectionDeps, 'db'>): Section {
  return { pages: { [path]: (visit) => auditPage(visit, deps) }, forms: {} };
}

const columns = [
  { heading: 'When', time: true },
  { heading: 'Who', wide: true },
  'Action',
  { heading: 'What', wide: true },
  'IP address',
  { heading: 'Device', wide: true },
];

/** Returns a table cell in which a long word breaks. */
const long = (text: string | null): Piece => html`<div class="address">${text ?? '–'}</div>`;

async function auditPage({ visitor, url }: Visit, { db }: Pick<SectionDeps, 'db'>): Promise<Page> {
  const older = url.searchParams.get('before');
  const page = { before: older === null ? null : idOf(older), limit: pageRows + 1 };
  const rows = await listAudit(db.sql, visitor.workspace_id, page);
  const cells = rows
    .slice(0, pageRows)
    .map(({ created_at, actor, action, subject, address, device }) => [
      time(created_at),
      actor,
      action,
      long(subject),
      address ?? '–',
      long(device),
    ]);
  const last = rows.length > pageRows ? rows[pageRows - 1] : undefined;
  const content = html`<p>Sign-ins and changes to keys, settings and sessions. Entries are kept for ${auditDays} days.</p>
${cells.length === 0 ? html`<p>No entries yet.</p>` : table('Audit log', columns, cells, { as_cards: true })}
${last ? html`<p><a href="${path}?before=${last.entry_id}">Older entries</a></p>` : null}
<p><a href="/dashboard/settings">Back to settings</a></p>`;
  return { title: 'Audit log', content };
}
