import type { Sql } from 'postgres';
import { addAudit } from '../../../db/accounts/audit.ts';
import { deviceName } from './device-name.ts';
import type { Audit, FormVisit, Page } from './section.ts';

/** Adds an entry about a successful form to the audit log of the workspace. Does nothing for a refused form. */
export async function auditForm(
  { db, now }: { db: { sql: Sql }; now: () => Date },
  audit: { action: Audit['action']; subject: string | null },
  visit: FormVisit,
  result: Page | Response,
): Promise<void> {
  if ((result.status ?? 200) >= 400) return;
  const action = typeof audit.action === 'string' ? audit.action : audit.action(visit);
  if (action === null) return;
  const { visitor, address, request } = visit;
  const device = deviceName(request.headers.get('user-agent'));
  await addAudit(
    db.sql,
    visitor.workspace_id,
    { actor: visitor.email, action, subject: audit.subject, address, device },
    now(),
  );
}
