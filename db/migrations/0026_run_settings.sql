ALTER TABLE "sheet_import_runs" ADD COLUMN "settings" jsonb;
--> statement-breakpoint
-- A run that is in progress during the upgrade continues with the settings that its import has now.
UPDATE "sheet_import_runs" r SET "settings" = jsonb_build_object(
	'spreadsheet_id', i."spreadsheet_id", 'source_range', i."source_range", 'source_list', i."source_list",
	'include_hidden', i."include_hidden", 'kind', i."kind", 'platform', i."platform", 'posts_each', i."posts_each",
	'fields', i."fields", 'target_sheet', i."target_sheet", 'target_cell', i."target_cell", 'mode', i."mode",
	'max_age_seconds', i."max_age_seconds", 'covered_rows', i."covered_rows", 'covered_fields', i."covered_fields")
FROM "sheet_imports" i
WHERE i."workspace_id" = r."workspace_id" AND i."import_id" = r."import_id" AND r."finished_at" IS NULL;
