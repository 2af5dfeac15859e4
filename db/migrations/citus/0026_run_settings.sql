ALTER TABLE "sheet_import_runs" ADD COLUMN "settings" jsonb;
--> statement-breakpoint
-- Citus refuses jsonb_build_object of columns in an UPDATE, so the settings are made before it.
WITH "made" AS MATERIALIZED (
	SELECT i."workspace_id", i."import_id", jsonb_build_object(
		'spreadsheet_id', i."spreadsheet_id", 'source_range', i."source_range", 'source_list', i."source_list",
		'include_hidden', i."include_hidden", 'kind', i."kind", 'platform', i."platform", 'posts_each', i."posts_each",
		'fields', i."fields", 'target_sheet', i."target_sheet", 'target_cell', i."target_cell", 'mode', i."mode",
		'max_age_seconds', i."max_age_seconds", 'covered_rows', i."covered_rows",
		'covered_fields', i."covered_fields") AS "settings"
	FROM "sheet_imports" i
)
UPDATE "sheet_import_runs" r SET "settings" = m."settings" FROM "made" m
WHERE m."workspace_id" = r."workspace_id" AND m."import_id" = r."import_id" AND r."finished_at" IS NULL;
