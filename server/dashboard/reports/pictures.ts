import type { Sql } from 'postgres';
import { itemsWithPicture } from '../../../db/media/pictures.ts';
import type { MediaAddresses } from '../../../pipeline/media/addresses.ts';
import type { Report } from '../../../pipeline/report/report.ts';

/** Returns the URL of the stored picture of an item. Returns null when no picture is stored. */
export type PictureOf = (itemId: string) => string | null;

export interface PictureDeps {
  db: { sql: Sql };
  media: MediaAddresses;
}

/**
 * Returns a function that returns the picture URL of an item in a report. The URLs are signed, so that readers of a
 * shared report, who have no session, see the pictures, too.
 */
export async function picturesOf(report: Report, workspaceId: string, { db, media }: PictureDeps): Promise<PictureOf> {
  const ids = report.items.map(({ item_id }) => item_id);
  const kept = await itemsWithPicture(db.sql, workspaceId, ids);
  return (itemId) =>
    kept.has(itemId) ? media.itemPictureAddress({ workspace_id: workspaceId, item_id: itemId }) : null;
}
