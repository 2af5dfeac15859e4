import type { Sql } from 'postgres';

/** The branding of a workspace's reports. A null field means that the user did not set it. */
export interface ReportBrand {
  /** The logo, as a data URL of a PNG, JPEG or WebP file. */
  logo: string | null;
  /** The color of the report's cover, as `#rrggbb`. */
  color: string | null;
  footer: string | null;
}

const plainBrand: ReportBrand = { logo: null, color: null, footer: null };

/** Returns the branding (logo, color, footer) of a workspace's reports. */
export async function readBrand(sql: Sql, workspaceId: string): Promise<ReportBrand> {
  const [brand] = await sql<ReportBrand[]>`
    select logo, color, footer from report_brands where workspace_id = ${workspaceId}`;
  return brand ?? plainBrand;
}

/**
 * Saves the branding of a workspace's reports. If `logo` is missing, the stored logo stays. If `logo` is null, the logo
 * is removed.
 */
export async function saveBrand(
  sql: Sql,
  workspaceId: string,
  { logo, color, footer }: Omit<ReportBrand, 'logo'> & { logo?: string | null },
  now: Date,
): Promise<void> {
  await sql`
    insert into report_brands (workspace_id, logo, color, footer, updated_at)
    values (${workspaceId}, ${logo ?? null}, ${color}, ${footer}, ${now})
    on conflict (workspace_id) do update set
      logo = case when ${logo === undefined}::boolean then report_brands.logo else excluded.logo end,
      color = excluded.color, footer = excluded.footer, updated_at = excluded.updated_at`;
}
