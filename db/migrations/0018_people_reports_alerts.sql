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
CREATE TABLE "invitations" (
	"workspace_id" uuid NOT NULL,
	"invitation_id" uuid NOT NULL,
	"email" text,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invitations_workspace_id_invitation_id_pk" PRIMARY KEY("workspace_id","invitation_id"),
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitations_role" CHECK ("invitations"."role" in ('owner', 'editor', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"user_id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_brands" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"logo" text,
	"color" text,
	"footer" text,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session_workspaces" (
	"session_id" text PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_recipients" (
	"workspace_id" uuid NOT NULL,
	"recipient_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"address" text NOT NULL,
	"label" text NOT NULL,
	"topics" text[] DEFAULT '{}' NOT NULL,
	"campaign_ids" uuid[] DEFAULT '{}' NOT NULL,
	"confirmed_at" timestamp with time zone,
	"unsubscribed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "alert_recipients_workspace_id_recipient_id_pk" PRIMARY KEY("workspace_id","recipient_id"),
	CONSTRAINT "alert_recipients_once" UNIQUE("workspace_id","channel","address"),
	CONSTRAINT "alert_recipients_channel" CHECK ("alert_recipients"."channel" in ('mail', 'slack'))
);
--> statement-breakpoint
CREATE TABLE "alert_rules" (
	"workspace_id" uuid NOT NULL,
	"rule_id" uuid NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"scope_id" uuid,
	"condition" text NOT NULL,
	"metric" text,
	"direction" text,
	"amount" double precision,
	"days" integer,
	"checks" integer,
	"cooldown_hours" integer NOT NULL,
	"recipient_ids" uuid[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"quiet_at" timestamp with time zone,
	"quiet_reason" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "alert_rules_workspace_id_rule_id_pk" PRIMARY KEY("workspace_id","rule_id"),
	CONSTRAINT "alert_rules_scope" CHECK ("alert_rules"."scope" in ('all', 'item', 'list', 'campaign')),
	CONSTRAINT "alert_rules_scope_id" CHECK (("alert_rules"."scope" = 'all') = ("alert_rules"."scope_id" is null)),
	CONSTRAINT "alert_rules_condition" CHECK (case "alert_rules"."condition"
        when 'change' then "alert_rules"."metric" is not null and "alert_rules"."direction" is not null and "alert_rules"."amount" > 0 and "alert_rules"."days" > 0
        when 'above' then "alert_rules"."metric" is not null and "alert_rules"."amount" is not null
        when 'below' then "alert_rules"."metric" is not null and "alert_rules"."amount" is not null
        when 'failing' then "alert_rules"."checks" > 0
        when 'not_found' then true when 'handle_changed' then true else false end)
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"workspace_id" uuid NOT NULL,
	"alert_id" uuid NOT NULL,
	"rule_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"attempted_at" timestamp with time zone NOT NULL,
	"value" double precision,
	"previous" double precision,
	"rounded" boolean DEFAULT false NOT NULL,
	CONSTRAINT "alerts_workspace_id_alert_id_pk" PRIMARY KEY("workspace_id","alert_id"),
	CONSTRAINT "alerts_once" UNIQUE("workspace_id","rule_id","attempt_id")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"workspace_id" uuid NOT NULL,
	"notification_id" uuid NOT NULL,
	"recipient_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject_key" text NOT NULL,
	"message" jsonb NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"result" text,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "notifications_workspace_id_notification_id_pk" PRIMARY KEY("workspace_id","notification_id"),
	CONSTRAINT "notifications_once" UNIQUE("workspace_id","recipient_id","kind","subject_key"),
	CONSTRAINT "notifications_status" CHECK ("notifications"."status" in ('waiting', 'sent', 'shown', 'failed', 'skipped'))
);
--> statement-breakpoint
ALTER TABLE "check_attempts" ADD COLUMN "alerts_pending" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "batch_rows" ADD COLUMN "own_cells" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "own_headings" text[];--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "role" text DEFAULT 'owner' NOT NULL;--> statement-breakpoint
ALTER TABLE "report_shares" ADD COLUMN "label" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "report_shares" ADD COLUMN "views" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_shares" ADD COLUMN "last_viewed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "item_pictures" ADD CONSTRAINT "item_pictures_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "item_pictures" ADD CONSTRAINT "item_pictures_workspace_id_item_id_tracked_items_workspace_id_item_id_fk" FOREIGN KEY ("workspace_id","item_id") REFERENCES "public"."tracked_items"("workspace_id","item_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_user_id_auth_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."auth_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_brands" ADD CONSTRAINT "report_brands_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_workspaces" ADD CONSTRAINT "session_workspaces_session_id_auth_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."auth_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_workspaces" ADD CONSTRAINT "session_workspaces_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_recipients" ADD CONSTRAINT "alert_recipients_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_workspace_id_rule_id_alert_rules_workspace_id_rule_id_fk" FOREIGN KEY ("workspace_id","rule_id") REFERENCES "public"."alert_rules"("workspace_id","rule_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspace_id_recipient_id_alert_recipients_workspace_id_recipient_id_fk" FOREIGN KEY ("workspace_id","recipient_id") REFERENCES "public"."alert_recipients"("workspace_id","recipient_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "item_pictures_pending" ON "item_pictures" USING btree ("pending_since") WHERE "item_pictures"."pending_url" is not null;--> statement-breakpoint
CREATE INDEX "item_pictures_key" ON "item_pictures" USING btree ("picture_key") WHERE "item_pictures"."picture_key" is not null;--> statement-breakpoint
CREATE INDEX "alerts_of_items" ON "alerts" USING btree ("workspace_id","rule_id","item_id","attempted_at");--> statement-breakpoint
CREATE INDEX "notifications_due" ON "notifications" USING btree ("next_at") WHERE "notifications"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "notifications_created" ON "notifications" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "check_attempts_alerts" ON "check_attempts" USING btree ("attempted_at") WHERE "check_attempts"."alerts_pending";--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_role" CHECK ("members"."role" in ('owner', 'editor', 'viewer'));--> statement-breakpoint
INSERT INTO "operators" ("user_id") SELECT "id" FROM "auth_users" WHERE "email" = 'operator@tidemark.local';
