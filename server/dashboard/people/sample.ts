import { chooseWorkspace } from '../../../db/accounts/team.ts';
import { deleteWorkspace } from '../../../db/workspace-data/deletion.ts';
import { giveSample } from '../../../pipeline/sample/workspace.ts';
import type { SectionDeps } from '../deps.ts';
import { samplePath } from '../ui/sample-banner.ts';
import { type FormVisit, PageNotFound, redirect, type Section } from '../ui/section.ts';

type SampleDeps = Pick<SectionDeps, 'db' | 'now'>;

/** Creates the forms that open and delete a sample workspace, which contains invented data. */
export function sampleSection(deps: SampleDeps): Section {
  return {
    pages: {},
    forms: {
      [samplePath]: (visit) => openSample(visit, deps),
      [`${samplePath}/delete`]: (visit) => deleteSample(visit, deps),
    },
    once: { [`${samplePath}/delete`]: '/dashboard' },
    notices: {
      'sample-opened': 'This is sample data. Open anything; nothing here costs credits.',
      'sample-deleted': 'Sample data deleted.',
    },
  };
}

async function openSample({ visitor }: FormVisit, { db, now }: SampleDeps): Promise<Response> {
  const sample = await giveSample(db.sql, visitor.user_id, now());
  await chooseWorkspace(db.sql, visitor, sample);
  return redirect('/dashboard', 'sample-opened');
}

async function deleteSample({ visitor }: FormVisit, { db }: SampleDeps): Promise<Response> {
  if (!visitor.sample) throw new PageNotFound();
  await deleteWorkspace(db.sql, visitor.workspace_id);
  return redirect('/dashboard', 'sample-deleted');
}
