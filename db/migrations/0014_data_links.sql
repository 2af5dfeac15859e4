CREATE TABLE "data_links" (
	"workspace_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"label" text NOT NULL,
	"content" jsonb NOT NULL,
	"refresh" text,
	"key_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"last_read_at" timestamp with time zone,
	"reads" integer DEFAULT 0 NOT NULL,
	"window_ends_at" timestamp with time zone,
	"window_reads" integer DEFAULT 0 NOT NULL,
	"refreshed_at" timestamp with time zone,
	CONSTRAINT "data_links_workspace_id_link_id_pk" PRIMARY KEY("workspace_id","link_id"),
	CONSTRAINT "data_links_refresh" CHECK (("data_links"."refresh" is null) = ("data_links"."key_id" is null))
);
--> statement-breakpoint
ALTER TABLE "data_links" ADD CONSTRAINT "data_links_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_links" ADD CONSTRAINT "data_links_workspace_id_key_id_api_keys_workspace_id_key_id_fk" FOREIGN KEY ("workspace_id","key_id") REFERENCES "public"."api_keys"("workspace_id","key_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "data_links_token_hash" ON "data_links" USING btree ("token_hash");