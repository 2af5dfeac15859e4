CREATE TABLE "audit_entries" (
	"workspace_id" uuid NOT NULL,
	"entry_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text,
	"address" text,
	"device" text,
	CONSTRAINT "audit_entries_workspace_id_entry_id_pk" PRIMARY KEY("workspace_id","entry_id")
);
--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "grant_id" text DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entries_time" ON "audit_entries" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_grant_id_unique" UNIQUE("grant_id");--> statement-breakpoint
DELETE FROM "connections" c USING "api_keys" k WHERE k."workspace_id" = c."workspace_id" AND k."key_id" = c."key_id" AND k."revoked_at" IS NOT NULL;--> statement-breakpoint
UPDATE "oauth_access_tokens" t SET "reference_id" = c."grant_id" FROM "connections" c WHERE c."client_id" = t."client_id" AND c."workspace_id"::text = t."reference_id";--> statement-breakpoint
UPDATE "oauth_refresh_tokens" t SET "reference_id" = c."grant_id" FROM "connections" c WHERE c."client_id" = t."client_id" AND c."workspace_id"::text = t."reference_id";--> statement-breakpoint
UPDATE "oauth_consents" t SET "reference_id" = c."grant_id" FROM "connections" c WHERE c."client_id" = t."client_id" AND c."workspace_id"::text = t."reference_id";--> statement-breakpoint
DELETE FROM "oauth_access_tokens" t WHERE NOT EXISTS (SELECT FROM "connections" c WHERE c."grant_id" = t."reference_id");--> statement-breakpoint
DELETE FROM "oauth_refresh_tokens" t WHERE NOT EXISTS (SELECT FROM "connections" c WHERE c."grant_id" = t."reference_id");--> statement-breakpoint
DELETE FROM "oauth_consents" t WHERE NOT EXISTS (SELECT FROM "connections" c WHERE c."grant_id" = t."reference_id");--> statement-breakpoint
UPDATE "auth_sessions" SET "token" = encode(sha256(convert_to("token", 'UTF8')), 'hex');--> statement-breakpoint
ALTER TABLE "oauth_access_tokens" ADD CONSTRAINT "oauth_access_tokens_reference_id_connections_grant_id_fk" FOREIGN KEY ("reference_id") REFERENCES "public"."connections"("grant_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_consents" ADD CONSTRAINT "oauth_consents_reference_id_connections_grant_id_fk" FOREIGN KEY ("reference_id") REFERENCES "public"."connections"("grant_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_refresh_tokens" ADD CONSTRAINT "oauth_refresh_tokens_reference_id_connections_grant_id_fk" FOREIGN KEY ("reference_id") REFERENCES "public"."connections"("grant_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "oauth_access_tokens_reference_id" ON "oauth_access_tokens" USING btree ("reference_id");--> statement-breakpoint
CREATE INDEX "oauth_consents_reference_id" ON "oauth_consents" USING btree ("reference_id");--> statement-breakpoint
CREATE INDEX "oauth_refresh_tokens_reference_id" ON "oauth_refresh_tokens" USING btree ("reference_id");--> statement-breakpoint
CREATE INDEX "connections_client" ON "connections" USING btree ("client_id");