CREATE TABLE "api_keys" (
	"workspace_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"last_four" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"monthly_cap" bigint,
	"cap_month" date,
	"cap_used" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "api_keys_workspace_id_key_id_pk" PRIMARY KEY("workspace_id","key_id"),
	CONSTRAINT "api_keys_kind" CHECK ("api_keys"."kind" in ('live', 'test', 'sheet')),
	CONSTRAINT "api_keys_cap" CHECK ("api_keys"."monthly_cap" is null or "api_keys"."monthly_cap" >= 0)
);
--> statement-breakpoint
CREATE TABLE "buffered_pages" (
	"page_id" uuid PRIMARY KEY NOT NULL,
	"page" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credit_balances" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"balance" bigint DEFAULT 0 NOT NULL,
	"entries" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "credit_balances_not_negative" CHECK ("credit_balances"."balance" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"workspace_id" uuid NOT NULL,
	"entry_no" bigint NOT NULL,
	"kind" text NOT NULL,
	"credits" bigint NOT NULL,
	"balance_after" bigint NOT NULL,
	"charge_id" uuid,
	"request_id" text,
	"key_id" uuid,
	"route" text,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_entries_workspace_id_entry_no_pk" PRIMARY KEY("workspace_id","entry_no"),
	CONSTRAINT "ledger_entries_charge" UNIQUE("workspace_id","charge_id"),
	CONSTRAINT "ledger_entries_kind" CHECK ("ledger_entries"."kind" in ('starter', 'purchase', 'charge', 'adjustment')),
	CONSTRAINT "ledger_entries_charge_shape" CHECK (("ledger_entries"."kind" = 'charge') = ("ledger_entries"."charge_id" is not null) and ("ledger_entries"."kind" <> 'charge' or "ledger_entries"."credits" < 0)),
	CONSTRAINT "ledger_entries_not_negative" CHECK ("ledger_entries"."balance_after" >= 0)
);
--> statement-breakpoint
CREATE TABLE "rate_windows" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"used" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "replays" (
	"workspace_id" uuid NOT NULL,
	"mode" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"fingerprint" uuid NOT NULL,
	"body" text NOT NULL,
	"meta" text NOT NULL,
	"retrieved_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "replays_workspace_id_mode_idempotency_key_pk" PRIMARY KEY("workspace_id","mode","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "responses" (
	"cache_key" uuid PRIMARY KEY NOT NULL,
	"route" text NOT NULL,
	"body" text NOT NULL,
	"meta" text NOT NULL,
	"retrieved_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"workspace_id" uuid NOT NULL,
	"day" date NOT NULL,
	"key_id" uuid NOT NULL,
	"route" text NOT NULL,
	"outcome" text NOT NULL,
	"requests" bigint NOT NULL,
	"credits" bigint NOT NULL,
	CONSTRAINT "usage_workspace_id_day_key_id_route_outcome_pk" PRIMARY KEY("workspace_id","day","key_id","route","outcome")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"tier" text DEFAULT 'air' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workspaces_tier" CHECK ("workspaces"."tier" in ('air', 'pro', 'pro_max', 'ultra'))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_balances" ADD CONSTRAINT "credit_balances_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rate_windows" ADD CONSTRAINT "rate_windows_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replays" ADD CONSTRAINT "replays_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_key_id" ON "api_keys" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "buffered_pages_created_at" ON "buffered_pages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "ledger_entries_request" ON "ledger_entries" USING btree ("workspace_id","request_id");--> statement-breakpoint
CREATE INDEX "replays_created_at" ON "replays" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "responses_retrieved_at" ON "responses" USING btree ("retrieved_at");--> statement-breakpoint
ALTER TABLE "responses" ALTER COLUMN "body" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "replays" ALTER COLUMN "body" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "credit_balances" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "rate_windows" SET (fillfactor = 50);
