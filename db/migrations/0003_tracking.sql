CREATE TABLE "batch_rows" (
	"workspace_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"row_no" integer NOT NULL,
	"url" text NOT NULL,
	"duplicate_of" integer,
	"status" text,
	"credits" integer DEFAULT 0 NOT NULL,
	"cells" text,
	"answered_at" timestamp with time zone,
	CONSTRAINT "batch_rows_workspace_id_batch_id_row_no_pk" PRIMARY KEY("workspace_id","batch_id","row_no")
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"workspace_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"name" text,
	"status" text DEFAULT 'queued' NOT NULL,
	"waiting_for" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "batches_workspace_id_batch_id_pk" PRIMARY KEY("workspace_id","batch_id"),
	CONSTRAINT "batches_status" CHECK ("batches"."status" in ('queued', 'running', 'paused', 'finished', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "campaign_items" (
	"workspace_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"attached_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "campaign_items_workspace_id_campaign_id_item_id_pk" PRIMARY KEY("workspace_id","campaign_id","item_id")
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"workspace_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"report_name" text,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "campaigns_workspace_id_campaign_id_pk" PRIMARY KEY("workspace_id","campaign_id"),
	CONSTRAINT "campaigns_status" CHECK ("campaigns"."status" in ('active', 'paused', 'archived', 'ended')),
	CONSTRAINT "campaigns_dates" CHECK ("campaigns"."ends_on" is null or "campaigns"."ends_on" >= "campaigns"."starts_on")
);
--> statement-breakpoint
CREATE TABLE "check_attempts" (
	"workspace_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"attempted_at" timestamp with time zone NOT NULL,
	"trigger" text NOT NULL,
	"outcome" text NOT NULL,
	"credits" integer NOT NULL,
	"duration_ms" integer,
	"message" text,
	CONSTRAINT "check_attempts_workspace_id_item_id_attempt_id_pk" PRIMARY KEY("workspace_id","item_id","attempt_id"),
	CONSTRAINT "check_attempts_trigger" CHECK ("check_attempts"."trigger" in ('scheduled', 'manual'))
);
--> statement-breakpoint
CREATE TABLE "observations" (
	"workspace_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"followers" bigint,
	"following" bigint,
	"posts" bigint,
	"views" bigint,
	"likes" bigint,
	"comments" bigint,
	"shares" bigint,
	"favorites" bigint,
	"total_views" bigint,
	"quality" integer DEFAULT 0 NOT NULL,
	"source" text NOT NULL,
	CONSTRAINT "observations_workspace_id_item_id_observed_at_pk" PRIMARY KEY("workspace_id","item_id","observed_at")
		INCLUDE ("followers","following","posts","views","likes","comments","shares","favorites","total_views","quality","source")
) PARTITION BY RANGE ("observed_at");
--> statement-breakpoint
CREATE TABLE "observations_default" PARTITION OF "observations" DEFAULT;
--> statement-breakpoint
CREATE TABLE "reports" (
	"workspace_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"report_id" uuid NOT NULL,
	"period_start" timestamp with time zone NOT NULL,
	"period_end" timestamp with time zone NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reports_workspace_id_campaign_id_report_id_pk" PRIMARY KEY("workspace_id","campaign_id","report_id"),
	CONSTRAINT "reports_once" UNIQUE("workspace_id","campaign_id","period_start")
);
--> statement-breakpoint
CREATE TABLE "sheet_targets" (
	"workspace_id" uuid NOT NULL,
	"target_id" uuid NOT NULL,
	"campaign_id" uuid,
	"list_id" uuid,
	"spreadsheet_id" text NOT NULL,
	"sheet_name" text NOT NULL,
	"mode" text NOT NULL,
	"last_pushed_at" timestamp with time zone,
	"last_outcome" text,
	"last_message" text,
	CONSTRAINT "sheet_targets_workspace_id_target_id_pk" PRIMARY KEY("workspace_id","target_id"),
	CONSTRAINT "sheet_targets_mode" CHECK ("sheet_targets"."mode" in ('append', 'replace')),
	CONSTRAINT "sheet_targets_one" CHECK (("sheet_targets"."campaign_id" is null) <> ("sheet_targets"."list_id" is null))
);
--> statement-breakpoint
CREATE TABLE "tracked_items" (
	"workspace_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"kind" text NOT NULL,
	"url" text NOT NULL,
	"identifier" text NOT NULL,
	"platform_id" text,
	"name" text,
	"list_id" uuid,
	"status" text DEFAULT 'active' NOT NULL,
	"identity_changed" boolean DEFAULT false NOT NULL,
	"check_minute" smallint NOT NULL,
	"last_attempt_at" timestamp with time zone,
	"attempt_id" uuid,
	"retry_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tracked_items_workspace_id_item_id_pk" PRIMARY KEY("workspace_id","item_id"),
	CONSTRAINT "tracked_items_once" UNIQUE("workspace_id","platform","kind","identifier"),
	CONSTRAINT "tracked_items_status" CHECK ("tracked_items"."status" in ('active', 'paused')),
	CONSTRAINT "tracked_items_minute" CHECK ("tracked_items"."check_minute" between 0 and 1439)
);
--> statement-breakpoint
CREATE TABLE "tracking_lists" (
	"workspace_id" uuid NOT NULL,
	"list_id" uuid NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tracking_lists_workspace_id_list_id_pk" PRIMARY KEY("workspace_id","list_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"workspace_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event" text NOT NULL,
	"body" text NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_status" integer,
	"last_message" text,
	"created_at" timestamp with time zone NOT NULL,
	"delivered_at" timestamp with time zone,
	CONSTRAINT "webhook_deliveries_workspace_id_delivery_id_pk" PRIMARY KEY("workspace_id","delivery_id"),
	CONSTRAINT "webhook_deliveries_status" CHECK ("webhook_deliveries"."status" in ('waiting', 'delivered', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"workspace_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"url" text NOT NULL,
	"secret" text NOT NULL,
	"events" text[] NOT NULL,
	"disabled_at" timestamp with time zone,
	"disabled_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_workspace_id_endpoint_id_pk" PRIMARY KEY("workspace_id","endpoint_id")
);
--> statement-breakpoint
CREATE TABLE "work_settings" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"paused" boolean DEFAULT false NOT NULL,
	"monthly_cap" bigint,
	"cap_month" date,
	"cap_used" bigint DEFAULT 0 NOT NULL,
	"low_balance_alert" bigint,
	CONSTRAINT "work_settings_cap" CHECK ("work_settings"."monthly_cap" is null or "work_settings"."monthly_cap" >= 0)
);
--> statement-breakpoint
ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_workspace_id_batch_id_batches_workspace_id_batch_id_fk" FOREIGN KEY ("workspace_id","batch_id") REFERENCES "public"."batches"("workspace_id","batch_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_items" ADD CONSTRAINT "campaign_items_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_items" ADD CONSTRAINT "campaign_items_workspace_id_campaign_id_campaigns_workspace_id_campaign_id_fk" FOREIGN KEY ("workspace_id","campaign_id") REFERENCES "public"."campaigns"("workspace_id","campaign_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_items" ADD CONSTRAINT "campaign_items_workspace_id_item_id_tracked_items_workspace_id_item_id_fk" FOREIGN KEY ("workspace_id","item_id") REFERENCES "public"."tracked_items"("workspace_id","item_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_attempts" ADD CONSTRAINT "check_attempts_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_attempts" ADD CONSTRAINT "check_attempts_workspace_id_item_id_tracked_items_workspace_id_item_id_fk" FOREIGN KEY ("workspace_id","item_id") REFERENCES "public"."tracked_items"("workspace_id","item_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_workspace_id_campaign_id_campaigns_workspace_id_campaign_id_fk" FOREIGN KEY ("workspace_id","campaign_id") REFERENCES "public"."campaigns"("workspace_id","campaign_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sheet_targets" ADD CONSTRAINT "sheet_targets_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_items" ADD CONSTRAINT "tracked_items_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_lists" ADD CONSTRAINT "tracking_lists_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_workspace_id_endpoint_id_webhook_endpoints_workspace_id_endpoint_id_fk" FOREIGN KEY ("workspace_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("workspace_id","endpoint_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_settings" ADD CONSTRAINT "work_settings_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "check_attempts_time" ON "check_attempts" USING btree ("workspace_id","attempted_at");--> statement-breakpoint
CREATE INDEX "tracked_items_due" ON "tracked_items" USING btree ("status","last_attempt_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");