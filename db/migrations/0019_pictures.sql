CREATE TABLE "item_pictures" (
	"workspace_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"pending_url" text,
	"pending_since" timestamp with time zone,
	"picture_key" text,
	"type" text,
	"bytes" "bytea",
	"kept_at" timestamp with time zone,
	CONSTRAINT "item_pictures_workspace_id_item_id_pk" PRIMARY KEY("workspace_id","item_id")
);
--> statement-breakpoint
ALTER TABLE "item_pictures" ADD CONSTRAINT "item_pictures_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "item_pictures" ADD CONSTRAINT "item_pictures_workspace_id_item_id_tracked_items_workspace_id_item_id_fk" FOREIGN KEY ("workspace_id","item_id") REFERENCES "public"."tracked_items"("workspace_id","item_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "item_pictures_pending" ON "item_pictures" USING btree ("pending_since") WHERE "item_pictures"."pending_url" is not null;--> statement-breakpoint
CREATE INDEX "item_pictures_key" ON "item_pictures" USING btree ("picture_key") WHERE "item_pictures"."picture_key" is not null;