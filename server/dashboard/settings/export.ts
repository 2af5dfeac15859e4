import type { Sql } from 'postgres';
import { throttle } from '../../../db/accounts/throttle.ts';
import { hourSeconds } from '../../../db/durations.ts';
import { type ExportRecord, exportPages, exportWorkspace } from '../../../db/workspace-data/export.ts';
import { exportParts } from '../../../db/workspace-data/export-parts.ts';
import { unpackQuality } from '../../../pipeline/tracking/metrics.ts';
import { attachmentResponse } from '../../http/attachment.ts';
import type { SectionDeps } from '../deps.ts';
import { PageNotFound, type Visit } from '../ui/section.ts';

/** Maximum number of exports of one workspace per hour, because each export reads all its data. */
const allowance = { limit: 20, window_seconds: hourSeconds };

/**
 * Returns all data of a workspace as one JSON document (docs/export.md), streamed in pages of records. Returns null
 * when the workspace has reached its hourly limit of exports.
 */
export async function exportDownload(
  { visitor }: Visit,
  { db, now }: Pick<SectionDeps, 'db' | 'now'>,
): Promise<Response | null> {
  const { workspace_id } = visitor;
  if ((await throttle(db.sql, `export ${workspace_id}`, allowance, now())) !== null) return null;
  const workspace = await exportWorkspace(db.sql, workspace_id);
  if (!workspace) throw new PageNotFound();
  const exportedAt = now().toISOString();
  const body = ReadableStream.from(documentOf(db.sql, workspace, exportedAt)).pipeThrough(new TextEncoderStream());
  return attachmentResponse(`tidemark-${exportedAt.slice(0, 10)}`, 'json', body);
}

/**
 * Yields the JSON document of an export in parts. A file from an interrupted download is not valid JSON, so no one can
 * mistake it for a complete export.
 */
export async function* documentOf(sql: Sql, workspace: ExportRecord, exportedAt: string): AsyncGenerator<string> {
  const workspaceId = String(workspace.workspace_id);
  yield `{"format":1,"exported_at":"${exportedAt}",\n"workspace":${JSON.stringify(workspace)}`;
  for (const part of exportParts) {
    yield `,\n"${part.name}":[`;
    let before = '\n';
    for await (const page of exportPages(sql, workspaceId, part)) {
      yield before + page.map((record) => JSON.stringify(toExported(record))).join(',\n');
      before = ',\n';
    }
    yield ']';
  }
  yield '}\n';
}

/**
 * Returns an exported record with readable values: JSON text is parsed, a picture becomes base64, and the quality bits
 * of an observation become a quality name for each metric.
 */
function toExported(record: ExportRecord): ExportRecord {
  const { quality, body, cells, bytes } = record;
  return {
    ...record,
    ...(typeof quality === 'number' ? { quality: qualityNames(quality) } : {}),
    ...(typeof body === 'string' ? { body: JSON.parse(body) } : {}),
    ...(bytes instanceof Uint8Array ? { bytes: Buffer.from(bytes).toString('base64') } : {}),
    ...(typeof cells === 'string' ? { cells: JSON.parse(cells) } : {}),
  };
}

function qualityNames(bits: number): Record<string, string> {
  return Object.fromEntries(Object.entries(unpackQuality(bits)).filter(([, state]) => state !== 'exact'));
}
