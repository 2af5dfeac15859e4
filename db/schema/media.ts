import { sql } from 'drizzle-orm';
import { customType, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import { ownedBy } from './core.ts';
import { trackedItems } from './tracking.ts';

const binary = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * The avatar or thumbnail of each tracked item. A tracking check stores the picture's URL as `pending_url`. The job
 * `keep-pictures` downloads the picture and stores its bytes. `picture_key` identifies the file on the platform,
 * without the parts of the URL that expire.
 */
export const itemPictures = pgTable(
  'item_pictures',
  {
    workspace_id: ownedBy(),
    item_id: uuid().notNull(),
    /** The URL of the picture to download; null when nothing has to be downloaded. */
    pending_url: text(),
    pending_since: moment('pending_since'),
    picture_key: text(),
    type: text(),
    bytes: binary(),
    kept_at: moment('kept_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.item_id] }),
    foreignKey({
      columns: [table.workspace_id, table.item_id],
      foreignColumns: [trackedItems.workspace_id, trackedItems.item_id],
    }).onDelete('cascade'),
    index('item_pictures_pending').on(table.pending_since).where(sql`${table.pending_url} is not null`),
    index('item_pictures_key').on(table.picture_key).where(sql`${table.picture_key} is not null`),
  ],
);
