-- Before, the removal of a list kept its sheet targets. They counted toward the limit of a workspace, and no page could
-- remove them.
DELETE FROM "sheet_targets" WHERE "list_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "tracking_lists" l WHERE l."workspace_id" = "sheet_targets"."workspace_id" AND l."list_id" = "sheet_targets"."list_id"
);
