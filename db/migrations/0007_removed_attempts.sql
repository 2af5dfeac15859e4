CREATE TABLE "removed_attempts" (
	"workspace_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"kind" text NOT NULL,
	"identifier" text NOT NULL,
	"last_attempt_at" timestamp with time zone NOT NULL,
	CONSTRAINT "removed_attempts_workspace_id_platform_kind_identifier_pk" PRIMARY KEY("workspace_id","platform","kind","identifier")
);
--> statement-breakpoint
ALTER TABLE "removed_attempts" ADD CONSTRAINT "removed_attempts_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "removed_attempts_time" ON "removed_attempts" USING btree ("last_attempt_at");