CREATE TABLE "removed_items" (
	"workspace_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"removal_id" uuid NOT NULL,
	"removed_at" timestamp with time zone NOT NULL,
	"rows" jsonb NOT NULL,
	CONSTRAINT "removed_items_workspace_id_item_id_pk" PRIMARY KEY("workspace_id","item_id")
);
--> statement-breakpoint
ALTER TABLE "removed_items" ADD CONSTRAINT "removed_items_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "removed_items_time" ON "removed_items" USING btree ("removed_at");