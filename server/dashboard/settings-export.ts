import type { Sql } from 'postgres';
import { throttle } from '../../db/throttle.ts';
import { type ExportRecord, exportPages, exportParts, exportWorkspace } from '../../db/workspace-export.ts';
import { unpackQuality } from '../../pipeline/tracked-kinds.ts';
import { attachmentResponse } from '../attachment.ts';
import type { SectionDeps } from './deps.ts';
import { PageNotFound, type Visit } from './section.ts';

/** An export reads everything: this many for a workspace in an hour. */
const allowance = { limit: 20, window_seconds: 3_600 };

/**
 * Everything of a workspace as one JSON document (docs/export.md), written while it is read: memory holds one page of records.
 * Null when it was asked for too often.
 */
export async function exportDownload(
  { visitor }: Visit,
  { db, now }: Pick<SectionDeps, 'db' | 'now'>,
): Promise<Response | null> {
  const { workspace_id } = visitor;
  if ((await throttle(db.sql, `export ${workspace_id}`, allowance, now())) !== null) return null;
  const workspace = await exportWorkspace(db.sql, workspace_id);
  if (!workspace) throw new PageNotFound();
  const exported_at = now().toISOString();
  const body = ReadableStream.from(documentOf(db.sql, workspace, exported_at)).pipeThrough(new TextEncoderStream());
  return attachmentResponse(`tidemark-${exported_at.slice(0, 10)}`, 'json', body);
}

/** The document in pieces; one that breaks off is no JSON, so that nobody takes it for a whole one. */
export async function* documentOf(sql: Sql, workspace: ExportRecord, exported_at: string): AsyncGenerator<string> {
  const workspace_id = String(workspace.workspace_id);
  yield `{"format":1,"exported_at":"${exported_at}",\n"workspace":${JSON.stringify(workspace)}`;
  for (const part of exportParts) {
    yield `,\n"${part.name}":[`;
    let before = '\n';
    for await (const page of exportPages(sql, workspace_id, part)) {
      yield before + page.map((record) => JSON.stringify(shaped(record))).join(',\n');
      before = ',\n';
    }
    yield ']';
  }
  yield '}\n';
}

/** JSON that is kept as text becomes part of the document, and the bits of an observation's quality become words. */
function shaped(record: ExportRecord): ExportRecord {
  const { quality, body, cells } = record;
  return {
    ...record,
    ...(typeof quality === 'number' ? { quality: notGiven(quality) } : {}),
    ...(typeof body === 'string' ? { body: JSON.parse(body) } : {}),
    ...(typeof cells === 'string' ? { cells: JSON.parse(cells) } : {}),
  };
}

function notGiven(bits: number): Record<string, string> {
  return Object.fromEntries(Object.entries(unpackQuality(bits)).filter(([, state]) => state !== 'given'));
}
