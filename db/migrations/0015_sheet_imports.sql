CREATE TABLE "sheet_import_runs" (
	"workspace_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"trigger" text NOT NULL,
	"stage" text DEFAULT 'reading' NOT NULL,
	"outcome" text,
	"message" text,
	"written_rows" integer,
	"append_row" integer,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "sheet_import_runs_workspace_id_run_id_pk" PRIMARY KEY("workspace_id","run_id"),
	CONSTRAINT "sheet_import_runs_stage" CHECK ("sheet_import_runs"."stage" in ('reading', 'fetching', 'writing', 'ended')),
	CONSTRAINT "sheet_import_runs_ended" CHECK (("sheet_import_runs"."stage" = 'ended') = ("sheet_import_runs"."finished_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "sheet_imports" (
	"workspace_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"label" text NOT NULL,
	"spreadsheet_id" text NOT NULL,
	"source_range" text,
	"source_list" text,
	"include_hidden" boolean NOT NULL,
	"kind" text NOT NULL,
	"platform" text,
	"posts_each" integer,
	"fields" text[] NOT NULL,
	"target_sheet" text NOT NULL,
	"target_cell" text NOT NULL,
	"mode" text NOT NULL,
	"max_age_seconds" integer NOT NULL,
	"every_seconds" integer,
	"next_run_at" timestamp with time zone,
	"paused" boolean DEFAULT false NOT NULL,
	"monthly_cap" integer,
	"cap_month" date,
	"cap_used" integer DEFAULT 0 NOT NULL,
	"covered_rows" integer DEFAULT 0 NOT NULL,
	"covered_fields" text[],
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sheet_imports_workspace_id_import_id_pk" PRIMARY KEY("workspace_id","import_id"),
	CONSTRAINT "sheet_imports_source" CHECK (("sheet_imports"."source_range" is null) <> ("sheet_imports"."source_list" is null)),
	CONSTRAINT "sheet_imports_kind" CHECK ("sheet_imports"."kind" in ('profiles', 'posts', 'latest_posts')),
	CONSTRAINT "sheet_imports_mode" CHECK ("sheet_imports"."mode" in ('replace', 'append', 'update'))
);
--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "kind" text DEFAULT 'profiles' NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "posts_each" integer;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "max_age_seconds" integer DEFAULT 86400 NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "import_id" uuid;--> statement-breakpoint
ALTER TABLE "sheet_import_runs" ADD CONSTRAINT "sheet_import_runs_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sheet_import_runs" ADD CONSTRAINT "sheet_import_runs_workspace_id_import_id_sheet_imports_workspace_id_import_id_fk" FOREIGN KEY ("workspace_id","import_id") REFERENCES "public"."sheet_imports"("workspace_id","import_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sheet_imports" ADD CONSTRAINT "sheet_imports_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sheet_import_runs_active" ON "sheet_import_runs" USING btree ("workspace_id","import_id") WHERE "sheet_import_runs"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "sheet_import_runs_of_import" ON "sheet_import_runs" USING btree ("workspace_id","import_id","started_at");--> statement-breakpoint
CREATE INDEX "sheet_imports_due" ON "sheet_imports" USING btree ("next_run_at") WHERE not "sheet_imports"."paused";--> statement-breakpoint
CREATE INDEX "batches_of_imports" ON "batches" USING btree ("workspace_id","import_id") WHERE "batches"."import_id" is not null;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_kind" CHECK ("batches"."kind" in ('profiles', 'posts', 'latest_posts'));